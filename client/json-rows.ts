import type { Answer } from './ask.ts';
import { textOf } from './ask.ts';
import { ClientError } from './client-error.ts';
import { exactDigits, exactNumber, reshapeFields, type Columns } from './column-types.ts';

/** The rows of an answer in JSON, all at once. */
export async function* jsonRows(answer: Answer, columns: Columns): AsyncGenerator<readonly Record<string, unknown>[]> {
  const table = parseExact(await textOf(answer.chunks));
  if (!Array.isArray(table)) throw new ClientError('damaged', 'the answer is no list of rows');
  yield table.map(reshapeFields(columns, plainJson));
}

/** Parsed JSON in which no number has become a float: each is marked by `exactNumber`. */
export function parseExact(text: string): unknown {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  const mark = (token: string): string => (token.startsWith('"') ? token : JSON.stringify(exactNumber(token)));
  const marked = text.replace(tokens, mark);
  try {
    return JSON.parse(marked) as unknown;
  } catch (error) {
    throw new ClientError('damaged', 'the answer is not JSON', { cause: error });
  }
}

/** Parsed JSON with its numbers as JavaScript's own. */
export function plainJson(value: unknown): unknown {
  if (typeof value === 'string') {
    const number = exactDigits(value);
    return number === undefined ? value : Number(number);
  }
  if (Array.isArray(value)) return value.map(plainJson);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainJson(member)]));
}
