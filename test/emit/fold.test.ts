import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { StateDefinition } from '../../language/contract/decision.ts';
import type { EventRow } from '../../language/contract/fold.ts';
import type { Value } from '../../language/values/type.ts';
import { fixedContext } from '../kit/decider.ts';
import { withDomain } from './compiled.ts';

/** The state's row after these events, as an engine computes it from the folds. */
function composed(
  state: StateDefinition | undefined,
  events: readonly EventRow[],
  command: object,
): readonly Value[] | null {
  if (state?.folds === undefined || state.compose === undefined) throw new Error('the state is no fold');
  const states: object[] = [];
  for (const { fold, key, mustExist } of state.folds) {
    const asked = JSON.stringify(key(command, states, fixedContext()));
    const own = events.filter((event) => JSON.stringify(fold.key(event)) === asked);
    if (own.length === 0 && mustExist) return null;
    const accumulator = fold.initial();
    for (const event of own) fold.evolve(accumulator, event);
    states.push(accumulator);
  }
  return state.compose(command, states, fixedContext());
}

const blocks = `CREATE AGGREGATE A; CREATE COMMAND C (id STRING, n INT);
  CREATE EVENT E (n INT, t STRING, d DECIMAL(10,2), w DOUBLE, day DATE); CREATE EVENT F (n INT);`;
const event = (fields: Readonly<Record<string, Value>>): EventRow => ({
  stream_id: 'x',
  event_type: 'E',
  'data.n': null,
  'data.t': null,
  'data.d': null,
  'data.w': null,
  'data.day': null,
  ...fields,
});
const history = [
  event({ 'data.n': 3, 'data.t': 'b', 'data.d': 125n, 'data.w': 0.5 }),
  event({ stream_id: 'y', 'data.n': 100 }),
  event({ 'data.n': null, 'data.t': null, 'data.d': null, 'data.day': 5 }),
  event({ event_type: 'F', 'data.n': 4 }),
  event({ 'data.n': -8, 'data.t': 'a\u{1f600}', 'data.d': -100n, 'data.w': 2 }),
];

const folds: readonly (readonly [items: string, row: readonly Value[]])[] = [
  ['LAST(data.n) AS a, FIRST(data.n) AS b, LAST(data.t) AS c, FIRST(data.day) AS d', [-8, 3, 'a\u{1f600}', 5]],
  ['COUNT(*) AS a, COUNT(data.n) AS b, COUNT(data.day) AS c', [4n, 3n, 1n]],
  ['SUM(data.n) AS a, SUM(data.d) AS b, SUM(data.w) AS c', [-1n, 25n, 2.5]],
  ['AVG(data.n) AS a, AVG(data.d) AS b, AVG(data.w) AS c', [-333333n, 125000n, 1.25]],
  [
    'MIN(data.n) AS a, MAX(data.n) AS b, MIN(data.t) AS c, MAX(data.t) AS d, MAX(data.d) AS e',
    [-8, 4, 'a\u{1f600}', 'b', 125n],
  ],
  ["COUNT(*) FILTER (WHERE event_type = 'F') AS a, SUM(data.n) FILTER (WHERE data.n > 0) AS b", [1n, 7n]],
  ["SUM(CASE event_type WHEN 'E' THEN data.n ELSE -data.n END) AS a", [-9n]],
  ['COALESCE(SUM(data.n), 0) + COUNT(*) AS a, MAX(data.n) > :n AS b', [3n, true]],
  ['LAST(UPPER(data.t)) AS a, LAST(data.n * 2) AS b', ['A\u{1f600}', -16]],
];
for (const [items, row] of folds)
  test(`fold ${items}`, () =>
    withDomain(
      `${blocks} CREATE DECISION D FOR A ON COMMAND C STATE AS SELECT ${items} FROM Reg."A$Events" WHERE stream_id = :id EMIT AS SELECT EVENT F (), SELECT EVENT E ();`,
      ({ decisions: [decision] }) => assert.equal(composed(decision?.state, history, { id: 'x', n: 3 }), row),
    ));

test('a state before any event is NULL, and zero for COUNT', () =>
  withDomain(
    `${blocks} CREATE DECISION D FOR A ON COMMAND C STATE AS SELECT LAST(data.n) AS a, COUNT(*) AS b, SUM(data.d) AS c, AVG(data.n) AS d, MIN(data.t) AS e
     FROM Reg."A$Events" WHERE stream_id = :id EMIT AS SELECT EVENT F (), SELECT EVENT E ();`,
    ({ decisions: [decision] }) =>
      assert.equal(composed(decision?.state, [], { id: 'x', n: 3 }), [null, 0n, null, null, null]),
  ));

test('an event counts when its row condition holds, and never under a NULL key', () =>
  withDomain(
    `${blocks} CREATE DECISION D FOR A ON COMMAND C STATE AS SELECT COUNT(*) AS n FROM Reg."A$Events" WHERE data.n = :n AND data.t IS NOT NULL EMIT AS SELECT EVENT F (), SELECT EVENT E ();`,
    ({ decisions: [decision] }) => {
      assert.equal(composed(decision?.state, history, { id: 'x', n: 3 }), [1n]);
      assert.equal(
        decision?.state?.folds?.map(({ fold }) => [fold.byStream, history.map((row) => fold.key(row))]),
        [[false, [[3], null, null, null, [-8]]]],
      );
    },
  ));

test('a sum beyond its type fails only when it is read', () =>
  withDomain(
    `${blocks} CREATE DECISION D FOR A ON COMMAND C STATE AS SELECT SUM(data.d) AS s FROM Reg."A$Events" WHERE stream_id = :id EMIT AS SELECT EVENT F (), SELECT EVENT E ();`,
    ({ decisions: [decision] }) => {
      const big = 10n ** 18n - 1n;
      assert.throws(
        () => composed(decision?.state, [event({ 'data.d': big }), event({ 'data.d': 1n })], { id: 'x' }),
        /SUM/,
      );
      assert.equal(
        composed(decision?.state, [event({ 'data.d': big }), event({ 'data.d': 1n }), event({ 'data.d': -1n })], {
          id: 'x',
        }),
        [big],
      );
    },
  ));

test('a state can look up two rows of one aggregate', () =>
  withDomain(
    `CREATE AGGREGATE W (w STRING KEY, balance DECIMAL(12,2) DEFAULT 0 AS SUM(data.d)); CREATE COMMAND T (f STRING, t STRING); CREATE EVENT M (d DECIMAL(12,2));
     CREATE DECISION D FOR W ON COMMAND T STATE AS SELECT a.balance AS mine, b.balance AS theirs FROM Reg."W$Agg" a JOIN Reg."W$Agg" b ON b.w = :t WHERE a.w = :f EMIT AS SELECT EVENT M () WHERE mine > theirs;`,
    ({ decisions: [decision] }) => {
      const rows = [event({ 'data.d': 300n }), event({ stream_id: 'y', 'data.d': 100n })];
      assert.equal(composed(decision?.state, rows, { f: 'x', t: 'y' }), [300n, 100n]);
      assert.is(composed(decision?.state, rows, { f: 'x', t: 'z' }), null);
    },
  ));

test.run();
