/**
 * A round: decisions emit random expressions, and each value that a command reports is looked for wherever it can be read. A command is either
 * accepted and its value reads back everywhere, or refused with a failure of the schema and leaves nothing.
 */
import { join } from 'node:path';
import type { ReadEngine } from '../../language/contract/read-model.ts';
import { failures } from '../../language/failure/catalogue.ts';
import { Failure } from '../../language/failure/failure.ts';
import { trustedJson } from '../../language/values/json-value.ts';
import { writeJson, writeJsonValue } from '../../language/values/json-write.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { typeName, type Value } from '../../language/values/type.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { createRandom } from '../functions/samples.ts';
import { startSample } from '../http/sample-server.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import { createRegistryServices } from '../../server/start/registry-services.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';
import {
  argumentName,
  createGenerator,
  fieldTypes,
  listNames,
  type Expression,
  type Generator,
} from './expressions.ts';

export interface Round {
  readonly expressions: number;
  readonly accepted: number;
  /** By code. */
  readonly refused: ReadonlyMap<string, number>;
  /** Expressions that the compiler refused. */
  readonly dropped: number;
  readonly faults: readonly string[];
}

/** The value of an event as its command reported it. */
interface Told {
  readonly by: string;
  readonly field: number;
  readonly value: string;
  readonly json: string;
}

const fields = fieldTypes.map((_, at) => at);
const seeded = ['STRING', 'BIGINT', 'DECIMAL', 'TIMESTAMP'];
const schema = `
CREATE ENUM Kind AS ('plain', 'odd', 'ß');
CREATE AGGREGATE Made;
CREATE COMMAND Try (made STRING, which INT, ${[0, 1].flatMap((which) => fields.map((at) => `${argumentName(at, which === 0 ? 0 : 1)} ${typeName(fieldTypes[at] ?? { kind: 'NULL' })} NULL`)).join(', ')});
${fields.map((at) => `CREATE EVENT Got${at} (v${at} ${typeName(fieldTypes[at] ?? { kind: 'NULL' })});`).join('\n')}
CREATE COMMAND Echo (made STRING);
CREATE DECISION EchoIt FOR Made ON COMMAND Echo
STATE AS SELECT ${fields.map((at) => `v${at}`).join(', ')} FROM Reg."Made$Agg" WHERE aggregate_id = :made
EMIT AS ${fields.map((at) => `SELECT EVENT Got${at} (v${at} := v${at}) WHERE v${at} IS NOT NULL`).join('\nUNION ALL ')};
CREATE PROJECTION Latest AS SELECT stream_id, ${fields.map((at) => `LAST(data.v${at}) AS v${at}`).join(', ')} FROM Reg."Made$Events" GROUP BY stream_id;
CREATE AGGREGATE Seed;
CREATE COMMAND Plant (seed STRING, ${seeded.map((type, at) => `s${at} ${type} NULL`).join(', ')});
CREATE EVENT Planted (${seeded.map((type, at) => `s${at} ${type}`).join(', ')});
CREATE DECISION PlantIt FOR Seed ON COMMAND Plant EMIT AS SELECT EVENT Planted (${seeded.map((_, at) => `s${at} := :s${at}`).join(', ')});
`;
const state = `STATE AS SELECT ${listNames.map((name, at) => `ARRAY_AGG(data.s${at}) AS ${name}`).join(', ')} FROM Reg."Seed$Events"`;

/** Relations with a row for each event or stream; the first column is the stream. */
const relations: Readonly<Record<string, string>> = {
  events: `SELECT stream_id, ${fields.map((at) => `data.v${at} AS v${at}`).join(', ')} FROM Reg."Made$Events"`,
  state: `SELECT aggregate_id, ${fields.map((at) => `v${at}`).join(', ')} FROM Reg."Made$Agg"`,
  projection: `SELECT stream_id, ${fields.map((at) => `v${at}`).join(', ')} FROM Reg.Latest`,
};

export function shown(value: Value): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part));
}

/** Runs statements that must succeed, and gives the rows of the last one. */
async function rowsOf(session: OpenSession, text: string): Promise<readonly (readonly Value[])[]> {
  let rows: readonly (readonly Value[])[] = [];
  for await (const outcome of session.run({ name: 'round', text }, { adoptAtEnd: true })) {
    if (outcome.kind === 'error') throw new Error(outcome.problems.map(({ message }) => message).join('\n'));
    if (outcome.kind === 'select') ({ rows } = outcome.table);
  }
  return rows;
}

/** A decision with a branch for each expression, without those that the compiler refuses. */
async function decide(
  session: OpenSession,
  all: readonly Expression[],
  withState: boolean,
): Promise<readonly Expression[]> {
  const branches = all.map(({ text, type }, at) => {
    const field = fieldTypes.findIndex((each) => JSON.stringify(each) === JSON.stringify(type));
    return `SELECT EVENT Got${field} (v${field} := ${text}) WHERE :which = ${at}`;
  });
  const head = ['CREATE OR REPLACE DECISION TryIt FOR Made ON COMMAND Try', withState ? state : '', 'EMIT AS'];
  const text = `${head.join('\n')}\n${branches.join('\nUNION ALL ')};`;
  const wrong = new Set<number>();
  for await (const outcome of session.run({ name: 'decision', text }, { adoptAtEnd: true })) {
    if (outcome.kind !== 'error') continue;
    for (const { span, message } of outcome.problems) {
      const at = text.slice(0, span.start).split('\n').length - head.length - 1;
      if (all[at] === undefined) throw new Error(message);
      wrong.add(at);
    }
  }
  return wrong.size === 0
    ? all
    : decide(
        session,
        all.filter((_, at) => !wrong.has(at)),
        withState,
      );
}

function argumentsOf({ value }: Generator, stream: string, which: number): JsonObject {
  const members = ([0, 1] as const).flatMap((each) =>
    fieldTypes.map((type, at) => `"${argumentName(at, each)}":${writeJson(value(type), type)}`),
  );
  return trustedJson(`{"made":"${stream}","which":${which},${members.join(',')}}`) as JsonObject;
}

interface Trying {
  readonly session: OpenSession;
  readonly told: Map<string, Told>;
  readonly refused: Map<string, number>;
  readonly faults: string[];
}

/** Executes a command, and keeps the value that it reports. */
async function execute(trying: Trying, command: string, given: JsonObject, stream: string, by: string): Promise<void> {
  const { session, told, refused, faults } = trying;
  const { engine } = session;
  const before = engine.store.turns.position();
  try {
    const { outcome, events } = unmasked(await engine.execute({ command, arguments: given }));
    const [event] = events;
    const [field] = event?.fields ?? [];
    if (outcome === 'emitted' && field !== undefined) {
      const json = writeJsonValue(trustedJson(writeJson(field.value, field.type)));
      const value = { by, field: Number(field.name.slice(1)), value: shown(field.value), json };
      const earlier = told.get(stream);
      if (earlier !== undefined && earlier.value !== value.value)
        faults.push(`${by}: a decision read ${value.value} for ${earlier.value}`);
      told.set(stream, value);
    } else faults.push(`${by} was ${outcome}`);
  } catch (error) {
    const after = engine.store.turns.position();
    if (!(error instanceof Failure) || failures[error.code].kind !== 'schema') faults.push(`${by}: ${String(error)}`);
    else if (after.entry !== before.entry) faults.push(`${by} was refused, and is in the log`);
    else refused.set(error.code, (refused.get(error.code) ?? 0) + 1);
  }
}

/** Compares all that a session reads with the values that commands reported. */
async function compare({ session, told, faults }: Trying, where: string): Promise<void> {
  for (const [name, query] of Object.entries(relations)) {
    const seen = new Set<string>();
    for (const [id, ...values] of await rowsOf(session, `${query};`)) {
      const stream = id as string; // the first column of each relation
      const wanted = told.get(stream);
      seen.add(stream);
      const read = values.map((value, at) => (value === null || at === wanted?.field ? shown(value) : `v${at}`));
      const right = values.map((_, at) => (at === wanted?.field ? wanted.value : 'null'));
      if (wanted === undefined || String(read) !== String(right))
        faults.push(`${where}, ${name}: ${wanted?.by} reads ${String(read)}, not ${wanted?.value}`);
    }
    for (const [stream, { by }] of told) if (!seen.has(stream)) faults.push(`${where}, ${name}: ${by} is missing`);
  }
}

/** Compares the events that HTTP gives. */
async function compareOverHttp({ session: { engine }, told, faults }: Trying): Promise<void> {
  const services = createRegistryServices(engine, { version: '0.0.0', modules: undefined, warn: () => undefined });
  const nothing = () => Promise.resolve();
  const switches = { refusesWrites: undefined, failNext: undefined, failAfter: Infinity };
  const rest = { switches, append: nothing, entries: () => Promise.resolve([]), close: nothing };
  const { server, get } = await startSample({ again: { engine, services, ...rest } });
  try {
    const path = `/api/aggregates/Made/events?follow=true&until=${engine.store.turns.position().event}`;
    const lines = (await (await get(path, { Accept: 'application/x-ndjson' })).text()).split('\n');
    const seen = new Set<string>();
    for (const line of lines.filter((each) => each !== '')) {
      const row = readExactJson(line) as JsonObject;
      const stream = row.get('stream_id');
      if (typeof stream !== 'string') continue;
      seen.add(stream);
      const wanted = told.get(stream);
      const data = row.get('data') as JsonObject;
      const read = writeJsonValue(data.get(`v${wanted?.field}`) ?? null);
      if (read !== wanted?.json) faults.push(`HTTP: ${wanted?.by} reads ${read}, not ${wanted?.json}`);
    }
    for (const [stream, { by }] of told) if (!seen.has(stream)) faults.push(`HTTP: ${by} is missing`);
  } finally {
    await server.stop();
  }
}

const batch = 120;
const rowsOfExpression = 2;

/** Each round has a log of its own, which lives with one read engine and is opened again with the other one. */
export function readBack(seed: number, expressions: number): Promise<Round> {
  return withTempFolder(async (folder) => {
    const random = createRandom(seed);
    const generator = createGenerator(random);
    const engines: readonly ReadEngine[] = seed % 2 === 0 ? ['memory', 'disk'] : ['disk', 'memory'];
    const open = async (directory: string, readEngine?: ReadEngine): Promise<OpenSession> => {
      const store = await openEmbeddedStore({
        directory: join(folder, directory),
        readModel: 'inline',
        fsync: false,
        ...(readEngine === undefined ? {} : { readEngine }),
      });
      return openSession({ store, version: '0.0.0' });
    };
    const faults: string[] = [];
    const told = new Map<string, Told>();
    const refused = new Map<string, number>();
    let made = 0;
    let dropped = 0;
    const live: Trying = { session: await open('data', engines[0]), told, refused, faults };
    try {
      await rowsOf(live.session, schema);
      for (let at = 0; at < 3; at += 1) {
        const values = listNames.map((_, place) =>
          generator.value(fieldTypes[[8, 1, 5, 12][place] ?? 0] ?? { kind: 'NULL' }),
        );
        const members = values.map(
          (value, place) =>
            `"s${place}":${writeJson(value, fieldTypes[[8, 1, 5, 12][place] ?? 0] ?? { kind: 'NULL' })}`,
        );
        const given = trustedJson(`{"seed":"s",${members.join(',')}}`) as JsonObject;
        await live.session.engine.execute({ command: 'Plant', arguments: given });
      }
      while (made < expressions) {
        const withState = (made / batch) % 2 === 0;
        const some = Array.from({ length: Math.min(batch, expressions - made) }, (_, at) =>
          asField(generator, generator.expression(made + at, withState)),
        );
        const taken = await decide(live.session, some, withState);
        dropped += some.length - taken.length;
        for (const [which, { text }] of taken.entries())
          for (let row = 0; row < rowsOfExpression; row += 1) {
            const stream = `m${made + which}-${row}`;
            const given = argumentsOf(generator, stream, which);
            await execute(live, 'Try', given, stream, `seed ${seed}, ${text} [${stream}]`);
          }
        made += some.length;
      }
      await compare(live, `live, ${engines[0]}`);
      for (const [stream, { by, value }] of [...told])
        if (value !== 'null' && random() < 0.3)
          await execute(live, 'Echo', trustedJson(`{"made":"${stream}"}`) as JsonObject, stream, `echo of ${by}`);
      await compare(live, `after echoes, ${engines[0]}`);
      await compareOverHttp(live);
    } finally {
      await live.session.close();
    }
    const again = async (directory: string, where: string, engine?: ReadEngine): Promise<void> => {
      const session = await open(directory, engine);
      try {
        await compare({ ...live, session }, where);
      } finally {
        await session.close();
      }
    };
    await again('data', `restarted, ${engines[1]}`, engines[1]);
    for (const words of [
      ['verify', '--data', 'data'],
      ['export', 'exported', '--data', 'data'],
      ['import', 'exported', '--data', 'imported'],
      ['verify', '--data', 'imported'],
    ]) {
      const { status, stdout, stderr } = await runToolHere(['log', ...words], { cwd: folder });
      if (status !== 0) faults.push(`log ${words[0]} ended with ${status}: ${stdout}${stderr}`);
    }
    if (faults.length === 0) await again('imported', 'imported');
    return { expressions: made, accepted: told.size, refused, dropped, faults };
  });
}

/** The expression in a type that a field has. */
function asField({ pick }: Generator, { text, type }: Expression): Expression {
  const same = fieldTypes.find((each) => JSON.stringify(each) === JSON.stringify(type));
  const string = fieldTypes[8] ?? type;
  if (same !== undefined) return { text, type: same };
  switch (type.kind) {
    case 'DECIMAL':
      return { text, type: pick(fieldTypes.filter(({ kind }) => kind === 'DECIMAL')) };
    case 'STRING':
      return { text, type: string };
    default:
      return { text: `CAST(${text} AS STRING)`, type: string };
  }
}
