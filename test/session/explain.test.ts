/** Each guard of a rejected command, term by term (docs/language.md#why-a-command-was-rejected). */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { outcomeJson } from '../../server/session/outcome-json.ts';
import { openSession } from '../../server/session/open-session.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';

const schema = `
CREATE FUNCTION half (n INT) RETURNS INT AS n / 2;
CREATE AGGREGATE Account;
CREATE COMMAND Ask (id STRING, n INT, note STRING NULL, pin STRING NULL SENSITIVE);
CREATE EVENT Paid (n INT, pin STRING SENSITIVE);
CREATE DECISION Start FOR Account ON COMMAND Open EMIT AS SELECT EVENT Paid (n := :n, pin := 's3');
CREATE COMMAND Open (id STRING, n INT);
`;
const state = `STATE AS SELECT SUM(data.n) AS balance, MAX(data.pin) AS pin FROM Reg."Account$Events" WHERE stream_id = :id`;

interface Shown {
  readonly rejection?: { readonly guards: readonly { readonly guard: string; readonly terms: unknown }[] };
  readonly rows?: readonly (readonly unknown[])[] | number;
  readonly message?: string;
}

async function outcomes(text: string): Promise<readonly Shown[]> {
  const session = await openSession({ store: await openMemoryStore(), version: '0.0.0' });
  const found: Shown[] = [];
  try {
    for await (const outcome of session.run({ name: 'explain', text }, { keepGoing: true }))
      found.push(JSON.parse(outcomeJson(outcome)) as Shown);
  } finally {
    await session.close();
  }
  return found;
}

const decision = (guard: string): string =>
  `CREATE DECISION Pay FOR Account ON COMMAND Ask ${state} EMIT AS SELECT EVENT Paid (n := :n) WHERE ${guard};`;
const ask = `EXECUTE Ask (id := 'A', n := 7, pin := 'x');`;

const cases: readonly (readonly [guard: string, terms: unknown])[] = [
  ['balance >= :n', [{ term: 'balance >= :n', value: false, operands: { balance: 5, ':n': 7 } }]],
  [
    'balance > 1 AND balance >= :n AND :n > 3',
    [
      { term: 'balance > 1', value: true, operands: { balance: 5 } },
      { term: 'balance >= :n', value: false, operands: { balance: 5, ':n': 7 } },
      { term: ':n > 3', value: true, operands: { ':n': 7 } },
    ],
  ],
  ["note = 'a'".replace('note', ':note'), [{ term: ":note = 'a'", value: null, operands: { ':note': null } }]],
  [
    'balance > 9 OR NOT (:n = 7 AND balance BETWEEN 1 AND 6)',
    [
      {
        term: 'balance > 9 OR NOT (:n = 7 AND balance BETWEEN 1 AND 6)',
        value: false,
        terms: [
          { term: 'balance > 9', value: false, operands: { balance: 5 } },
          {
            term: 'NOT (:n = 7 AND balance BETWEEN 1 AND 6)',
            value: false,
            terms: [
              {
                term: ':n = 7 AND balance BETWEEN 1 AND 6',
                value: true,
                terms: [
                  { term: ':n = 7', value: true, operands: { ':n': 7 } },
                  { term: 'balance BETWEEN 1 AND 6', value: true, operands: { balance: 5 } },
                ],
              },
            ],
          },
        ],
      },
    ],
  ],
  [
    '(pin = :pin OR :n = 1) AND half(:n) = 3 AND balance > 9',
    [
      {
        term: 'pin = :pin OR :n = 1',
        masked: true,
        terms: [
          { term: 'pin = :pin', masked: true },
          { term: ':n = 1', value: false, operands: { ':n': 7 } },
        ],
      },
      { term: 'half(:n) = 3', value: true, operands: { ':n': 7 } },
      { term: 'balance > 9', value: false, operands: { balance: 5 } },
    ],
  ],
  [
    'balance > 9 AND 1 / (balance - 5) > 0',
    [
      { term: 'balance > 9', value: false, operands: { balance: 5 } },
      { term: '1 / (balance - 5) > 0', failed: 'R0201 division by zero', operands: { balance: 5 } },
    ],
  ],
  [
    'RANDOM() < 2 AND CURRENT_TIMESTAMP IS NULL',
    [
      { term: 'RANDOM() < 2', failed: 'it depends on chance', operands: {} },
      { term: 'CURRENT_TIMESTAMP IS NULL', value: false, operands: {} },
    ],
  ],
];
for (const [guard, terms] of cases)
  test(`WHERE ${guard}`, async () => {
    const all = await outcomes(`${schema}${decision(guard)}EXECUTE Open (id := 'A', n := 5);${ask}`);
    const last = all.at(-1);
    assert.equal([last?.message, last?.rejection?.guards.map((one) => one.terms)], [undefined, [terms]]);
  });

test('an inspection shows them, of all branches, also under a candidate and AS OF EACH', async () => {
  const inspect = `CREATE TABLE wanted (id, n) AS VALUES ('A', 7);
    INSPECT DECISION Pay FROM wanted INTO tried;
    SELECT rejection FROM tried;
    INSPECT DECISION Pay FROM wanted INTO tried WITH SCHEMA '${decision('balance > 100')}';
    SELECT rejection FROM tried;
    INSPECT DECISION Pay FROM Reg."Account$Commands" INTO again AS OF EACH;
    SELECT rejection FROM again;`;
  const store = `CREATE EVENTSTORE kept WITH (envelope.commands = 'all');`;
  const text = `${store}${schema}${decision('balance > :n')}EXECUTE Open (id := 'A', n := 5);EXECUTE Ask (id := 'A', n := 7);${inspect}`;
  const all = await outcomes(text);
  assert.equal(
    all.flatMap(({ message }) => message ?? []),
    [],
  );
  const found = all.flatMap(({ rows }) =>
    typeof rows === 'object' ? rows.map(([cell]) => JSON.parse(String(cell)) as NonNullable<Shown['rejection']>) : [],
  );
  const terms = (term: string, operands: object): unknown => [{ term, value: false, operands }];
  assert.equal(
    found.map(({ guards }) => guards.map((guard) => guard.terms)),
    [
      [terms('balance > :n', { balance: 5, ':n': 7 })],
      [terms('balance > 100', { balance: 5 })],
      [terms('balance > :n', { balance: 5, ':n': 7 })],
    ],
  );
});

test.run();
