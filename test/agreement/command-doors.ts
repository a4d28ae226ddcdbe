/** Ways to send commands. A door is a line: it sends a history in order and gives each answer in one form, so that answers are compared whole. */
import { join } from 'node:path';
import { readExactJson } from '../../language/values/json-parse.ts';
import { isObject } from '../../language/values/json.ts';
import { openRemote } from '../../cli/remote/prompt.ts';
import { trustedJson } from '../../language/values/json-value.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import { operator } from '../../server/operation/caller.ts';
import { shownOutcome } from '../../server/operation/shown.ts';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { RunOptions } from '../../server/session/session.ts';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import type { StatementOutcome } from '../../server/session/outcome.ts';
import { writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { commandSchema, type CommandCase } from './command-cases.ts';

type Sent = Pick<CommandCase, 'command' | 'given'>;
type Plain = string | null | readonly Plain[] | { readonly [name: string]: Plain };

/** Every value as text or NULL. */
export interface Answer {
  readonly outcome: 'emitted' | 'rejected' | 'refused';
  readonly events?: readonly {
    readonly type: Plain;
    readonly stream: Plain;
    readonly seq: Plain;
    readonly fields: Plain;
  }[];
  readonly rejection?: Plain;
  readonly code?: string;
  readonly message?: string;
}

export interface SentTo {
  readonly url: string;
  readonly folder: string;
  readonly client: (format: 'arrow' | 'json') => CommandClient;
}
export interface CommandClient {
  readonly commands: Readonly<Record<string, (given: object) => Promise<object>>>;
}

export interface CommandDoor {
  readonly send: (place: SentTo, history: readonly Sent[]) => Promise<readonly Answer[]>;
  /** Members that its own form does not have, or has by another rule; `slip` is a VOLATILE field. */
  readonly lacks?: readonly ('code' | 'seq' | 'slip')[];
  /** The door with which it agrees, if not with the first. */
  readonly like?: string;
}

export const commandDoors: Readonly<Record<string, CommandDoor>> = {
  'HTTP execute': { send: (place, history) => inTurn(history, (sent) => overHttp(place, sent)), lacks: ['code'] },
  'many in a request': { send: many },
  'POST /api/inspect': { send: inspected, lacks: ['code', 'seq', 'slip'] },
  'client, JSON': {
    send: (place, history) => inTurn(history, (sent) => byClient(place, 'json', sent)),
    lacks: ['code'],
  },
  'client, Arrow': {
    send: (place, history) => inTurn(history, (sent) => byClient(place, 'arrow', sent)),
    lacks: ['code'],
  },
  script: { send: (_, history) => bySession(history, { keepGoing: true }) },
  prompt: { send: (_, history) => bySession(history, { keepGoing: true, adoptAtEnd: true }), like: 'script' },
  'prompt at a url': {
    send: async ({ url }, history) => statements((await openRemote(url, undefined)).run, history, { keepGoing: true }),
    lacks: ['code'],
    like: 'script',
  },
  'execute --url': { send: onUrl, lacks: ['slip'] },
  'execute --data': { send: onData, lacks: ['slip'] },
};

async function inTurn<S extends Sent>(
  history: readonly S[],
  send: (sent: S) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const sent of history) answers.push(await send(sent));
  return answers;
}

export function plain(value: unknown): Plain {
  if (value === null || value === undefined) return null;
  if (value instanceof ExactNumber) return value.text;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object') throw new Error(`an answer has a ${typeof value}`);
  const members =
    value instanceof Map
      ? [...(value as ReadonlyMap<string, unknown>)]
      : Object.entries(value as Readonly<Record<string, unknown>>);
  // Parts of guards are shown where they are asked for.
  return Object.fromEntries(
    members.filter(([name]) => name !== 'terms').map(([name, member]) => [name, plain(member)]),
  );
}

/** A payload has the fields of its own event, or those of all events with NULL for the others. */
export function toldRows(rows: unknown): string {
  return JSON.stringify(rows, (name, value: unknown) =>
    name === 'data' && value !== null && typeof value === 'object'
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, member]) => member !== null)
            .toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : value,
  );
}

function object(value: JsonValue | undefined): ReadonlyMap<string, JsonValue> {
  if (!isObject(value)) throw new Error(`${JSON.stringify(plain(value))} is no object`);
  return value;
}

function words(value: JsonValue | undefined): string {
  if (typeof value !== 'string') throw new Error(`${JSON.stringify(plain(value))} is no text`);
  return value;
}

const parsed = (text: unknown): Plain => plain(readExactJson(String(text)));

/** The rows of an outcome in the form of `execute`. */
function ofRows(rows: readonly JsonValue[]): Answer {
  const all = rows.map(object);
  const [first] = all;
  const status = first?.get('status');
  if (status === 'rejected') return { outcome: 'rejected', rejection: parsed(first?.get('fields')) };
  if (status === 'error') {
    const { code, error } = parsed(first?.get('fields')) as { readonly code: string; readonly error: string };
    return { outcome: 'refused', code, message: error };
  }
  return {
    outcome: 'emitted',
    events: all.map((row) => ({
      type: plain(row.get('event_type')),
      stream: plain(row.get('stream_id')),
      seq: plain(row.get('seq')),
      fields: parsed(row.get('fields')),
    })),
  };
}

const json = { 'Content-Type': 'application/json', Accept: 'application/json' };

async function post(url: string, body: string, headers: Readonly<Record<string, string>>): Promise<string | Answer> {
  const answer = await fetch(url, { method: 'POST', headers, body });
  const text = await answer.text();
  if (answer.ok) return text;
  return { outcome: 'refused', message: words(object(readExactJson(text)).get('error')) };
}

const list = (text: string): readonly JsonValue[] => readExactJson(text) as readonly JsonValue[];
const path = ({ command }: Sent): string => `/api/aggregates/Acc/execute/${command}`;

async function overHttp({ url }: SentTo, sent: Sent, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const answer = await post(url + path(sent), JSON.stringify(sent.given), { ...json, ...headers });
  return typeof answer === 'string' ? ofRows(list(answer)) : answer;
}

/** Commands of one name that follow each other. */
function runs(history: readonly Sent[]): readonly (readonly Sent[])[] {
  const found: Sent[][] = [];
  for (const sent of history) {
    const last = found.at(-1);
    if (last?.[0]?.command === sent.command) last.push(sent);
    else found.push([sent]);
  }
  return found;
}

const linesOf = (history: readonly Sent[]): string => history.map(({ given }) => `${JSON.stringify(given)}\n`).join('');

async function many({ url }: SentTo, history: readonly Sent[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const run of runs(history)) {
    const [first] = run;
    if (first === undefined) continue;
    const type = 'application/x-ndjson';
    const answer = await post(url + path(first), linesOf(run), { 'Content-Type': type, Accept: type });
    if (typeof answer !== 'string') {
      answers.push(...run.map(() => answer));
      continue;
    }
    const rows = answer
      .split('\n')
      .filter((line) => line !== '')
      .map(readExactJson);
    run.forEach((_, at) =>
      answers.push(ofRows(rows.filter((row) => plain(object(row).get('line')) === String(at + 1)))),
    );
  }
  return answers;
}

/** Inspects each command, then executes it. */
function inspected(place: SentTo, history: readonly Sent[]): Promise<readonly Answer[]> {
  return inTurn(history, async (sent) => {
    const asked = { decision: `${sent.command}It`, commands: [sent.given] };
    const answer = await post(`${place.url}/api/inspect`, JSON.stringify(asked), json);
    await overHttp(place, sent);
    if (typeof answer !== 'string')
      return {
        ...answer,
        message: (answer.message ?? '').replace(/^commands\[0\]: /, '').replace(/decision '(\w+)It'$/, "command '$1'"),
      };
    const rows = list(answer).map(object);
    const rejection = rows[0]?.get('rejection');
    if (typeof rejection === 'string') return { outcome: 'rejected', rejection: parsed(rejection) };
    return {
      outcome: 'emitted',
      events: rows.map((row) => {
        const type = plain(row.get('event_type'));
        return {
          type,
          stream: plain(row.get('stream_id')),
          seq: plain(row.get('seq')),
          fields: plain(row.get('data')),
        };
      }),
    };
  });
}

async function byClient({ client }: SentTo, format: 'arrow' | 'json', { command, given }: Sent): Promise<Answer> {
  const send = client(format).commands[command];
  if (send === undefined) return { outcome: 'refused', message: `there is no command '${command}'` };
  try {
    const { outcome, events, rejection } = (await send(given)) as {
      readonly outcome: 'emitted' | 'rejected';
      readonly events?: readonly {
        readonly event_type: string;
        readonly stream_id: string;
        readonly seq: bigint;
        readonly fields: object;
      }[];
      readonly rejection?: object;
    };
    if (events === undefined) return { outcome, rejection: plain(rejection) };
    return {
      outcome,
      events: events.map(({ event_type, stream_id, seq, fields }) => ({
        type: event_type,
        stream: stream_id,
        seq: plain(seq),
        fields: plain(fields),
      })),
    };
  } catch (error) {
    return { outcome: 'refused', message: (error as Error).message };
  }
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value).toUpperCase();
}

async function statements(
  run: (text: { readonly name: string; readonly text: string }, options: RunOptions) => AsyncIterable<StatementOutcome>,
  history: readonly Sent[],
  options: RunOptions,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const { command, given } of history) {
    const values = Object.entries(given).map(([name, value]) => `${name} := ${literal(value)}`);
    const text = `EXECUTE ${command}(${values.join(', ')});`;
    for await (const outcome of run({ name: 'history', text }, options))
      answers.push(ofStatement(outcomeJson(outcome)));
  }
  return answers;
}

function ofStatement(text: string): Answer {
  const said = object(readExactJson(text));
  if (said.get('kind') === 'error')
    return { outcome: 'refused', code: words(said.get('code')), message: words(said.get('message')) };
  if (said.has('rejection')) return { outcome: 'rejected', rejection: plain(said.get('rejection')) };
  return {
    outcome: 'emitted',
    events: (said.get('events') as readonly JsonValue[]).map(object).map((event) => ({
      type: plain(event.get('event_type')),
      stream: plain(event.get('stream_id')),
      seq: plain(event.get('seq')),
      fields: plain(event.get('data')),
    })),
  };
}

async function withSchema<T>(session: OpenSession, work: () => Promise<T>): Promise<T> {
  try {
    for await (const outcome of session.run({ name: 'schema', text: commandSchema }))
      if (outcome.kind === 'error') throw new Error(outcomeJson(outcome));
    return await work();
  } finally {
    await session.close();
  }
}

async function bySession(history: readonly Sent[], options: RunOptions): Promise<readonly Answer[]> {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  return withSchema(session, () => statements(session.run, history, options));
}

/** The lines of a file for the tool, and of a request that asks for their outcomes again by their keys. */
const keyed = (history: readonly Sent[], key: string): string =>
  history.map(({ given }, at) => `${JSON.stringify({ params: given, idempotency_key: `${key}-${at}` })}\n`).join('');

/** Gives the recorded outcomes of commands. */
type Recorded = (history: readonly (Sent & { readonly key: string })[]) => Promise<readonly Answer[]>;

/** The tool says which lines were refused and counts the others, whose outcomes are then read from the record. */
async function byTool(
  folder: string,
  history: readonly Sent[],
  to: readonly string[],
  recorded: Recorded,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const [number, run] of runs(history).entries()) {
    const command = run[0]?.command ?? '';
    const key = `${to[0]}-${number}`;
    writeFiles(folder, { 'rows.ndjson': keyed(run, key) });
    const { stdout, stderr } = await runToolHere(
      ['execute', command, ...to, '--from', 'rows.ndjson', '--continue', '--json'],
      { cwd: folder },
    );
    if (stdout === '') {
      answers.push(
        ...run.map((): Answer => ({ outcome: 'refused', message: stderr.trim().replace(/^schemac: /, '') })),
      );
      continue;
    }
    const refused = run.map((_, at): Answer | undefined => {
      const [, message, code] = new RegExp(`^line ${at + 1}: (.*) \\((\\w+)\\)$`, 'm').exec(stderr) ?? [];
      return message === undefined || code === undefined ? undefined : { outcome: 'refused', code, message };
    });
    const kept = await recorded(run.flatMap((sent, at) => (refused[at] ? [] : [{ ...sent, key: `${key}-${at}` }])));
    const next = kept.values();
    const said = refused.map((answer): Answer => answer ?? next.next().value ?? { outcome: 'refused' });
    const count = (outcome: Answer['outcome']): number => said.filter((answer) => answer.outcome === outcome).length;
    const { rows, emitted, rejected, errors } = JSON.parse(stdout) as Readonly<Record<string, number>>;
    const counted = [rows, emitted, rejected, errors].join(' ');
    if (counted !== [run.length, count('emitted'), count('rejected'), count('refused')].join(' '))
      throw new Error(`${counted}, of ${JSON.stringify(said)}`);
    answers.push(...said);
  }
  return answers;
}

function onUrl(place: SentTo, history: readonly Sent[]): Promise<readonly Answer[]> {
  return byTool(place.folder, history, ['--url', place.url], (executed) =>
    inTurn(executed, async (sent) => overHttp(place, sent, { 'Idempotency-Key': sent.key })),
  );
}

async function onData({ folder }: SentTo, history: readonly Sent[]): Promise<readonly Answer[]> {
  const directory = join(folder, 'kept');
  const open = async (): Promise<OpenSession> =>
    openSession({ store: await openEmbeddedStore({ directory, readModel: 'inline', fsync: false }), version: '0.0.0' });
  await withSchema(await open(), () => Promise.resolve());
  return byTool(folder, history, ['--data', directory], async (executed) => {
    const { engine, close } = await open();
    try {
      return await inTurn(executed, async ({ command, given, key }) => {
        const asked = trustedJson(JSON.stringify(given)) as JsonObject;
        const decided = await engine.execute({ command, arguments: asked, commandId: key });
        const outcome = shownOutcome(decided, { caller: operator });
        const file = { name: 'none', text: '' };
        return ofStatement(outcomeJson({ kind: 'execute', outcome, span: { file, start: 0, end: 0 }, warnings: [] }));
      });
    } finally {
      await close();
    }
  });
}
