/**
 * Shapes of STATE for which a fold must give the result of a scan, or use the scan: in memory, loaded again, and
 * scanned, after the same history.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DecisionContext } from '../../language/contract/decision.ts';
import { createHandlers, type Handlers } from '../../runtime/engine/handlers.ts';
import { createHotFolds, type HotFolds } from '../../runtime/engine/hot-folds.ts';
import { evaluate } from '../../runtime/engine/state.ts';
import { Failure } from '../../language/failure/failure.ts';
import { engineOf, sent, tell } from '../kit/engine.ts';

const fields = ['t STRING', 'n INT', 'b BIGINT', 'd DECIMAL(10,2)', 'd4 DECIMAL(12,4)', 'f DOUBLE', 'day DATE'];
const names = fields.map((field) => field.split(' ')[0] ?? '');
const events = 'FROM Reg."Box$Events"';

type Given = Readonly<Record<string, unknown>>;
const puts: readonly Given[] = [
  { id: 'a', t: 'x', n: 2, b: 2, d: '1.50', d4: '1.5000', f: 1e16 },
  { id: 'a', t: 'y', n: 150, b: 3_000_000_000, d: '2.00', d4: '2.0000', f: 1 },
  { id: 'b', t: 'x', n: 1, d: '1.50', d4: '1.5050', f: -1e16 },
  { id: '7', t: '7' },
  { id: 'z', t: 'z', n: 0 },
];
const asks: readonly Given[] = [
  { id: 'a', t: 'x', n: 2, b: 2, d: '1.50', d4: '1.5000', f: 2 },
  { id: 'b', t: '2', n: 150, b: 150, d: '2.00', d4: '2.0000' },
  { id: 'none', t: '7,"s":"forged"', n: 0, b: 3_000_000_000, d: '1.00', d4: '1.5050' },
  { id: '7', t: 'z', n: 7, b: 7, d: '7.00', day: '2026-01-01' },
];

const states: readonly string[] = [
  // Tags, and columns that only stored entries have.
  `SELECT COUNT(*) AS c ${events} WHERE 't:x' = ANY(tags)`,
  `SELECT COUNT(*) FILTER (WHERE 't:x' = ANY(tags)) AS c ${events}`,
  `SELECT LAST(tags) AS c ${events} WHERE stream_id = :id`,
  `SELECT LAST(data) AS c ${events} WHERE stream_id = :id`,
  `SELECT LAST(command_id) AS a, COUNT(correlation_id) AS b, MAX(causation_id) AS c ${events} WHERE stream_id = :id`,
  `SELECT COUNT(*) AS c ${events} WHERE command_id = :t`,
  // Keys compared with values of another type.
  `SELECT COUNT(*) AS c ${events} WHERE data.d = :d4`,
  `SELECT COUNT(*) AS c ${events} WHERE data.d4 = :d`,
  `SELECT COUNT(*) AS c ${events} WHERE data.d = :n`,
  `SELECT COUNT(*) AS c ${events} WHERE data.n = :d`,
  `SELECT COUNT(*) AS c ${events} WHERE data.n = :b`,
  `SELECT COUNT(*) AS c ${events} WHERE data.b = :n`,
  `SELECT COUNT(*) AS c ${events} WHERE data.n = :f`,
  `SELECT COUNT(*) AS c ${events} WHERE ROUND(data.d, 1) = :d`,
  `SELECT d, c FROM Reg.ByD WHERE d = :d4`,
  `SELECT d, c FROM Reg.ByD WHERE d = 1.500`,
  `SELECT d, c FROM Reg.ByD WHERE d = :n`,
  `SELECT a.n, b.c FROM Reg.ByN a JOIN Reg.ByD b ON b.d = a.c WHERE a.n = :n`,
  // The requested id of an empty stream, in the type of its column.
  `SELECT num_id, n FROM Reg."Num$Agg" WHERE aggregate_id = :t`,
  `SELECT aggregate_id, num_id FROM Reg."Num$Agg" WHERE num_id = :n`,
  `SELECT num_id, n FROM Reg."Num$Agg" WHERE num_id = :d`,
  `SELECT num_id, n FROM Reg."Num$Agg" WHERE num_id = :b`,
  `SELECT num_id, aggregate_id, n FROM Reg."Num$Agg" WHERE aggregate_id = :id`,
  `SELECT num_id, n FROM Reg."Num$Agg" WHERE aggregate_id = CAST(CURRENT_DATE AS STRING)`,
  `SELECT x.now, p.c FROM (SELECT CAST(YEAR(CURRENT_TIMESTAMP) AS STRING) AS now) x LEFT JOIN Reg.ByT p ON p.t = x.now`,
  // Values that fail only when they are read.
  `SELECT COUNT(*) AS c ${events} WHERE data.t = :t AND 10 / data.n > 1`,
  `SELECT COUNT(*) AS c ${events} WHERE 10 / data.n = :n`,
  `SELECT CASE WHEN :n <> 0 THEN (SELECT c FROM Reg.ByN WHERE n = 10 / :n) END AS x`,
  `SELECT CASE WHEN :t IN ('1', '2') THEN (SELECT c FROM Reg.ByN WHERE n = CAST(:t AS INT)) END AS x`,
  `SELECT COALESCE((SELECT c FROM Reg.ByT WHERE t = :t), (SELECT c FROM Reg.ByN WHERE n = CAST(:t AS INT))) AS x`,
  `SELECT c FROM Reg.ByN WHERE :t = '2' AND n = CAST(:t AS INT)`,
  `SELECT EXISTS (SELECT 1 FROM Reg.ByT a JOIN Reg.ByN b ON b.n = CAST(10 / a.c AS INT) WHERE a.t = :t) AS x`,
  // Sums that cancel.
  `SELECT SUM(data.f) AS s, AVG(data.f) AS a ${events}`,
];

const schema = `CREATE AGGREGATE Box;
CREATE AGGREGATE Num (num_id INT KEY, n INT DEFAULT 5);
CREATE EVENT Put (${fields.join(', ').replace('t STRING', 't STRING TAG')});
CREATE COMMAND DoPut (id STRING, ${fields.map((field) => `${field} NULL`).join(', ')});
CREATE DECISION Putting FOR Box ON COMMAND DoPut EMIT AS SELECT EVENT Put (${names.map((name) => `${name} := :${name}`).join(', ')});
CREATE EVENT Counted (n INT);
CREATE COMMAND Count (id INT);
CREATE DECISION Counting FOR Num ON COMMAND Count EMIT AS SELECT EVENT Counted (n := 1);
CREATE PROJECTION ByD AS SELECT data.d AS d, COUNT(*) AS c ${events} GROUP BY data.d;
CREATE PROJECTION ByN AS SELECT data.n AS n, COUNT(*) AS c ${events} GROUP BY data.n;
CREATE PROJECTION ByT AS SELECT data.t AS t, COUNT(*) AS c ${events} GROUP BY data.t;
CREATE EVENT Asked ();
${states
  .map(
    (state, index) => `CREATE COMMAND Ask${index} (id STRING, ${fields.map((field) => `${field} NULL`).join(', ')});
CREATE DECISION Asking${index} FOR Box ON COMMAND Ask${index} STATE AS ${state} EMIT AS SELECT EVENT Asked ();`,
  )
  .join('\n')}`;

const engine = await engineOf(schema);
const domain = engine.domain();
const planned = createHandlers(domain);
const scanning = createHandlers({
  ...domain,
  decisions: domain.decisions.map((decision) => {
    if (decision.state === undefined) return decision;
    const { folds: _folds, compose: _compose, ...state } = decision.state;
    return { ...decision, state };
  }),
});
const hot = createHotFolds(domain, new Uint8Array(4));
test.after(() => engine.close());

async function answer(handlers: Handlers, folds: HotFolds, index: number, given: Given): Promise<string> {
  const handler = handlers.of(`Ask${index}`);
  const command = handler.command.decode(sent(given));
  const context: DecisionContext = { now: 1n, random: () => 0, uuid: () => '' };
  try {
    const { row } = await engine.store.turns.exclusively((turn) =>
      evaluate({ turn, folds }, handler, command, context),
    );
    return JSON.stringify(row, (_, value: unknown) =>
      typeof value === 'bigint' ? `${value}n` : value instanceof Map ? [...(value as Map<string, unknown>)] : value,
    );
  } catch (error) {
    if (error instanceof Failure) return `${error.code} ${error.message}`;
    throw error;
  }
}

async function compareAll(): Promise<void> {
  for (const [index, state] of states.entries())
    for (const given of asks) {
      const scanned = await answer(scanning, hot, index, given);
      const cold = await answer(planned, createHotFolds(domain, new Uint8Array(4)), index, given);
      const warm = await answer(planned, hot, index, given);
      assert.equal({ state, given, cold, warm }, { state, given, cold: scanned, warm: scanned });
    }
}

test('states on an empty store', compareAll);

for (const given of puts)
  test(`states after ${JSON.stringify(given)}`, async () => {
    const from = engine.store.turns.position().entry + 1;
    assert.is(await tell(engine, 'DoPut', given), 'emitted');
    assert.is(await tell(engine, 'Count', { id: 7 }), 'emitted');
    for await (const entry of engine.store.log.read(from))
      if (entry.kind === 'command') hot.evolve(entry.events, BigInt(entry.at));
    await compareAll();
  });

test('a state selected by its KEY field is a fold, for every type of field', async () => {
  const keyed = await engineOf(
    ['INT', 'BIGINT', 'UUID', 'STRING', 'VARCHAR(3)']
      .map((type) => [type, type.replace('(3)', '')] as const)
      .map(
        ([
          type,
          name,
        ]) => `CREATE AGGREGATE A${name} (k ${type} KEY, n INT AS SUM(data.n)); CREATE EVENT E${name} (n INT);
CREATE COMMAND C${name} (id ${type});
CREATE DECISION D${name} FOR A${name} ON COMMAND C${name} STATE AS SELECT k, n FROM Reg."A${name}$Agg" WHERE k = :id
EMIT AS SELECT EVENT E${name} (n := COALESCE(n, 0) + 1) WHERE n IS NULL OR n < 3;`,
      )
      .join('\n'),
  );
  const { decisions } = keyed.domain();
  assert.ok(decisions.every(({ state }) => state?.folds !== undefined));
  for (const [command, id] of [
    ['CINT', -7],
    ['CBIGINT', '9007199254740993'],
    ['CUUID', '123e4567-e89b-12d3-a456-426614174000'],
    ['CSTRING', '07'],
    ['CVARCHAR', 'abc'],
  ] as const) {
    const told = [];
    for (let at = 0; at < 3; at++) told.push(await tell(keyed, command, { id }));
    assert.equal([command, ...told], [command, 'emitted', 'emitted', 'rejected']);
  }
  await keyed.close();
});

test('a value of another type never reaches an event', async () => {
  const forging = await engineOf(`CREATE AGGREGATE Num (num_id INT KEY, n INT DEFAULT 5);
CREATE EVENT Got (n INT, m INT, s STRING);
CREATE COMMAND Ask (id INT, t STRING);
CREATE DECISION D FOR Num ON COMMAND Ask STATE AS SELECT num_id, n FROM Reg."Num$Agg" WHERE aggregate_id = :t
EMIT AS SELECT EVENT Got (n := n, m := num_id);`);
  for (const t of ['7,"s":"forged"', 'abc', '8']) assert.is(await tell(forging, 'Ask', { id: 1, t }), 'emitted');
  const stored: string[] = [];
  for await (const entry of forging.store.log.read(1))
    if (entry.kind === 'command') stored.push(...entry.events.map(({ data }) => data));
  assert.equal(stored, ['{"n":5}', '{"n":5}', '{"n":5,"m":8}']);
  await forging.close();
});

test('decisions can name the columns of a shared fold differently', async () => {
  const sees = (
    name: string,
    sum: string,
    count: string,
  ): string => `CREATE COMMAND ${name} (id STRING, sum INT, count INT);
CREATE DECISION ${name}D FOR A ON COMMAND ${name}
STATE AS SELECT SUM(data.n) AS ${sum}, COUNT(*) AS ${count} FROM Reg."A$Events" WHERE stream_id = :id AND event_type = 'Put'
EMIT AS SELECT EVENT Seen () WHERE ${sum} = :sum AND ${count} = :count;`;
  const engine = await engineOf(`CREATE AGGREGATE A;
CREATE EVENT Put (n INT);
CREATE EVENT Seen ();
CREATE COMMAND DoPut (id STRING, n INT);
CREATE DECISION P FOR A ON COMMAND DoPut EMIT AS SELECT EVENT Put (n := :n);
${sees('One', 'a', 'b')}
${sees('Two', 'b', 'a')}
${sees('Three', 'total', 'puts')}`);
  for (const [sum, count] of [
    [5, 1],
    [10, 2],
    [15, 3],
  ] as const) {
    assert.is(await tell(engine, 'DoPut', { id: 'x', n: 5 }), 'emitted');
    for (const command of ['One', 'Two', 'Three'])
      assert.is(await tell(engine, command, { id: 'x', sum, count }), 'emitted', `${command} ${sum}`);
  }
  await engine.close();
});

test.run();
