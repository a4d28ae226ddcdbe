import type { Route } from '../route.ts';
import { createComponents } from './components.ts';
import type { DescribedDomain, DescribedServer } from './described.ts';
import { pathsOf } from './paths.ts';
import { titleOf } from '../settings.ts';
import { tagsOf, type Tag } from './tags.ts';

/** A document, and the same as JSON text. */
export interface OpenApi {
  readonly document: OpenApiDocument;
  readonly text: string;
}

/** The parts of a document that its page shows. */
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly tags: readonly Tag[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly parameters?: Readonly<Record<string, Parameter>>;
    readonly schemas?: Readonly<Record<string, ObjectSchema>>;
  };
}
/** Itself, or a reference to it. */
export interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
}
export interface ObjectSchema {
  readonly $ref?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly 'x-rights'?: readonly string[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: true;
    readonly content: { readonly 'application/json': { readonly schema: ObjectSchema } };
  };
  readonly responses: object;
}

/** The last document of each server; a change of the registry makes the next one. */
const written = new WeakMap<readonly Route[], OpenApi & { readonly domain: DescribedDomain }>();

/** OpenAPI 3.1 of a server: every route, and for each registered aggregate, command and projection its own paths with typed answers. */
export function openApiOf(server: DescribedServer, domain: DescribedDomain, routes: readonly Route[]): OpenApi {
  const known = written.get(routes);
  if (known?.domain === domain) return known;
  const document = createDocument(server, domain, routes);
  const made = { domain, document, text: `${JSON.stringify(document, null, 2)}\n` };
  written.set(routes, made);
  return made;
}

function createDocument(server: DescribedServer, domain: DescribedDomain, routes: readonly Route[]): OpenApiDocument {
  const { api = {}, auth } = server.settings;
  const secured = auth !== undefined;
  const components = createComponents();
  const paths = pathsOf(server, domain, routes, components);
  const used = new Set(Object.values(paths).flatMap((path) => Object.values(path).flatMap(({ tags }) => tags)));
  const registry = domain.hash.slice(0, 12);
  const document = {
    openapi: '3.1.0',
    info: {
      title: titleOf(server.settings),
      version: api.version ?? registry,
      description: api.description ?? 'A server of event-sourced aggregates, their commands and projections.',
      contact: api.contact ?? { name: 'the operator of this server' },
      license: api.license ?? { name: 'no licence is stated', identifier: 'LicenseRef-not-stated' },
      'x-registry': registry,
    },
    servers: (api.servers ?? ['/']).map((url) => ({ url })),
    // An empty alternative makes the token optional.
    security: secured ? [{ bearer: [] }, ...(auth.anonymous === undefined ? [] : [{}])] : [],
    tags: tagsOf(used, domain),
    paths,
    components: {
      ...components.all(),
      ...(secured && { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } }),
    },
  };
  return document;
}
