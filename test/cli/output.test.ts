import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { cutText, fitText, foldText, shrinkWidths } from '../../cli/output/fit.ts';
import { renderOutcome } from '../../cli/output/outcome-text.ts';
import { renderTable } from '../../cli/output/table.ts';
import type { NamedValue, Outcome, Table } from '../../runtime/engine/outcome.ts';
import type { StatementOutcome, StatementResult } from '../../server/session/outcome.ts';
import type { Type, Value } from '../../language/values/type.ts';
import { marked } from '../kit/marked.ts';

const string: Type = { kind: 'STRING' };
const money: Type = { kind: 'DECIMAL', precision: 10, scale: 2 };
const int: Type = { kind: 'INT' };
const table = (columns: readonly (readonly [string, Type])[], rows: readonly (readonly Value[])[]): Table => ({
  columns: columns.map(([name, type]) => ({ name, type, nullable: true, sensitive: false })),
  rows,
});
const drawn = (value: Table, width?: number, expanded = false): string =>
  `\n${renderTable(value, { width, expanded })}`;

const fleet = table(
  [
    ['bike', string],
    ['model', string],
    ['price', money],
  ],
  [
    ['B1', 'Cargo', 1250n],
    ['B2', null, 7n],
  ],
);

test('a table writes NULL by name and aligns numbers right', () => {
  assert.fixture(
    drawn(fleet),
    `
 bike | model | price
------+-------+-------
 B1   | Cargo | 12.50
 B2   | NULL  |  0.07
(2 rows)
`,
  );
});

test('a table with wide text, hostile text and text of several lines', () => {
  assert.fixture(
    drawn(
      table(
        [
          ['a\u001b', string],
          ['b', string],
        ],
        [
          ['日本', 'x\ny'],
          ['\u001b[2J', '\u202e'],
        ],
      ),
    ),
    `
 a␛   | b
------+----------
 日本 | x
      | y
 ␛[2J | <U+202E>
(2 rows)
`,
  );
});

test('a table without rows, one without columns, one row', () => {
  assert.fixture(drawn(table([['a', int]], [])), '\n a\n---\n(0 rows)\n');
  assert.fixture(drawn(table([], [[]])), '\n(1 row)\n');
});

test('a table is narrowed to the terminal, widest columns first', () => {
  const wide = table(
    [
      ['id', int],
      ['a', string],
      ['b', string],
    ],
    [[1, 'x'.repeat(30), 'y'.repeat(12)]],
  );
  assert.fixture(
    drawn(wide, 40),
    `
 id | a                  | b
----+--------------------+--------------
  1 | xxxxxxxxxxxxxxxxx… | yyyyyyyyyyyy
(1 row)
`,
  );
});

test('a table that cannot be narrowed enough becomes records, one below the other, with whole values', () => {
  const many = table(
    Array.from({ length: 8 }, (_, index) => [`column${index}`, string] as const),
    [Array(8).fill('x'.repeat(40))],
  );
  const lines = renderTable(many, { width: 40, expanded: false }).split('\n');
  assert.is(lines[0], '-[ 1 ]----');
  assert.equal(lines.slice(1, 3), [`column0 | ${'x'.repeat(30)}`, `        | ${'x'.repeat(10)}`]);
  assert.is(lines.length, 19);
});

test('a table of many rows is drawn', () => {
  const rows = Array.from({ length: 200_000 }, (_, row) => [`x${row}`]);
  assert.match(
    renderTable(table([['n', string]], rows), { width: 80, expanded: false }),
    /\n x199999\n\(200000 rows\)\n$/,
  );
});

test('expanded output shows one record below the other', () => {
  assert.fixture(
    drawn(fleet, undefined, true),
    `
-[ 1 ]--
bike  | B1
model | Cargo
price | 12.50
-[ 2 ]--
bike  | B2
model | NULL
price | 0.07
(2 rows)
`,
  );
});

test('texts are cut and padded by the terminal cells they take', () => {
  assert.is(cutText('日本語', 5), '日本…');
  assert.is(cutText('日本語', 4), '日…');
  assert.is(cutText('abc', 3), 'abc');
  assert.equal(foldText('日本語', 4), ['日本', '語']);
  assert.equal(foldText('', 4), ['']);
  assert.is(fitText('日', 4), '日  ');
  assert.is(fitText('7', 3, 'right'), '  7');
  assert.equal(shrinkWidths([2, 30, 12], 32, 8), [2, 18, 12]);
  assert.equal(shrinkWidths([30, 30], 31, 8), [15, 15]);
  assert.equal(shrinkWidths([30, 30], 10, 8), [8, 8]);
  assert.equal(shrinkWidths([5, 5], 100, 8), [5, 5]);
});

const named = (name: string, value: Value, type: Type = string, sensitive = false): NamedValue => ({
  name,
  type,
  sensitive,
  value,
});
const emitted: Outcome = {
  entry: 1,
  outcome: 'emitted',
  replayed: false,
  streamType: 'Employee',
  streamId: 'EMP-001',
  head: 1,
  events: [
    {
      type: 'EmployeeHired',
      streamType: 'Employee',
      streamId: 'EMP-001',
      seq: 1,
      fields: [
        named('name', 'Alice'),
        named('salary', 1050n, money),
        named('secret', 'clear', string, true),
        named('manager_identifier', null),
      ],
    },
  ],
};
const rejected: Outcome = {
  ...emitted,
  outcome: 'rejected',
  events: [],
  rejection: {
    decision: 'Promote',
    guards: [{ branch: null, guard: ':new_grade <> current_grade' }],
    state: [named('current_grade', 'L5'), named('since', null)],
    command: [named('employee_id', "EMP-'1"), named('n', 3, int), named('pin', '1234', string, true)],
  },
};
const span = marked('«EXECUTE»').spans[0]!;
const shown = (result: StatementResult): string => {
  const outcome: StatementOutcome = { span, warnings: [], ...result };
  return `\n${renderOutcome(outcome, { width: undefined, expanded: false, colour: false, terminal: true })}`;
};

const outcomes: [name: string, result: StatementResult, text: string][] = [
  [
    'events',
    { kind: 'execute', outcome: emitted },
    `
  ✓ EmployeeHired
    stream_id:     EMP-001
    seq:           1
    name:          Alice
    salary:        10.50
    secret:        ****
    manager_identifier: NULL
1 event(s) emitted.
`,
  ],
  [
    'an event in another stream, replayed',
    {
      kind: 'execute',
      outcome: {
        ...emitted,
        replayed: true,
        events: [{ type: 'Paid', streamType: 'Account', streamId: '\u001b', seq: 2, fields: [] }],
      },
    },
    `
  ✓ Paid
    stream_id:     ␛
    stream_type:   Account
    seq:           2
1 event(s) replayed.
`,
  ],
  [
    'a rejection',
    { kind: 'execute', outcome: rejected },
    `
  ✗ REJECTED
    decision:  Promote
    guard:     :new_grade <> current_grade
    state:     current_grade = 'L5', since = NULL
    command:   employee_id = 'EMP-''1', n = 3, pin = ****
`,
  ],
  [
    'a rejection by several branches, replayed, without state',
    {
      kind: 'execute',
      outcome: {
        ...rejected,
        replayed: true,
        rejection: {
          decision: 'D',
          guards: [
            { branch: 'Small', guard: ':n < 1' },
            { branch: null, guard: ':n > 9' },
          ],
          state: [],
          command: [named('n', 3, int)],
        },
      },
    },
    `
  ✗ REJECTED (replayed)
    decision:  D
    guard:     Small: :n < 1
    guard:     :n > 9
    command:   n = 3
`,
  ],
  [
    'a created block',
    { kind: 'create', block: 'aggregate', name: 'Bike', change: 'created' },
    '\naggregate Bike created\n',
  ],
  ['a dropped block', { kind: 'drop', block: 'event', name: 'E' }, '\nevent E dropped\n'],
  [
    'a template',
    { kind: 'apply', template: 'Crud', created: [{ block: 'event', name: 'E' }] },
    '\ntemplate Crud applied: 1 block(s)\n  event E\n',
  ],
  ['an inspection', { kind: 'inspect', into: 't', rows: 3, rejected: 1 }, '\ninspected into t: 3 row(s), 1 rejected\n'],
  ['an export', { kind: 'export', text: 'CREATE A;\n-- \u001b' }, '\nCREATE A;\n-- ␛\n'],
  ['a query', { kind: 'select', table: table([['n', int]], [[2]]) }, '\n n\n---\n 2\n(1 row)\n'],
];
for (const [name, result, text] of outcomes) test(name, () => assert.fixture(shown(result), text));

test('an export into a file is not changed', () => {
  const outcome: StatementOutcome = { span, warnings: [], kind: 'export', text: 'a\u001b\n' };
  assert.is(renderOutcome(outcome, { width: undefined, expanded: false, colour: false, terminal: false }), 'a\u001b\n');
});

test('a rejection is coloured on a terminal', () => {
  const outcome: StatementOutcome = { span, warnings: [], kind: 'execute', outcome: rejected };
  const text = renderOutcome(outcome, { width: undefined, expanded: false, colour: true, terminal: true });
  assert.match(text, '  \u001b[31m✗ REJECTED\u001b[39m\n');
});

test.run();
