/** UPCAST clauses: which stored definitions they match, and what is refused, with the clause to fill in. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { emptyRegistry } from '../../compiler/analyse/incremental/open-registry.ts';
import { readRecordedEvent } from '../../compiler/analyse/incremental/recorded-event.ts';
import type { StoredDefinition, StoredHistory } from '../../compiler/analyse/environment/registry.ts';
import { messagesOf, put } from './language.ts';

type Recorded = readonly (readonly [definition: string, count: number])[];

/** Recorded definitions, oldest first, each with its number of stored events. */
function history(recorded: Recorded): StoredHistory {
  const definitions: StoredDefinition[] = [];
  for (const [text, count] of recorded) {
    const event = readRecordedEvent('E', `CREATE EVENT ${text};`, []);
    if (event === undefined || !('fields' in event)) throw new Error(text);
    const version = definitions.filter((definition) => definition.event === event.name).length + 1;
    const { fields, upcasts } = event;
    definitions.push({ event: event.name, version, count, fields, ...(upcasts === undefined ? {} : { upcasts }) });
  }
  const latest = new Map(definitions.map((definition) => [definition.event, definition]));
  const versions = [...latest].map(([event, { version, fields }]) => ({ event, version, text: '', fields }));
  return { landed: [], definitions, versions, enums: [] };
}

/** The versions that each clause of E reads, or the messages. */
function outcome(definition: string, recorded: Recorded): readonly unknown[] {
  const result = put(emptyRegistry, `CREATE EVENT ${definition};`, { history: history(recorded) });
  const messages = messagesOf(result);
  if (messages.length > 0) return messages;
  return (result.registry.catalog.blocks.event[0]?.upcasts ?? []).map(({ event, versions, needed }) => [
    event,
    versions,
    needed,
  ]);
}

const offered = (clause: string, rest = ''): string =>
  `, unless a clause says how version 1 (2 events)${rest} ${rest === '' ? 'reads' : 'read'}: ${clause}`;

for (const [what, recorded, definition, wanted] of [
  ['a retyped field', [['E (a STRING)', 2]], 'E (a INT) UPCAST FROM (a STRING) AS (a := 1)', [['E', [1], true]]],
  ['a renamed field', [['E (a INT)', 2]], 'E (b INT) UPCAST FROM (a INT) AS (b := a)', [['E', [1], true]]],
  [
    'order, case and marks play no part',
    [['E (a STRING TAG, B INT SENSITIVE)', 2]],
    'E (c INT SENSITIVE) UPCAST FROM (b INT, A STRING) AS (c := B)',
    [['E', [1], true]],
  ],
  [
    'versions that differ only in marks are one shape',
    [
      ['E (a STRING)', 1],
      ['E (a STRING TAG)', 0],
      ['E (a STRING, b INT)', 3],
    ],
    'E (c STRING) UPCAST FROM (a STRING) AS (c := a) UPCAST FROM (a STRING, b INT) AS (c := a)',
    [
      ['E', [1, 2], true],
      ['E', [3], true],
    ],
  ],
  [
    'a VOLATILE field may be left out',
    [['E (a STRING, v INT VOLATILE)', 1]],
    'E (c STRING) UPCAST FROM (a STRING) AS (c := a)',
    [['E', [1], true]],
  ],
  [
    'a VOLATILE field named or not is one shape',
    [['E (a STRING, v INT VOLATILE)', 1]],
    'E (c STRING) UPCAST FROM (a STRING) AS (c := a) UPCAST FROM (a STRING, v INT) AS (c := a)',
    ["E0441 two UPCAST clauses name one shape of 'E'"],
  ],
  ['no event has the shape', [['E (a INT)', 0]], 'E (b INT) UPCAST FROM (a INT) AS (b := a)', [['E', [1], false]]],
  [
    'a wider type is another shape',
    [['E (a INT)', 1]],
    'E (b INT) UPCAST FROM (a BIGINT) AS (b := 1)',
    [
      "E0423 event 'E' has 'b' in place of 'a'; 1 event is stored with 'a' and reads NULL for 'b'; if it is the new name, write UPCAST FROM (a INT) AS (b := a)",
    ],
  ],
  [
    'plain evolution needs no clause',
    [
      ['E (a INT)', 1],
      ['E (a INT, b STRING)', 1],
    ],
    'E (a BIGINT, b STRING, c INT)',
    [],
  ],
  [
    'every refused version is named, and offered a clause',
    [
      ['E (a INT, b STRING)', 2],
      ['E (a INT)', 3],
      ['E (a STRING)', 0],
    ],
    'E (a STRING, b STRING, d DATE)',
    [
      `E0417 event 'E' has stored events in which 'a' is INT; it may become BIGINT or a DECIMAL with 10 or more digits before the point, not STRING${offered(
        'UPCAST FROM (a INT, b STRING) AS (a := /* STRING */, d := /* DATE */) UPCAST FROM (a INT) AS (a := /* STRING */, b := /* STRING */, d := /* DATE */)',
        ' and version 2 (3 events)',
      )}`,
    ],
  ],
  [
    'one clause of two',
    [
      ['E (a INT)', 2],
      ['E (a INT, b STRING)', 3],
    ],
    'E (a STRING) UPCAST FROM (a INT, b STRING) AS (a := b)',
    [
      `E0417 event 'E' has stored events in which 'a' is INT; it may become BIGINT or a DECIMAL with 10 or more digits before the point, not STRING${offered('UPCAST FROM (a INT) AS (a := /* STRING */)')}`,
    ],
  ],
  [
    'a shape that a clause has read needs one for ever',
    [
      ['E (a INT)', 2],
      ['E (b INT) UPCAST FROM (a INT) AS (b := a)', 0],
    ],
    'E (b INT, c STRING)',
    [
      "E0440 event 'E' has no clause for 2 events stored as version 1; write how they read: UPCAST FROM (a INT) AS (b := /* INT */, c := /* STRING */)",
    ],
  ],
  [
    'unless it is the present shape again',
    [
      ['E (a INT)', 2],
      ['E (b INT) UPCAST FROM (a INT) AS (b := a)', 1],
    ],
    'E (a INT TAG) UPCAST FROM (b INT) AS (a := b)',
    [['E', [2], true]],
  ],
  [
    'a renamed event',
    [
      ['Old (a INT)', 2],
      ['Old (a INT, b STRING)', 1],
    ],
    'E (a BIGINT) UPCAST FROM EVENT Old (a INT) AS () UPCAST FROM EVENT Old (a INT, b STRING) AS ()',
    [
      ['Old', [1], true],
      ['Old', [2], true],
    ],
  ],
  [
    'a renamed event needs a clause for every version',
    [
      ['Old (a INT)', 2],
      ['Old (a INT, b STRING)', 1],
    ],
    'E (a INT) UPCAST FROM EVENT Old (a INT) AS ()',
    [
      "E0440 event 'E' has no clause for 1 event stored as version 2 of 'Old'; write how it reads: UPCAST FROM EVENT Old (a INT, b STRING) AS ()",
    ],
  ],
  [
    'a renamed event stays so',
    [
      ['Old (a INT)', 2],
      ['E (a INT) UPCAST FROM EVENT Old (a INT) AS ()', 0],
    ],
    'E (a INT, c INT)',
    [
      "E0440 event 'E' has no clause for 2 events stored as version 1 of 'Old'; write how they read: UPCAST FROM EVENT Old (a INT) AS (c := /* INT */)",
    ],
  ],
  [
    'a value that was stored as SENSITIVE stays so',
    [['E (pin STRING SENSITIVE)', 1]],
    'E (a STRING, b INT) UPCAST FROM (pin STRING) AS (a := pin, b := LENGTH(pin))',
    [
      "E0701 field 'a' is not SENSITIVE and cannot take a value that derives from pin",
      "E0701 field 'b' is not SENSITIVE and cannot take a value that derives from pin",
    ],
  ],
  [
    'also one that carries over',
    [['E (pin STRING SENSITIVE, a INT)', 1]],
    'E (pin STRING) UPCAST FROM (pin STRING, a INT) AS ()',
    ["E0701 field 'pin' is not SENSITIVE and cannot take a value that derives from pin"],
  ],
  [
    'chance, time, queries and aggregates are refused',
    [],
    'E (a DOUBLE, b TIMESTAMP, c INT, d INT) UPCAST FROM (x INT) AS (a := random(), b := CURRENT_TIMESTAMP, c := (SELECT 1), d := MAX(x))',
    [
      'E0416 RANDOM is not allowed in an UPCAST clause: it would give another value each time it is computed',
      'E0416 the current time is not allowed in an UPCAST clause: it would give another value each time it is computed',
      "E0412 a query is not allowed in the UPCAST of 'c'; it reads only what is given to it",
      "E0602 MAX is not allowed in the UPCAST of 'd'",
    ],
  ],
] as const) {
  test(what, () => {
    const found = outcome(definition, recorded);
    assert.equal(found, wanted);
  });
}

const types = ['INT', 'BIGINT', 'STRING', 'VARCHAR(4)', 'DECIMAL(8,2)', 'DOUBLE', 'BOOLEAN', 'DATE', 'JSON'] as const;
const fields = fc
  .uniqueArray(fc.record({ name: fc.constantFrom('a', 'b', 'c', 'From', 'select'), type: fc.constantFrom(...types) }), {
    selector: ({ name }) => name,
  })
  .map((all) => all.map(({ name, type }) => `${name} ${type}`).join(', '));

test('what a refusal offers compiles once it is filled in', () => {
  let refused = 0;
  fc.assert(
    fc.property(fields, fields, fc.boolean(), (before, now, renamed) => {
      const from = renamed ? 'Old' : 'E';
      const recorded = history([[`${from} (${before})`, 1]]);
      const wrong = renamed ? ' UPCAST FROM EVENT Old (never INT) AS ()' : '';
      const { diagnostics } = put(emptyRegistry, `CREATE EVENT E (${now})${wrong};`, { history: recorded });
      const fix = diagnostics.find(({ severity }) => severity === 'error')?.fix;
      if (fix === undefined) return;
      refused++;
      const text = `CREATE EVENT E (${now})${fix.replacement.replaceAll(/\/\*.*?\*\//g, 'NULL')};`;
      assert.equal(messagesOf(put(emptyRegistry, text, { history: recorded })), [], text);
    }),
    { numRuns: 150 },
  );
  assert.ok(refused > 30, `only ${refused} definitions were refused`);
});

test.run();
