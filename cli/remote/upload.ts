/** Sends rows as lines to a server and reads the answer meanwhile (docs/http.md#many-commands-in-one-request). */
import { request as requestHttp, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import { writeJsonValue } from '../../language/values/json-write.ts';
import { isList, isObject } from '../../language/values/json.ts';
import type { CommandRow, FieldTypes } from '../execute/rows.ts';
import type { AnswerRow, Target } from '../execute/target.ts';
import { environmentFault, ExitFault, usageFault } from '../exit-fault.ts';
import { aggregateOf, faultOf, Refusal, remoteServer, type RemoteServer } from './server.ts';

export interface Address {
  readonly url: string;
  readonly token: string | undefined;
  readonly command: string;
  /** Else the registry of the server is asked. */
  readonly aggregate: string | undefined;
  /** Milliseconds in which at least one further row is answered, while rows are sent and not answered; 60,000 if absent. */
  readonly longestWait?: number;
}

export async function httpTarget(address: Address): Promise<Target> {
  const server = remoteServer(address.url, { token: address.token });
  const aggregate = address.aggregate ?? (await aggregateFor(server, address.command));
  const types = await typesOf(server, address.command);
  return { types, execute: (rows) => send({ ...address, aggregate }, rows) };
}

async function aggregateFor(server: RemoteServer, command: string): Promise<string> {
  try {
    return await aggregateOf(server, command);
  } catch (error) {
    if (error instanceof Refusal && error.status === 403)
      throw usageFault(
        `the aggregate of '${command}' may not be read here (${error.message}); name it with --aggregate`,
      );
    throw error instanceof Refusal ? faultOf(error) : error;
  }
}

/** Undefined where the caller may not read them: then every cell of a CSV file is sent as a text. */
async function typesOf(server: RemoteServer, command: string): Promise<FieldTypes> {
  try {
    const rows = await server.get(`/api/reg/commands/${encodeURIComponent(command)}/fields`);
    if (!isList(rows)) return undefined;
    return new Map(
      rows.filter(isObject).flatMap((row): [string, string][] => {
        const [name, type] = [row.get('field_name'), row.get('field_type')];
        return typeof name === 'string' && typeof type === 'string' ? [[name.toLowerCase(), type]] : [];
      }),
    );
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function send(
  { url, token, aggregate, command, longestWait = 60_000 }: Address & { readonly aggregate: string },
  rows: AsyncIterable<readonly CommandRow[]>,
): ReturnType<Target['execute']> {
  const path = `/api/aggregates/${encodeURIComponent(aggregate)}/execute/${encodeURIComponent(command)}`;
  const to = new URL(path, url);
  const start = to.protocol === 'https:' ? requestHttps : requestHttp;
  const sent = start(to, {
    method: 'POST',
    headers: {
      Accept: 'application/x-ndjson',
      'Content-Type': 'application/x-ndjson',
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    },
  });
  const state: Progress = { isEnough: false, sent: 0, answered: 0, givenUp: undefined, wake: undefined };
  limitWait(sent, state, longestWait);
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    sent.on('response', resolve);
    sent.on('error', (error) =>
      reject(state.givenUp ?? environmentFault(`${url} cannot be reached: ${error.message}`)),
    );
  });
  answered.catch(() => undefined); // the reader of the answer gets it
  const written = writeAll(sent, rows, state).catch((error: unknown) => {
    if (error instanceof ExitFault) state.givenUp = error;
    sent.destroy();
    throw error;
  });
  written.catch(() => undefined); // the reader of the answer gets this too
  return {
    answers: readAll(answered, written, state),
    enough: () => {
      state.isEnough = true;
      state.wake?.();
    },
  };
}

interface Progress {
  isEnough: boolean;
  /** Rows. */
  sent: number;
  answered: number;
  /** Why the request is given up, so that the answer is cut: the rest of the rows cannot be read, or no row is answered. */
  givenUp: ExitFault | undefined;
  /** Continues the writing. */
  wake: (() => void) | undefined;
}

/** Gives the request up when rows are under way, and none of them is answered in that time. Bytes that are no whole answer do not count. */
function limitWait(sent: ClientRequest, state: Progress, milliseconds: number): void {
  let before: number | undefined;
  const timer = setInterval(() => {
    const isWaiting = state.sent > state.answered || sent.writableEnded;
    if (isWaiting && before === state.answered) {
      state.givenUp = environmentFault(`the server answered no row within ${milliseconds / 1000} s`);
      sent.destroy();
    }
    before = isWaiting ? state.answered : undefined;
  }, milliseconds);
  sent.once('close', () => {
    clearInterval(timer);
    state.wake?.();
  });
}

async function writeAll(
  sent: ClientRequest,
  rows: AsyncIterable<readonly CommandRow[]>,
  state: Progress,
): Promise<void> {
  for await (const piece of rows) {
    for (let from = 0; from < piece.length; from += linesAtOnce) {
      while (state.sent - state.answered > mostUnanswered && !state.isEnough && !sent.destroyed) {
        await new Promise<void>((resolve) => {
          state.wake = resolve;
        });
      }
      if (state.isEnough || sent.destroyed) break;
      const some = piece.slice(from, from + linesAtOnce);
      state.sent += some.length;
      const more = sent.write(some.map(lineOf).join(''));
      if (!more) await drained(sent);
    }
    if (state.isEnough || sent.destroyed) break;
  }
  sent.end();
}

/** Resolves when more can be written, or never will. */
function drained(sent: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      sent.off('drain', done).off('close', done);
      resolve();
    };
    sent.on('drain', done).on('close', done);
  });
}

const linesAtOnce = 16;
/** Rows that are sent and not answered, so that few are sent in vain after an error. The server works on fewer at a time. */
const mostUnanswered = 48;
/** Characters of one line of the answer, or of a refusal. */
const mostOfLine = 64 * 1024 * 1024;

/** Always in the envelope, which every command takes. */
function lineOf({ arguments: given, idempotencyKey, expectedSeq }: CommandRow): string {
  const key = idempotencyKey === undefined ? '' : `,"idempotency_key":${writeJsonValue(idempotencyKey)}`;
  const seq = expectedSeq === undefined ? '' : `,"expected_seq":${writeJsonValue(expectedSeq)}`;
  return `{"params":${writeJsonValue(given)}${key}${seq}}\n`;
}

async function* readAll(
  answered: Promise<IncomingMessage>,
  written: Promise<void>,
  state: Progress,
): AsyncGenerator<readonly AnswerRow[], void, undefined> {
  const failed = written.then(() => new Promise<never>(() => undefined));
  const answer = await Promise.race([answered, failed]);
  answer.setEncoding('utf8');
  let rest = '';
  try {
    for await (const text of answer as AsyncIterable<string>) {
      rest += text;
      if (rest.length > mostOfLine) throw new Error(`a line has more than ${mostOfLine} characters`);
      if (answer.statusCode !== 200) continue;
      const lines = rest.split('\n');
      rest = lines.pop() ?? '';
      const rows = lines.map(answerRow);
      // Further rows are sent once these were looked at: one of them may be the error after which there are none.
      yield rows;
      state.answered = rows.at(-1)?.row ?? state.answered;
      state.wake?.();
    }
  } catch (error) {
    state.isEnough = true;
    state.wake?.();
    if (state.givenUp !== undefined) throw state.givenUp;
    throw environmentFault(`the answer was cut: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (answer.statusCode !== 200) throw faultOf(new Refusal(answer.statusCode ?? 0, refusal(rest, answer.statusCode)));
  await written;
}

/** A line as this project's server writes it. */
function answerRow(text: string): AnswerRow {
  const { line, status, fields, replayed } = JSON.parse(text) as Record<
    'line' | 'status' | 'fields' | 'replayed',
    unknown
  >;
  const row = { row: Number(line), status: status as AnswerRow['status'], replayed: replayed === true };
  if (status !== 'error') return row;
  const { error, code } = JSON.parse(String(fields)) as { readonly error: string; readonly code: string | null };
  return { ...row, message: code === null ? error : `${error} (${code})` };
}

function refusal(body: string, status: number | undefined): string {
  try {
    return (JSON.parse(body) as { readonly error: string }).error;
  } catch {
    return `the server answered with status ${status ?? 0}`;
  }
}
