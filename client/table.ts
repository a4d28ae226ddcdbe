import { arrowRows, arrowType } from './arrow-rows.ts';
import { ask, textOf } from './ask.ts';
import { ClientError } from './client-error.ts';
import type { Columns } from './column-types.ts';
import type { Connection } from './connection.ts';
import { jsonRows } from './json-rows.ts';
import type { CallOptions, Condition, Rows, SentValue, SortBy, Tags } from './options.ts';
import { retried } from './retried.ts';

/** The rows of one answer, in batches as they arrive. */
export async function* readTable(
  connection: Connection,
  path: string,
  columns: Columns,
  call: CallOptions,
): AsyncGenerator<readonly Record<string, unknown>[]> {
  const accept = connection.format === 'arrow' ? arrowType : 'application/json';
  const answer = await ask(connection, { method: 'GET', path, accept, headers: {} }, call);
  yield* connection.format === 'arrow' ? arrowRows(answer, columns) : jsonRows(answer, columns);
}

/** Conditions of a read, and its order. */
export interface Restriction {
  readonly where?: Readonly<Record<string, Condition | undefined>> | undefined;
  readonly order?: readonly SortBy<string>[] | undefined;
  readonly tags?: Tags | undefined;
}

/** A path with its parameters; a dot before a column tells it from a parameter of the same name. */
export function withParameters(
  path: string,
  parameters: Readonly<Record<string, number | bigint | string | undefined>>,
  { where = {}, order = [], tags = {} }: Restriction = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  if (order.length > 0) query.set('order', order.map(sortKey).join(','));
  for (const [field, value] of Object.entries(tags)) if (value !== undefined) query.append('tag', `${field}:${value}`);
  for (const [column, condition] of Object.entries(where)) {
    if (condition === undefined) continue;
    if (typeof condition !== 'object') query.set(`.${column}`, String(condition));
    else
      for (const [operator, value] of Object.entries(condition) as readonly [string, Sent][])
        if (value !== undefined) query.set(`.${column}[${operator}]`, operand(value));
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

type Sent = SentValue | readonly SentValue[] | undefined;

/** The values of a list are fields of CSV. */
function operand(value: Exclude<Sent, undefined>): string {
  return typeof value === 'object' ? value.map((item) => inQuotes(String(item))).join(',') : String(value);
}

function sortKey(key: SortBy<string>): string {
  if (typeof key === 'string') return inQuotes(key);
  const direction = key.direction === undefined ? '' : `.${key.direction}`;
  return inQuotes(key.column) + direction + (key.nulls === undefined ? '' : `.nulls${key.nulls}`);
}

function inQuotes(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

/** The number of rows at a path, which has its restriction and no rows to send. */
export async function countRows(connection: Connection, path: string, call: CallOptions): Promise<number> {
  const question = { method: 'GET', path, accept: 'application/json', headers: { prefer: 'count=exact' } } as const;
  return retried(connection, call, async () => {
    const { headers, chunks } = await ask(connection, question, call);
    await textOf(chunks);
    const total = headers.get('schemac-total');
    if (total === null) throw new ClientError('damaged', 'the answer has no Schemac-Total');
    return Number(total);
  });
}

/** `all` is called once, `batches` for each iteration. */
export function rowsOf<Row>(
  all: () => Promise<readonly Row[]>,
  batches: () => AsyncIterable<readonly Row[]>,
  count: () => Promise<number>,
): Rows<Row> {
  let asked: Promise<readonly Row[]> | undefined;
  return {
    then: (resolve, reject) => (asked ??= all()).then(resolve, reject),
    count,
    async *[Symbol.asyncIterator]() {
      for await (const batch of batches()) yield* batch;
    },
  };
}

export async function gather<Row>(batches: AsyncIterable<readonly Row[]>): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for await (const batch of batches) for (const row of batch) rows.push(row);
  return rows;
}
