import { arrowRows, arrowType } from './arrow-rows.ts';
import { ask } from './ask.ts';
import type { Columns } from './column-types.ts';
import type { Connection } from './connection.ts';
import { jsonRows } from './json-rows.ts';
import type { CallOptions, Rows } from './options.ts';

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

/** A path with its parameters; a column with the name of a parameter gets a dot in front. */
export function withParameters(
  path: string,
  parameters: Readonly<Record<string, number | bigint | undefined>>,
  where: Readonly<Record<string, string | number | bigint | boolean>> = {},
): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, String(value));
  for (const [column, value] of Object.entries(where)) {
    query.set(/^(limit|offset|after)$/.test(column) ? `.${column}` : column, String(value));
  }
  const text = query.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** `all` is called once, `batches` for each iteration. */
export function rowsOf<Row>(
  all: () => Promise<readonly Row[]>,
  batches: () => AsyncIterable<readonly Row[]>,
): Rows<Row> {
  let asked: Promise<readonly Row[]> | undefined;
  return {
    then: (resolve, reject) => (asked ??= all()).then(resolve, reject),
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
