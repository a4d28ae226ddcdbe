import { createHash } from 'node:crypto';
import { createKept, type Catalog } from '../compiler/index.ts';
import { docsPart } from '../language/catalog/documented.ts';
import type { DescribedDomain } from '../server/http/openapi/described.ts';
import { openApiOf } from '../server/http/openapi/document.ts';
import { routesOf } from '../server/http/routes/route-table.ts';
import type { EnabledBy } from '../server/http/options.ts';
import type { HttpSettings } from '../server/http/settings.ts';
import { serverSettings } from '../server/start/settings/server-settings.ts';
import type { Settings } from './settings/settings.ts';
import { productVersion } from './version.ts';

/** The server that a document is for: the one that `start` would run with the same settings. */
export interface DocumentedServer extends EnabledBy {
  readonly version: string;
  readonly settings: HttpSettings;
}

/** Settings that decide how a server is run. */
export interface ServedBy {
  readonly settings: Pick<Settings, 'config' | 'enableCreate' | 'enableQuery' | 'enableInspect'>;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The server that `start` would run. */
export function documentedServer({ settings, environment }: ServedBy): DocumentedServer {
  const { config, enableCreate, enableQuery, enableInspect } = settings;
  return {
    version: productVersion(),
    settings: serverSettings(config, environment),
    ...(enableCreate === true && { create: true }),
    ...(enableQuery === true && { console: true }),
    ...(enableInspect === true && { inspect: true }),
  };
}

type Shown = Omit<DescribedDomain, 'hash'>;

/** Most changes only change the registry's hash in the document: the document, with a mark in place of the hash, which is itself a hash, so that no text of a schema equals it. */
const documents = new WeakMap<Shown, { readonly server: string; readonly text: string }>();
const kept = createKept<Shown>();
const mark = sha256('in place of the hash of a schema');
const quoted = (hash: string): string => `"${hash.slice(0, 12)}"`;

/** The OpenAPI document of a schema: the answer of a server with the same settings at `/openapi.json`. */
export function openApiFor(catalog: Catalog, exportText: string, served: DocumentedServer): string {
  const shown = kept(shownOf(catalog));
  const server = JSON.stringify(served);
  const known = documents.get(shown);
  const text = known?.server === server ? known.text : documentOf(shown, served);
  documents.set(shown, { server, text });
  return text.replaceAll(quoted(mark), quoted(sha256(exportText)));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function documentOf(shown: Shown, { version, settings, ...enabled }: DocumentedServer): string {
  return openApiOf({ version, settings }, { ...shown, hash: mark }, routesOf({ settings, ...enabled })).text;
}

function messageOf({ message }: { readonly message?: string }): { readonly message?: string } {
  return message === undefined ? {} : { message };
}

/** The parts of the generated domain that the document shows. */
function shownOf({ blocks }: Catalog): Shown {
  return {
    aggregates: blocks.aggregate.map((block) => ({
      name: block.name,
      ...docsPart(block),
      stateColumns: block.state.columns,
      eventColumns: block.eventColumns,
    })),
    commands: blocks.command.map((block) => ({
      name: block.name,
      ...docsPart(block),
      fields: block.fields,
      ...(block.checks !== undefined && { checks: block.checks }),
      ...(block.allow !== undefined && { allow: messageOf(block.allow) }),
    })),
    events: blocks.event.map((block) => ({ name: block.name, ...docsPart(block), fields: block.fields })),
    decisions: blocks.decision.map(({ name, command, aggregate, branches }) => ({
      name,
      command,
      aggregate,
      branches: branches.map(({ label, emits }) => ({
        ...(label !== undefined && { label }),
        events: emits.map(({ event }) => event),
      })),
    })),
    subscriptions: blocks.subscription.map((block) => ({
      name: block.name,
      ...docsPart(block),
      columns: block.columns,
    })),
    reactions: blocks.reaction.map(({ name }) => ({ name })),
    projections: blocks.projection.map((block) => ({
      name: block.name,
      ...docsPart(block),
      columns: block.query.columns,
      aggregates: block.aggregates,
    })),
  };
}
