/** Programs of others that look at an OpenAPI document. They are loaded only here: each takes a second. */
import { createRequire } from 'node:module';
import * as assert from 'uvu/assert';

interface Redocly {
  readonly createConfig: (config: object) => Promise<object>;
  readonly lintFromString: (given: object) => Promise<readonly { readonly ruleId: string; readonly message: string }[]>;
}
interface SpectralFinding {
  readonly code: string;
  readonly message: string;
  readonly path: readonly string[];
}
interface Spectral {
  readonly Spectral: new () => {
    readonly setRuleset: (ruleset: object) => void;
    readonly run: (text: string) => Promise<readonly SpectralFinding[]>;
  };
}
interface Rulesets {
  readonly oas: object;
}
interface OpenApiTypeScript {
  readonly default: (document: object) => Promise<unknown>;
  readonly astToString: (nodes: unknown) => string;
}
type Validate = ((data: unknown) => boolean) & { errors?: readonly object[] | null };
interface Ajv {
  readonly addSchema: (schema: object, id: string) => void;
  readonly compile: (schema: object) => Validate;
  readonly removeKeyword: (name: string) => void;
  readonly addKeyword: (definition: object) => void;
}
interface Ajv2020 {
  readonly Ajv2020: new (options: object) => Ajv;
}
interface Formats {
  readonly default: (ajv: Ajv) => void;
}

const load = async <T>(name: string): Promise<T> => (await import(name)) as T;
const require = createRequire(import.meta.url);
const loadCommonJs = <T>(name: string): T => require(name) as T;

/** The findings of Redocly's `recommended` rules. */
export async function redoclyFindings(text: string): Promise<readonly string[]> {
  const { createConfig, lintFromString } = await load<Redocly>('@redocly/openapi-core');
  const config = await createConfig({ extends: ['recommended'] });
  const found = await lintFromString({ source: text, absoluteRef: '/openapi.json', config });
  return found.map(({ ruleId, message }) => `${ruleId}: ${message}`);
}

/** The findings of Spectral's `spectral:oas`. */
export async function spectralFindings(text: string): Promise<readonly string[]> {
  const { Spectral } = loadCommonJs<Spectral>('@stoplight/spectral-core');
  const { oas } = loadCommonJs<Rulesets>('@stoplight/spectral-rulesets');
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas, 'recommended']] });
  const found = await spectral.run(text);
  return found.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`);
}

/** The types that openapi-typescript makes of a document. */
export async function generatedTypes(document: object): Promise<string> {
  const { default: generate, astToString } = await load<OpenApiTypeScript>('openapi-typescript');
  return astToString(await generate(document));
}

/** Checks a value against a schema of the document, and the JSON texts in it against what the schema says of them. */
export type CheckValue = (schema: object, value: unknown, what: string) => void;

export function createCheck(document: object): CheckValue {
  const { Ajv2020 } = loadCommonJs<Ajv2020>('ajv/dist/2020.js');
  const formats = loadCommonJs<Formats>('ajv-formats');
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const known = new Map<string, Validate>();
  // A reference leads to the document from wherever the schema is compiled.
  const absolute = (schema: object): string => JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const validator = (schema: object): Validate => {
    const key = absolute(schema);
    const found = known.get(key) ?? ajv.compile(JSON.parse(key) as object);
    known.set(key, found);
    return found;
  };
  ajv.removeKeyword('contentSchema');
  ajv.addKeyword({
    keyword: 'contentSchema',
    type: 'string',
    validate: (schema: object, text: string) => validator(schema)(JSON.parse(text)),
  });
  ajv.addSchema(JSON.parse(absolute(document)) as object, 'document');
  return (schema, value, what) => {
    const validate = validator(schema);
    assert.ok(validate(value), `${what}: ${JSON.stringify(validate.errors)} of ${JSON.stringify(value)}`);
  };
}
