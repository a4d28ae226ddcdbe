import type { FunctionPart, InterfacePart, Part, TypePart } from './module.ts';

/**
 * The part of a generated client that is the same for every schema: how it asks, retries, and reads exact numbers. It is generated
 * with the rest, so that a client is one file that needs nothing but `fetch`.
 */
export function transportTypes(): readonly Part[] {
  return [clientOptions, commandOptions, readOptions, emittedEvent, commandResult];
}

/** Only what the client calls. */
export function transportFunctions(asked: { readonly commands: boolean; readonly tables: boolean }): readonly Part[] {
  if (!asked.commands && !asked.tables) return [];
  const callers = [...(asked.commands ? [execute] : []), ...(asked.tables ? [rows] : [])];
  return [request, ...callers, readRow, readValue, parseExact];
}

const clientOptions: InterfacePart = {
  kind: 'interface',
  exported: true,
  name: 'ClientOptions',
  members: [
    { key: 'baseUrl', type: 'string', documentation: ['Where the server is: `http://127.0.0.1:8080`.'] },
    { key: 'token', type: 'string', optional: true, documentation: ['Sent as a bearer token.'] },
    { key: 'fetch', type: 'typeof fetch', optional: true, documentation: ["Instead of the platform's own."] },
    {
      key: 'attempts',
      type: 'number',
      optional: true,
      documentation: [
        'How often a request is sent at most while there is no answer or the server is busy; 4 if not given.',
      ],
    },
  ],
};

const commandOptions: InterfacePart = {
  kind: 'interface',
  exported: true,
  name: 'CommandOptions',
  members: [
    {
      key: 'idempotencyKey',
      type: 'string',
      optional: true,
      documentation: [
        'The same key on the same stream has one effect; made where none is given, and kept by every retry.',
      ],
    },
    {
      key: 'expectedSeq',
      type: 'number',
      optional: true,
      documentation: ['Refuses unless the stream stands at this seq.'],
    },
    { key: 'correlationId', type: 'string', optional: true },
    { key: 'causationId', type: 'string', optional: true },
  ],
};

const readOptions: InterfacePart = {
  kind: 'interface',
  exported: true,
  name: 'ReadOptions',
  members: [
    { key: 'limit', type: 'number', optional: true },
    { key: 'offset', type: 'number', optional: true },
    {
      key: 'after',
      type: 'number',
      optional: true,
      documentation: ['Events only: those behind this global position.'],
    },
    {
      key: 'where',
      type: 'Readonly<Record<string, string | number | bigint | boolean>>',
      optional: true,
      documentation: ['Columns and the values that they must have.'],
    },
  ],
};

const emittedEvent: InterfacePart = {
  kind: 'interface',
  exported: true,
  name: 'EmittedEvent',
  members: [
    { key: 'event_type', type: 'string' },
    { key: 'stream_id', type: 'string' },
    { key: 'seq', type: 'bigint' },
    { key: 'fields', type: 'Readonly<Record<string, unknown>>' },
  ],
};

const commandResult: TypePart = {
  kind: 'type',
  exported: true,
  name: 'CommandResult',
  type:
    "\n  | { readonly outcome: 'emitted'; readonly replayed: boolean; readonly events: readonly EmittedEvent[] }\n" +
    "  | { readonly outcome: 'rejected'; readonly replayed: boolean; readonly rejection: Readonly<Record<string, unknown>> }",
};

const request: FunctionPart = {
  kind: 'function',
  exported: false,
  asynchronous: true,
  name: 'request',
  documentation: ['One answer: sent again, with the same headers, while there is none or the server is busy.'],
  parameters: [
    { name: 'options', type: 'ClientOptions' },
    { name: 'path', type: 'string' },
    { name: 'init', type: '{ method: string; headers: Record<string, string>; body?: string }' },
  ],
  returns: 'Promise<Response>',
  body: [
    {
      kind: 'text',
      text: `const send = options.fetch ?? fetch;
const attempts = options.attempts ?? 4;
const headers = { accept: 'application/json', ...init.headers };
if (options.token !== undefined) Object.assign(headers, { authorization: \`Bearer \${options.token}\` });
for (let attempt = 1; ; attempt++) {
  let wait = 100 * 2 ** attempt;
  try {
    const answer = await send(options.baseUrl.replace(/\\/+$/, '') + path, { ...init, headers });
    if (answer.status !== 503 || attempt >= attempts) return answer;
    wait = Number(answer.headers.get('retry-after') ?? 0) * 1000 || wait;
  } catch (error) {
    if (attempt >= attempts) throw error;
  }
  await new Promise((resolve) => setTimeout(resolve, wait));
}`,
    },
  ],
};

const execute: FunctionPart = {
  kind: 'function',
  exported: false,
  asynchronous: true,
  name: 'execute',
  parameters: [
    { name: 'options', type: 'ClientOptions' },
    { name: 'path', type: 'string' },
    { name: 'command', type: 'object' },
    { name: 'given', type: 'CommandOptions' },
  ],
  returns: 'Promise<CommandResult>',
  body: [
    { kind: 'local', name: 'headers', type: 'Record<string, string>', value: "{ 'content-type': 'application/json' }" },
    {
      kind: 'text',
      text: `headers['idempotency-key'] = given.idempotencyKey ?? crypto.randomUUID();
if (given.expectedSeq !== undefined) headers['if-match'] = \`"\${given.expectedSeq}"\`;
if (given.correlationId !== undefined) headers['x-correlation-id'] = given.correlationId;
if (given.causationId !== undefined) headers['x-causation-id'] = given.causationId;
const body = JSON.stringify(command, (_key, value) => (typeof value === 'bigint' ? String(value) : value));
const answer = await request(options, path, { method: 'POST', headers, body });
const table = parseExact(await answer.text());
if (!answer.ok) throw Object.assign(new Error(String(table.error)), { status: answer.status });
const replayed = answer.headers.get('idempotent-replayed') === 'true';
const events = [];
for (const row of table) {
  const fields = readValue(parseExact(row.fields), 'json');
  if (row.status === 'rejected') return { outcome: 'rejected', replayed, rejection: fields };
  events.push({ ...readRow(row, { event_type: 'text', stream_id: 'text', seq: 'bigint' }), fields });
}
return { outcome: 'emitted', replayed, events };`,
    },
  ],
};

const rows: FunctionPart = {
  kind: 'function',
  exported: false,
  asynchronous: true,
  name: 'rows',
  typeParameters: '<T>',
  parameters: [
    { name: 'options', type: 'ClientOptions' },
    { name: 'path', type: 'string' },
    { name: 'kinds', type: 'Readonly<Record<string, string>>' },
    { name: 'given', type: 'ReadOptions' },
  ],
  returns: 'Promise<readonly T[]>',
  body: [
    {
      kind: 'text',
      text: `const query = new URLSearchParams();
if (given.limit !== undefined) query.set('limit', String(given.limit));
if (given.offset !== undefined) query.set('offset', String(given.offset));
if (given.after !== undefined) query.set('after', String(given.after));
for (const [column, value] of Object.entries(given.where ?? {})) {
  query.set(/^(limit|offset|after)$/.test(column) ? \`.\${column}\` : column, String(value));
}
const search = query.size > 0 ? \`?\${query}\` : '';
const answer = await request(options, path + search, { method: 'GET', headers: {} });
const table = parseExact(await answer.text());
if (!answer.ok) throw Object.assign(new Error(String(table.error)), { status: answer.status });
const read = [];
for (const row of table) read.push(readRow(row, kinds));
return read;`,
    },
  ],
};

const readRow: FunctionPart = {
  kind: 'function',
  exported: false,
  name: 'readRow',
  parameters: [
    { name: 'row', type: 'object' },
    { name: 'kinds', type: 'Readonly<Record<string, string>>' },
  ],
  returns: 'any',
  body: [
    {
      kind: 'text',
      text: `const entries = Object.entries(row).filter(([column]) => Object.hasOwn(kinds, column));
return Object.fromEntries(entries.map(([column, value]) => [column, readValue(value, kinds[column] ?? 'json')]));`,
    },
  ],
};

const readValue: FunctionPart = {
  kind: 'function',
  exported: false,
  name: 'readValue',
  documentation: ['Numbers by their kind: a DECIMAL as exact text, a BIGINT as a bigint, any other as a number.'],
  parameters: [
    { name: 'value', type: 'unknown' },
    { name: 'kind', type: 'string' },
  ],
  returns: 'any',
  body: [
    {
      kind: 'text',
      text: `if (Array.isArray(value)) {
  const item = kind.endsWith('[]') ? kind.slice(0, -2) : 'json';
  return value.map((element) => readValue(element, item));
}
if (typeof value === 'object' && value !== null) {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, readValue(member, 'json')]));
}
if (typeof value !== 'string') return value;
if (kind === 'bigint') return BigInt(value.replace('\\u0000', ''));
if (!value.startsWith('\\u0000')) return value;
return kind === 'decimal' ? value.slice(1) : Number(value.slice(1));`,
    },
  ],
};

const parseExact: FunctionPart = {
  kind: 'function',
  exported: false,
  name: 'parseExact',
  documentation: ['JSON with every number as its text behind a NUL, which no text of a server holds.'],
  parameters: [{ name: 'text', type: 'string' }],
  returns: 'any',
  body: [
    {
      kind: 'text',
      text: `const marked = text.replace(/"(?:[^"\\\\]|\\\\.)*"|-?\\d+(?:\\.\\d+)?(?:[eE][+-]?\\d+)?/g, (token) =>
  token.startsWith('"') ? token : \`"\\\\u0000\${token}"\`,
);
return JSON.parse(marked);`,
    },
  ],
};
