import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { DecisionContext } from '../../language/contract/decision.ts';
import { fixedContext } from '../kit/decider.ts';
import { withDomain } from './compiled.ts';

/** Given this state and command, the payloads of each branch (null when its guard is not TRUE). */
interface Row {
  readonly state?: Readonly<Record<string, unknown>>;
  readonly command: Readonly<Record<string, unknown>>;
  readonly then: readonly (readonly Readonly<Record<string, unknown>>[] | null)[] | RegExp;
}

function decides(
  what: string,
  text: string,
  rows: readonly Row[],
  context: () => DecisionContext = fixedContext,
): void {
  test(what, () =>
    withDomain(text, (domain) => {
      const decision = domain.decisions[0];
      if (decision === undefined) throw new Error('the text has no decision');
      for (const row of rows) {
        const decide = () => decision.decide(row.command, row.state ?? {}, context());
        if (row.then instanceof RegExp) assert.throws(decide, row.then);
        else
          assert.equal(
            decide().map((branch) => branch?.map(({ payload }) => payload) ?? null),
            row.then,
            JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value)),
          );
      }
    }),
  );
}

/** A decision over one INT, one STRING that may be NULL, one BOOLEAN that may be NULL. */
function guarded(guard: string): string {
  return `CREATE AGGREGATE A; CREATE EVENT E (n INT);
    CREATE COMMAND C (id STRING, n INT, t STRING NULL, b BOOLEAN NULL);
    CREATE DECISION D FOR A ON COMMAND C
    STATE AS SELECT MAX(data.n) AS top, LAST(event_type) AS last_event FROM Reg."A$Events" WHERE stream_id = :id
    EMIT AS SELECT EVENT E (n := :n) WHERE ${guard};`;
}
const some = { top: 5, last_event: 'E' };
const none = { top: null, last_event: null };
const command = { id: 'x', n: 3, t: 'a', b: true };
const bare = { id: 'x', n: 3, t: null, b: null };

const guards: readonly (readonly [guard: string, state: object, command: object, holds: boolean])[] = [
  ['top > :n', some, command, true],
  ['top > :n', none, command, false],
  ['NOT (top > :n)', none, command, false],
  ['NOT (top > :n)', some, command, false],
  ['top > :n OR :n = 3', none, command, true],
  ['top > :n AND :n = 3', none, command, false],
  ['NOT (top > :n AND :n = 4)', none, command, true],
  ['NOT (top > :n OR :n = 4)', none, command, false],
  ['top IS NULL', none, command, true],
  ['top IS NOT NULL', none, command, false],
  ['top IS DISTINCT FROM 5', none, command, true],
  ['top IS DISTINCT FROM 5', some, command, false],
  ["last_event = 'E'", some, command, true],
  ["last_event = 'E'", none, command, false],
  ["last_event <> 'E'", none, command, false],
  ["last_event = 'E' AND last_event = 'F'", some, command, false],
  ["last_event = 'E' OR last_event = 'F'", some, command, true],
  ["last_event IN ('E', 'F')", some, command, true],
  ["last_event IN ('E', 'F')", none, command, false],
  ["last_event NOT IN ('F')", some, command, true],
  ["last_event NOT IN ('F')", none, command, false],
  ["last_event NOT IN ('F', NULL)", some, command, false],
  ["last_event IN ('E', NULL)", some, command, true],
  ["NOT (last_event IN ('F', NULL))", some, command, false],
  [':t IN (last_event, :t)', none, command, true],
  [':t NOT IN (last_event)', none, command, false],
  [':b', some, command, true],
  [':b', some, bare, false],
  ['NOT :b', some, bare, false],
  [':b IS NULL', some, bare, true],
  [':b = TRUE', some, command, true],
  [':b OR NOT :b', some, bare, false],
  [":t IS NULL OR :t = 'a'", some, command, true],
  [":t IS NULL AND :t = 'a'", some, bare, false],
  ['NULL', some, command, false],
  ['TRUE', some, command, true],
  ['1 = 2', some, command, false],
  ["'a' = 'a' AND 2 > 1", some, command, true],
  [':n BETWEEN 1 AND top', some, command, true],
  [':n BETWEEN 1 AND top', none, command, false],
  [':n NOT BETWEEN 4 AND top', none, command, true],
  ["COALESCE(:t, 'z') = 'z'", some, bare, true],
  ["CASE WHEN top > :n THEN 'up' WHEN top IS NULL THEN 'new' END = 'new'", none, command, true],
  ["CASE last_event WHEN 'E' THEN TRUE ELSE FALSE END", some, command, true],
  ["CASE LOWER(last_event) WHEN 'e' THEN TRUE WHEN 'f' THEN FALSE END", some, command, true],
  ["CASE LOWER(last_event) WHEN 'e' THEN TRUE END", none, command, false],
  ["CASE :n WHEN 1 THEN 'a' WHEN 3 THEN CASE :n + 1 WHEN 4 THEN 'deep' END END = 'deep'", some, command, true],
  ['top / NULLIF(:n - 3, 0) > 1', some, command, false],
  [':n <> 0 AND 10 / :n > 2', some, { ...command, n: 0 }, false],
  ["'A' || :t = 'Aa'", some, command, true],
  ["'A' || :t = 'Aa'", some, bare, false],
  ["'ab' < 'b' AND :t < 'b'", some, command, true],
];
for (const [guard, state, given, holds] of guards)
  decides(`WHERE ${guard} is ${holds} of ${JSON.stringify({ ...state, ...given })}`, guarded(guard), [
    {
      state: (state as Row['state']) ?? {},
      command: given as Row['command'],
      then: holds ? [[{ n: (given as typeof command).n }]] : [null],
    },
  ]);

decides(
  'branches are independent, and each emits in order',
  `CREATE AGGREGATE Depot; CREATE COMMAND Order_ (id STRING, wanted INT, gift BOOLEAN);
   CREATE EVENT Shipped (n INT); CREATE EVENT Backordered (n INT); CREATE EVENT Wrapped ();
   CREATE DECISION Fulfil FOR Depot ON COMMAND Order_
   STATE AS SELECT SUM(data.n) AS available FROM Reg."Depot$Events" WHERE stream_id = :id
   EMIT AS
     BRANCH Full SELECT EVENT Shipped (n := :wanted) WHERE available >= :wanted
     UNION ALL BRANCH Part SELECT EVENT Shipped (n := available), SELECT EVENT Backordered (n := :wanted - available) WHERE available > 0 AND available < :wanted
     UNION ALL BRANCH Gift SELECT EVENT Wrapped () WHERE :gift AND available > 0;`,
  [
    { state: { available: 10n }, command: { id: 'd', wanted: 4, gift: false }, then: [[{ n: 4 }], null, null] },
    { state: { available: 3n }, command: { id: 'd', wanted: 4, gift: true }, then: [null, [{ n: 3 }, { n: 1 }], [{}]] },
    { state: { available: null }, command: { id: 'd', wanted: 4, gift: true }, then: [null, null, null] },
    { state: { available: 2n ** 40n }, command: { id: 'd', wanted: 4, gift: false }, then: [[{ n: 4 }], null, null] },
  ],
);

decides(
  'money is exact, and what does not fit fails with the name of its field',
  `CREATE AGGREGATE Purse; CREATE COMMAND Pay (id STRING, amount DECIMAL(14,2), parts INT);
   CREATE EVENT Paid (amount DECIMAL(14,2), share DECIMAL(14,4), fee DECIMAL(5,2), rest DECIMAL);
   CREATE DECISION Pays FOR Purse ON COMMAND Pay
   EMIT AS SELECT EVENT Paid (amount := :amount, share := :amount / :parts, fee := :amount * 0.015, rest := :amount - 0.1) WHERE 0.1 + 0.2 = 0.3 AND :amount > 0;`,
  [
    {
      command: { id: 'p', amount: 1000n, parts: 3 },
      then: [[{ amount: 1000n, share: 33333n, fee: 15n, rest: 9900000n }]],
    },
    { command: { id: 'p', amount: 1n, parts: -3 }, then: [[{ amount: 1n, share: -33n, fee: 0n, rest: -90000n }]] },
    { command: { id: 'p', amount: 1000n, parts: 0 }, then: /division by zero/ },
    { command: { id: 'p', amount: 10_000_000_000n, parts: 1 }, then: /fee/ },
    { command: { id: 'p', amount: 0n, parts: 0 }, then: [null] },
  ],
);

decides(
  'one instant a command, one value an occurrence of chance',
  `CREATE AGGREGATE A; CREATE COMMAND C (id STRING); CREATE EVENT E (at TIMESTAMP, later TIMESTAMP, day DATE, one UUID, two UUID);
   CREATE DECISION D FOR A ON COMMAND C EMIT AS
     SELECT EVENT E (at := CURRENT_TIMESTAMP, later := NOW(), day := CURRENT_DATE, one := gen_random_uuid(), two := gen_random_uuid())
     UNION ALL SELECT EVENT E (one := gen_random_uuid()) WHERE random() < 0.75;`,
  [
    {
      command: { id: 'x' },
      then: [
        [
          {
            at: 1_767_225_600_000_000n,
            later: 1_767_225_600_000_000n,
            day: 20454,
            one: '00000000-0000-4000-8000-000000000001',
            two: '00000000-0000-4000-8000-000000000002',
          },
        ],
        [{ at: null, later: null, day: null, one: '00000000-0000-4000-8000-000000000003', two: null }],
      ],
    },
  ],
);

test('TO selects the streams of events', () =>
  withDomain(
    `CREATE AGGREGATE Wallet; CREATE AGGREGATE Till (till_id INT KEY);
     CREATE COMMAND Move (from_id STRING, to_id STRING NULL, till INT); CREATE EVENT Out (); CREATE EVENT In_ (); CREATE EVENT Noted ();
     CREATE DECISION Moves FOR Wallet ON COMMAND Move EMIT AS
       SELECT EVENT Out (), SELECT EVENT In_ () TO Wallet(:to_id), SELECT EVENT Noted () TO Till(:till);`,
    ({ decisions: [decision] }) => {
      const decided = decision?.decide({ from_id: 'a', to_id: 'b', till: 7 }, {}, fixedContext());
      assert.equal(decided, [
        [
          { event: 'Out', aggregate: 'Wallet', payload: {} },
          { event: 'In_', aggregate: 'Wallet', stream: 'b', payload: {} },
          { event: 'Noted', aggregate: 'Till', stream: '7', payload: {} },
        ],
      ]);
      assert.throws(() => decision?.decide({ from_id: 'a', to_id: null, till: 7 }, {}, fixedContext()), /NULL/);
    },
  ));

test.run();
