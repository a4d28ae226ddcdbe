import { unmasked } from '../../runtime/engine/unmasked.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import fc from 'fast-check';
import type { Row } from '../../runtime/store/store.ts';
import { createHandlers } from '../../runtime/engine/handlers.ts';
import { createHotFolds } from '../../runtime/engine/hot-folds.ts';
import { emptyRow, evaluate, field } from '../../runtime/engine/state.ts';
import { createChance } from '../crash/chance.ts';
import { Failure } from '../../language/failure/failure.ts';
import { engineOf, sent, tell } from '../kit/engine.ts';
import { randomState } from './random-state.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 2 ** 31);
console.log(`seed ${seed}`);
const chance = createChance(seed);

/** STATE queries that are folds; `:id` is the stream, `:tag` a payload value. */
const states: readonly string[] = [
  `SELECT COUNT(*) AS n, SUM(data.n) AS s, AVG(data.price) AS a FROM Reg."Box$Events" WHERE stream_id = :id`,
  `SELECT LAST(data.tag) AS l, FIRST(data.tag) AS f, LAST(event_type) AS e, MAX(seq) AS q FROM Reg."Box$Events" WHERE stream_id = :id`,
  `SELECT MIN(data.price) AS lo, MAX(data.price) AS hi, COUNT(data.n) FILTER (WHERE data.n > 2) AS big FROM Reg."Box$Events" WHERE stream_id = :id AND event_type = 'Put'`,
  `SELECT BOOL_AND(data.n > 0) AS every, BOOL_OR(data.tag = 'x') FILTER (WHERE data.n < 3) AS some, EVERY(DISTINCT data.n BETWEEN SYMMETRIC 4 AND -2) AS near FROM Reg."Box$Events" WHERE stream_id = :id`,
  `SELECT COALESCE(SUM(CASE event_type WHEN 'Put' THEN data.n ELSE -data.n END), 0) + 1 AS net FROM Reg."Box$Events" WHERE data.tag = :tag`,
  `SELECT COUNT(*) AS n FROM Reg."Box$Events" WHERE stream_id = :id AND data.tag = :tag`,
  `SELECT b.n AS mine, o.n AS other FROM Reg."Box$Agg" b JOIN Reg."Box$Agg" o ON o.aggregate_id = :tag WHERE b.aggregate_id = :id AND b.n < 100`,
  `SELECT worth, last_tag FROM Reg."Worth" WHERE box = :id`,
  `SELECT (SELECT COUNT(*) FROM Reg."Box$Events" WHERE stream_id = :id) AS a, (SELECT SUM(data.n) FROM Reg."Box$Events" WHERE data.tag = :tag) AS b`,
  ...Array.from({ length: Number(process.env['STATES'] ?? 30) }, () => randomState(chance)),
];

const schema = `
CREATE AGGREGATE Box;
CREATE EVENT Put (n INT, price DECIMAL(8,2), tag STRING);
CREATE EVENT Took (n BIGINT, tag STRING);
CREATE COMMAND DoPut (id STRING, n INT NULL, price DECIMAL(8,2) NULL, tag STRING NULL);
CREATE COMMAND DoTake (id STRING, n INT NULL, tag STRING NULL);
CREATE DECISION Putting FOR Box ON COMMAND DoPut EMIT AS SELECT EVENT Put (n := :n, price := :price, tag := :tag);
CREATE DECISION Taking FOR Box ON COMMAND DoTake EMIT AS SELECT EVENT Took (n := :n, tag := :tag);
CREATE PROJECTION Worth AS SELECT stream_id AS box, SUM(data.n * data.price) AS worth, LAST(data.tag) AS last_tag FROM Reg."Box$Events" WHERE event_type = 'Put' GROUP BY stream_id;
CREATE PROJECTION Busy AS SELECT stream_id AS box, COUNT(*) AS moves, MIN(data.tag) AS tag FROM Reg."Box$Events" GROUP BY stream_id HAVING COUNT(*) > 2;
CREATE EVENT Asked ();
${states
  .map(
    (state, index) => `CREATE COMMAND Ask${index} (id STRING, tag STRING NULL);
CREATE DECISION Asking${index} FOR Box ON COMMAND Ask${index} STATE AS ${state} EMIT AS SELECT EVENT Asked ();`,
  )
  .join('\n')}
`;

const id = fc.constantFrom('a', 'b', 'c');
const tag = fc.constantFrom('a', 'b', 'x', null);
const step = fc.oneof(
  fc.record({
    command: fc.constant('DoPut'),
    given: fc.record({
      id,
      tag,
      n: fc.option(fc.integer({ min: -5, max: 5 })),
      price: fc.option(fc.integer({ min: 0, max: 999 }).map((cents) => (cents / 100).toFixed(2))),
    }),
  }),
  fc.record({
    command: fc.constant('DoTake'),
    given: fc.record({ id, tag, n: fc.option(fc.integer({ min: -5, max: 5 })) }),
  }),
  fc.record({ command: fc.constant('ask'), given: fc.record({ id, tag }) }),
);

test('every state is planned as folds', async () => {
  const engine = await engineOf(schema);
  const scans = engine.domain().decisions.filter(({ state }) => state !== undefined && state.folds === undefined);
  assert.equal(
    scans.map(({ name }) => states[Number(name.slice('Asking'.length))]),
    [],
  );
  await engine.close();
});

test('a fold equals its scan after any history', async () => {
  const engine = await engineOf(schema);
  const handlers = createHandlers(engine.domain());
  const warm = createHotFolds(engine.domain(), new Uint8Array(4));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const { command, given } of steps) {
        if (command !== 'ask') {
          const from = engine.store.turns.position().entry + 1;
          await tell(engine, command, given);
          for await (const entry of engine.store.log.read(from))
            if (entry.kind === 'command') warm.evolve(entry.events, BigInt(entry.at));
          continue;
        }
        for (const index of states.keys()) {
          const { folded, scanned } = await both(index, given);
          assert.equal(folded, scanned, `${states[index]} of ${JSON.stringify(given)}`);
        }
      }
    }),
    { seed, numRuns: Number(process.env['ROUNDS'] ?? 20) },
  );
  await engine.close();

  function both(index: number, given: object): Promise<{ folded: Row; scanned: Row }> {
    const handler = handlers.of(`Ask${index}`);
    const command = handler.command.decode(sent(given));
    const state = handler.decision.state;
    if (state === undefined) throw new Error('no state');
    return engine.store.turns.exclusively(async (turn) => {
      const context = { now: 0n, random: () => 0, uuid: () => '' };
      const { row: folded } = await evaluate({ turn, folds: warm }, handler, command, context);
      const rows = await turn.query(
        state.query,
        state.query.parameters.map(({ name }) => field(command, name)),
      );
      return { folded, scanned: rows[0] ?? emptyRow(state, command, context) };
    });
  }
});

test('a value that does not fit the common type of two events is an error for its readers, in folds and in scans', async () => {
  const ask = (name: string, state: string): string => `CREATE COMMAND ${name} (id STRING);
CREATE DECISION ${name}D FOR A ON COMMAND ${name} STATE AS ${state} EMIT AS SELECT EVENT Asked ();`;
  const engine = await engineOf(`CREATE AGGREGATE A;
CREATE EVENT Asked ();
CREATE EVENT Whole (x BIGINT, y INT);
CREATE EVENT Exact (x DECIMAL(18,4));
CREATE COMMAND DoWhole (id STRING, x BIGINT);
CREATE COMMAND DoExact (id STRING, x DECIMAL(18,4));
CREATE DECISION W FOR A ON COMMAND DoWhole EMIT AS SELECT EVENT Whole (x := :x, y := 1);
CREATE DECISION E FOR A ON COMMAND DoExact EMIT AS SELECT EVENT Exact (x := :x);
CREATE PROJECTION Total AS SELECT stream_id AS id, MAX(data.x) AS top, LAST(data.x) AS x FROM Reg."A$Events" GROUP BY stream_id;
CREATE PROJECTION Others AS SELECT stream_id AS id, SUM(data.y) AS y FROM Reg."A$Events" GROUP BY stream_id;
CREATE PROJECTION Shown AS SELECT seq, data FROM Reg."A$Events";
CREATE PROJECTION Field AS SELECT seq, data.x AS x FROM Reg."A$Events" WHERE seq < 3;
CREATE PROJECTION Fields AS SELECT data.x AS x FROM Reg."A$Events" WHERE data.x > 3;
${ask('AskFold', `SELECT MAX(data.x) AS m FROM Reg."A$Events" WHERE stream_id = :id`)}
${ask('AskAgg', `SELECT x FROM Reg."A$Agg" WHERE aggregate_id = :id`)}
${ask('AskScan', `SELECT x FROM Reg."Fields" ORDER BY x LIMIT 1`)}
${ask('AskOther', `SELECT SUM(data.y) AS y FROM Reg."A$Events" WHERE stream_id = :id`)}`);
  const read = async (projection: string): Promise<unknown> => {
    const found = engine.domain().projections.find(({ name }) => name === projection);
    if (found === undefined) throw new Error(projection);
    try {
      const { rows } = unmasked(await engine.query(found.query, [], {}));
      return rows.map((row) => row.map((value) => (value instanceof Map ? value.get('x') : value)));
    } catch (error) {
      return error instanceof Failure ? error.message : error;
    }
  };
  const told = async (): Promise<readonly string[]> => {
    const answers: string[] = [];
    for (const name of ['AskFold', 'AskAgg', 'AskScan', 'AskOther'])
      answers.push(await tell(engine, name, { id: 'a' }));
    return answers;
  };
  const tooLong = 'a value does not fit DECIMAL(18,4) in x';
  await tell(engine, 'DoWhole', { id: 'a', x: 5 });
  await tell(engine, 'DoExact', { id: 'a', x: 1.5 });
  assert.equal(await told(), ['emitted', 'emitted', 'emitted', 'emitted']);
  assert.is(await tell(engine, 'DoWhole', { id: 'a', x: '9223372036854775807' }), 'emitted');
  assert.equal(await told(), ['R0202', 'R0202', 'R0202', 'emitted']);
  assert.equal(await read('Total'), tooLong);
  assert.equal(await read('Fields'), tooLong);
  assert.equal(await read('Others'), [['a', 2n]]);
  assert.equal(await read('Field'), [
    [1n, 50_000n],
    [2n, 15_000n],
  ]);
  const shown = (await read('Shown')) as readonly (readonly unknown[])[];
  assert.equal(
    shown.map(([, x]) => x).filter((x) => typeof x === 'bigint'),
    [50_000n, 15_000n, 92_233_720_368_547_758_070_000n],
  );
  await engine.close();
});

test.run();
