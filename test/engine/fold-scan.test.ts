import { test } from 'uvu';
import * as assert from 'uvu/assert';
import fc from 'fast-check';
import type { Row } from '../../runtime/store/store.ts';
import { createHandlers } from '../../runtime/engine/handlers.ts';
import { createHotFolds } from '../../runtime/engine/hot-folds.ts';
import { emptyRow, evaluate, field } from '../../runtime/engine/state.ts';
import { createChance } from '../crash/chance.ts';
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

test('a fold is its scan, after any history', async () => {
  const engine = await engineOf(schema);
  const handlers = createHandlers(engine.domain());
  const warm = createHotFolds(engine.domain());
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      for (const { command, given } of steps) {
        if (command !== 'ask') {
          const from = engine.store.position().entry + 1;
          await tell(engine, command, given);
          for await (const entry of engine.store.read(from))
            if (entry.kind === 'command') warm.note(entry.events, BigInt(entry.at));
          continue;
        }
        for (const index of states.keys()) {
          const { folded, scanned } = await both(index, given);
          assert.equal(folded, scanned, `${states[index]} of ${JSON.stringify(given)}`);
        }
      }
    }),
    { seed, numRuns: Number(process.env['ROUNDS'] ?? 40) },
  );
  await engine.close();

  function both(index: number, given: object): Promise<{ folded: Row; scanned: Row }> {
    const handler = handlers.of(`Ask${index}`);
    const command = handler.command.decode(sent(given));
    const state = handler.decision.state;
    if (state === undefined) throw new Error('no state');
    return engine.store.exclusively(async (turn) => {
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

test.run();
