/** A server of a schema with a policy of callers, asked for whole tables in every form. */
import { createHash } from 'node:crypto';
import * as arrow from 'apache-arrow';
import { columnReader } from '../../client/arrow-column.ts';
import { startSample } from '../http/sample-server.ts';
import type { Who } from './condition.ts';
import { tokenClaims } from './domain.ts';

/** A cell as the text that all forms share; an object is its JSON. */
export type Cell = string | null;
export type Cells = Readonly<Record<string, Cell>>;

export interface Asker {
  readonly name: string;
  readonly who: Who;
  readonly rights: readonly ('rows:all' | 'sensitive:read')[];
}

/** Sees and does everything. */
export const root: Asker = {
  name: 'root',
  who: { subject: 'root', roles: ['admin'], claims: {} },
  rights: ['rows:all', 'sensitive:read'],
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Buffer;
}

export async function serve(schema: string, askers: readonly Asker[]) {
  const server = await startSample({
    services: true,
    limits: { followersOfCaller: 256 },
    settings: {
      auth: {
        tokens: [root, ...askers.filter(({ who }) => who.subject !== null)].map(({ name, who, rights }) => ({
          sha256: sha256(name),
          subject: who.subject ?? '',
          roles: name === root.name ? ['admin'] : ['reader', ...who.roles, ...rights],
          claims: tokenClaims(who),
        })),
        anonymous: { roles: ['reader'] },
        roles: {
          admin: ['*'],
          reader: ['read:*', 'read:*$Commands', 'query', 'execute:*', 'inspect:*'],
          'rows:all': ['rows:all'],
          'sensitive:read': ['sensitive:read'],
          blue: [],
          clerk: [],
          nurse: [],
        },
      },
    },
  });
  let requests = 0;
  const ask = async (asker: Asker, path: string, init: RequestInit = {}): Promise<Answer> => {
    requests += 1;
    const response = await fetch(server.url + path, {
      ...init,
      headers: {
        Accept: 'application/json',
        ...(asker.who.subject === null ? {} : { Authorization: `Bearer ${asker.name}` }),
        ...(init.body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(init.headers as Readonly<Record<string, string>> | undefined), // no caller of this gives another form
      },
    });
    return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
  };
  const post = (asker: Asker, path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
    ask(asker, path, { method: 'POST', body: JSON.stringify(body), headers });
  const made = await post(root, '/api/lang/create', { lang: schema });
  if (made.status !== 201) throw new Error(`${made.body.toString()}\n${schema}`);
  return { ask, post, url: server.url, stop: server.stop, requests: () => requests };
}
export type Served = Awaited<ReturnType<typeof serve>>;

// ---- forms

export const forms = {
  json: { accept: 'application/json', read: jsonRows },
  csv: { accept: 'text/csv', read: csvRows },
  arrow: { accept: 'application/vnd.apache.arrow.stream', read: arrowRows },
} as const;
export type Form = keyof typeof forms;
export const formNames = ['json', 'csv', 'arrow'] as const satisfies readonly Form[];

/** Numbers as texts, with all their digits. */
function exactJson(text: string): unknown {
  const exact = text.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"${token}"`,
  );
  return JSON.parse(exact) as unknown;
}

function plain(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return /^[[{]/.test(value) ? plain(exactJson(value)) : value;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object') return `${value as bigint | boolean | number}`; // a table has no other
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

function cell(value: unknown): Cell {
  const shown = plain(value);
  return shown === null || typeof shown === 'string' ? shown : JSON.stringify(shown);
}

const cells = (row: object): Cells =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, cell(value)]));

export function jsonRows(body: Buffer): readonly Cells[] {
  return (exactJson(body.toString()) as readonly object[]).map(cells); // a table is a list of objects
}

function csvRows(body: Buffer): readonly Cells[] {
  const lines: Cell[][] = [[]];
  for (const [, quoted, bare, end] of body.toString().matchAll(/(?:"((?:[^"]|"")*)"|([^",\r]*))(,|\r\n)/g)) {
    lines.at(-1)?.push(quoted !== undefined ? quoted.replaceAll('""', '"') : bare === '' ? null : (bare ?? null));
    if (end !== ',') lines.push([]);
  }
  const [names = [], ...rows] = lines.slice(0, -1);
  return rows.map((row) => cells(Object.fromEntries(row.map((value, at) => [String(names[at]), value]))));
}

function arrowRows(body: Buffer): readonly Cells[] {
  return arrow.tableFromIPC(body).batches.flatMap((batch) => {
    const readers = batch.schema.fields.map(({ name }, at) => {
      const data = batch.data.children[at];
      if (data === undefined) throw new Error(`column ${name} has no data`);
      return [name, columnReader(arrow, data)] as const;
    });
    return Array.from({ length: batch.numRows }, (_, at) =>
      cells(Object.fromEntries(readers.map(([name, read]) => [name, read(at)]))),
    );
  });
}
