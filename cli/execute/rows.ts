/** Takes a file or stdin with a command a row, as lines of JSON or as CSV with a header; gives the rows as they are read, in the memory of a piece. */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import { isObject } from '../../language/values/json.ts';
import { environmentFault, inputFault } from '../exit-fault.ts';
import { csvRecords } from './csv-records.ts';

/** A command with its place in the file. */
export interface CommandRow {
  /** The line of the file on which it begins, from 1. */
  readonly line: number;
  readonly arguments: JsonObject;
  /** Facts that the row has in addition to its arguments, in the envelope of HTTP. */
  readonly idempotencyKey?: JsonValue;
  readonly expectedSeq?: JsonValue;
}

/** A row that is no command. */
export interface UnreadableRow {
  readonly line: number;
  readonly problem: string;
}

/** Types of a command's fields by lower-cased name, as the registry prints them. Undefined where they may not be read. */
export type FieldTypes = ReadonlyMap<string, string> | undefined;

/** Rows in pieces, as they are read. Throws a fault where nothing further can be read. */
export async function* readRows(
  source: Readable,
  form: 'ndjson' | 'csv',
  types: FieldTypes,
): AsyncGenerator<readonly (CommandRow | UnreadableRow)[], void, undefined> {
  if (form === 'csv') {
    let header: readonly string[] | undefined;
    for await (const records of csvRecords(texts(source))) {
      const rows: (CommandRow | UnreadableRow)[] = [];
      for (const { line, cells } of records) {
        if (header === undefined) header = checkedHeader(cells.map(({ text }) => text));
        else if (cells.length === header.length) rows.push({ line, arguments: argumentsOf(header, cells, types) });
        else rows.push({ line, problem: `it has ${cells.length} cells, and the header ${header.length}` });
      }
      yield rows;
    }
    return;
  }
  let line = 0;
  for await (const lines of textLines(chunks(source))) {
    const rows: (CommandRow | UnreadableRow)[] = [];
    for (const text of lines) {
      line += 1;
      if (text === undefined) rows.push({ line, problem: 'it is not UTF-8 text' });
      else if (text.trim() !== '') rows.push(rowOf(line === 1 ? text.replace(/^\ufeff/, '') : text, line));
    }
    yield rows;
  }
}

/** The bytes of a file, or of stdin for `-`. */
export function openSource(cwd: string, file: string, input: Readable): Readable {
  return file === '-' ? input : createReadStream(resolve(cwd, file), { highWaterMark: 256 * 1024 });
}

/** A short hash of a file's content: keys made with it mean the same rows whenever they are sent. */
export async function fingerprintOf(cwd: string, file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(resolve(cwd, file))) hash.update(chunk as Buffer);
  return hash.digest('hex').slice(0, 24);
}

const mostLine = 16 * 1024 * 1024;

/** The bytes of a source; a failure to read them is a fault. */
async function* chunks(source: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) yield chunk;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw (code === 'ENOENT' || code === 'EISDIR' ? inputFault : environmentFault)(
      `the rows cannot be read: ${message}`,
    );
  }
}

async function* texts(source: Readable): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (bytes?: Uint8Array): string => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw inputFault('the rows are not UTF-8 text');
    }
  };
  for await (const chunk of chunks(source)) yield decoded(chunk);
  yield decoded();
}

/**
 * The lines of a source in pieces; undefined for one that is not UTF-8 text. Only a line feed ends a line: a text may hold the other separators of
 * Unicode.
 */
async function* textLines(
  source: AsyncIterable<Buffer>,
): AsyncGenerator<readonly (string | undefined)[], void, undefined> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  for await (const chunk of source) {
    const end = chunk.lastIndexOf(lineFeed);
    if (end >= 0) {
      yield linesOf(Buffer.concat([...rest, chunk.subarray(0, end)]));
      rest = [];
      restBytes = 0;
    }
    const begun = chunk.subarray(end + 1);
    rest.push(begun);
    restBytes += begun.length;
    if (restBytes > mostLine) throw inputFault('a line of the rows is larger than 16 MiB');
  }
  if (restBytes > 0) yield linesOf(Buffer.concat(rest));
}

const lineFeed = 10;

function linesOf(bytes: Buffer): readonly (string | undefined)[] {
  if (isUtf8(bytes)) return bytes.toString().split('\n');
  // Bytes as Latin-1 are cut where they would be themselves.
  return bytes
    .toString('latin1')
    .split('\n')
    .map((line) => Buffer.from(line, 'latin1'))
    .map((line) => (isUtf8(line) ? line.toString() : undefined));
}

/** The arguments, or the envelope of HTTP around them (docs/http.md#many-commands-in-one-request). */
function rowOf(text: string, line: number): CommandRow | UnreadableRow {
  let value: JsonValue;
  try {
    value = readExactJson(text);
  } catch (error) {
    return { line, problem: `it is ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isObject(value)) return { line, problem: 'it is not a JSON object' };
  const params = value.get('params');
  if (!isObject(params) || ![...value.keys()].every((key) => envelopeKeys.includes(key)))
    return { line, arguments: value };
  const [key, seq] = [value.get('idempotency_key'), value.get('expected_seq')];
  return {
    line,
    arguments: params,
    ...(key !== undefined && { idempotencyKey: key }),
    ...(seq !== undefined && { expectedSeq: seq }),
  };
}

const envelopeKeys: readonly string[] = ['params', 'idempotency_key', 'expected_seq'];

function checkedHeader(names: readonly string[]): readonly string[] {
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw inputFault(`the header names the column '${twice}' twice`);
  return names;
}

function argumentsOf(
  header: readonly string[],
  cells: readonly { readonly text: string; readonly quoted: boolean }[],
  types: FieldTypes,
): JsonObject {
  return new Map(
    header.map((name, at): [string, JsonValue] => {
      const { text = '', quoted = false } = cells[at] ?? {};
      return [name, text === '' && !quoted ? null : valueOf(text, types?.get(name.toLowerCase()) ?? '')];
    }),
  );
}

/** A cell as JSON of the field's type; the server checks it. */
function valueOf(text: string, type: string): JsonValue {
  if (/^(INT|BIGINT|DECIMAL|DOUBLE)/.test(type) && /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text))
    return new ExactNumber(text);
  if (type === 'BOOLEAN' && /^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  if (/^(JSON|LIST|STRUCT)|\[\]$/.test(type)) {
    try {
      return readExactJson(text);
    } catch {
      return text;
    }
  }
  return text;
}
