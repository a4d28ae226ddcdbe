import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { noHistory, type Registry, type StoredHistory } from '../../compiler/analyse/environment/registry.ts';
import { registryEnvironment } from '../../compiler/analyse/incremental/registry-environment.ts';
import { resolveType } from '../../compiler/analyse/type/resolve-type.ts';
import { emptyRegistry } from '../../compiler/analyse/incremental/open-registry.ts';
import type { Type } from '../../language/values/type.ts';
import { blocksOf, messagesOf, put } from './language.ts';

function typeOf(name: string): Type {
  const [event] = blocksOf(`CREATE EVENT E (f ${name});`);
  const node = event?.kind === 'CreateEvent' ? event.fields[0]?.type : undefined;
  const type =
    node === undefined
      ? undefined
      : resolveType(node, { environment: registryEnvironment(emptyRegistry), report: () => undefined });
  if (type === undefined) throw new Error(name);
  return type;
}

/** The messages without the clause that they offer, which `upcasts.test.ts` tests. */
function withoutClause(messages: readonly string[]): readonly string[] {
  return messages.map((message) => message.replace(/(?:, unless a clause says|; if it is the new name).*$/, ''));
}

function stored(...types: readonly string[]): StoredHistory {
  const definitions = types.map((name, index) => ({
    event: 'E',
    version: index + 1,
    count: 1,
    fields: [{ name: 'f', type: typeOf(name), sensitive: false, volatile: false }],
  }));
  return { ...noHistory, definitions, versions: [{ event: 'E', version: 4 }] };
}

// Evolution against what is stored: [stored, declared, accepted]
for (const [before, now, accepted] of [
  ['INT', 'INT', true],
  ['INT', 'BIGINT', true],
  ['INT', 'DECIMAL(12,2)', true],
  ['INT', 'DECIMAL(10,2)', false],
  ['INT', 'STRING', false],
  ['INT', 'DOUBLE', false],
  ['BIGINT', 'INT', false],
  ['BIGINT', 'DECIMAL(18,0)', true],
  ['BIGINT', 'DECIMAL(18,2)', false],
  ['DECIMAL(8,2)', 'DECIMAL(9,2)', true],
  ['DECIMAL(8,2)', 'DECIMAL(9,3)', true],
  ['DECIMAL(8,2)', 'DECIMAL(8,3)', false],
  ['DECIMAL(8,2)', 'BIGINT', false],
  ['VARCHAR(5)', 'VARCHAR(9)', true],
  ['VARCHAR(5)', 'STRING', true],
  ['VARCHAR(5)', 'VARCHAR(4)', false],
  ['STRING', 'VARCHAR(9)', false],
  ['STRING', 'UUID', false],
  ['DATE', 'TIMESTAMP', false],
  ['JSON', 'JSON', true],
] as const) {
  test(`stored ${before}, now ${now}: ${accepted ? 'widens' : 'refused'}`, () => {
    const found = messagesOf(put(emptyRegistry, `CREATE EVENT E (f ${now});`, { history: stored(before) }));
    assert.equal(
      found.map((message) => message.slice(0, 5)),
      accepted ? [] : ['E0417'],
    );
  });
}

for (const [before, now, rest] of [
  [
    'INT',
    'DECIMAL(10,2)',
    'it may become BIGINT or a DECIMAL with 10 or more digits before the point, not DECIMAL(10,2)',
  ],
  ['BIGINT', 'DECIMAL(18,2)', 'it may become DECIMAL(18,0), not DECIMAL(18,2)'],
  [
    'DECIMAL(8,2)',
    'DECIMAL(8,3)',
    'it may become a DECIMAL with 6 or more digits before the point and 2 or more behind it, not DECIMAL(8,3)',
  ],
  ['VARCHAR(5)', 'VARCHAR(4)', 'it may become STRING or a longer VARCHAR, not VARCHAR(4)'],
  ['STRING', 'UUID', 'it cannot become UUID'],
  ['DATE', 'TIMESTAMP', 'it cannot become TIMESTAMP'],
] as const) {
  test(`refusing ${before} as ${now} says which types are allowed`, () => {
    const found = messagesOf(put(emptyRegistry, `CREATE EVENT E (f ${now});`, { history: stored(before) }));
    assert.equal(withoutClause(found), [`E0417 event 'E' has stored events in which 'f' is ${before}; ${rest}`]);
  });
}

test('every stored version is checked, of dropped and re-created events too', () => {
  const history = stored('INT', 'DECIMAL(12,4)');
  assert.equal(messagesOf(put(emptyRegistry, 'CREATE EVENT E (f BIGINT);', { history })).length, 1);
  assert.equal(messagesOf(put(emptyRegistry, 'CREATE EVENT E (f DECIMAL(14,4));', { history })), []);
  assert.equal(messagesOf(put(emptyRegistry, 'CREATE EVENT E (g STRING);', { history })), []);
  assert.equal(messagesOf(put(emptyRegistry, 'CREATE EVENT Other (f STRING);', { history })), []);
});

test('a field stored as SENSITIVE stays SENSITIVE', () => {
  const fields = [{ name: 'f', type: typeOf('STRING'), sensitive: true, volatile: false }];
  const history = { ...noHistory, definitions: [{ event: 'E', version: 1, count: 1, fields }] };
  assert.equal(messagesOf(put(emptyRegistry, 'CREATE EVENT E (f STRING);', { history })), [
    "E0418 event 'E' has stored events in which 'f' is SENSITIVE, so it must stay SENSITIVE",
  ]);
  assert.equal(messagesOf(put(emptyRegistry, 'CREATE EVENT E (f STRING SENSITIVE);', { history })), []);
});

test('every accepted change raises the version', () => {
  const versionOf = ({ catalog }: Registry): number | undefined => catalog.blocks.event[0]?.version;
  const first = put(emptyRegistry, 'CREATE EVENT E (f INT);').registry;
  const second = put(first, 'CREATE OR REPLACE EVENT E (f INT, g INT);').registry;
  const same = put(second, 'CREATE OR REPLACE EVENT E (f INT, g INT);').registry;
  assert.equal([first, second, same].map(versionOf), [1, 2, 2]);
  const again = put(emptyRegistry, 'CREATE EVENT E (f INT);', { history: stored('INT') }).registry;
  assert.equal(versionOf(again), 5);
});

/** Definitions of E, oldest first, each with its number of stored events. */
function history(...versions: readonly (readonly [fields: string, count: number])[]): StoredHistory {
  const known = versions.map(([fields, count]) => {
    const block = put(emptyRegistry, `CREATE EVENT E (${fields});`).registry.catalog.blocks.event[0];
    return { count, text: block?.text ?? '', fields: block?.fields ?? [] };
  });
  const last = known.at(-1);
  const lastFields = last?.fields.filter(({ volatile }) => !volatile) ?? [];
  return {
    ...noHistory,
    definitions: known.map(({ count, fields }, index) => ({ event: 'E', version: index + 1, count, fields })),
    versions: last === undefined ? [] : [{ event: 'E', version: known.length, text: last.text, fields: lastFields }],
  };
}

const renamed = (field: string, added: string, told: string): string =>
  `E0423 event 'E' has '${added}' in place of '${field}'; ${told.replace(' and ', ` with '${field}' and `)} NULL for '${added}'`;
const dropped = (field: string, told: string): string =>
  `E0424 event 'E' no longer stores '${field}'; ${told} with it, and it is no longer read`;

// Fields that stored events have and a change omits: [what, definitions with their stored events, new definition,
// warnings]
for (const [what, before, now, told] of [
  ['a new name', [['f INT', 3]], 'g INT', [renamed('f', 'g', '3 events are stored and read')]],
  ['one event', [['f INT', 1]], 'g INT', [renamed('f', 'g', '1 event is stored and reads')]],
  ['a new name of a wider type', [['f INT', 3]], 'g BIGINT', [renamed('f', 'g', '3 events are stored and read')]],
  ['another type', [['f INT', 3]], 'g STRING', [dropped('f', '3 events are stored')]],
  ['a narrower type', [['f BIGINT', 3]], 'g INT', [dropped('f', '3 events are stored')]],
  ['no successor', [['f INT, h INT', 3]], 'h INT', [dropped('f', '3 events are stored')]],
  ['a successor that is never stored', [['f INT', 3]], 'g INT VOLATILE', [dropped('f', '3 events are stored')]],
  ['a field that is stored no longer', [['f INT', 3]], 'f INT VOLATILE', [dropped('f', '3 events are stored')]],
  ['a field that was never stored', [['f INT VOLATILE', 3]], 'g INT', []],
  ['nothing stored', [['f INT', 0]], 'g INT', []],
  [
    'nothing stored with the field',
    [
      ['h INT', 3],
      ['h INT, f INT', 0],
    ],
    'h INT, g INT',
    [],
  ],
  ['another case', [['f INT', 3]], 'F INT', []],
  ['an added field', [['f INT', 3]], 'f INT, g INT', []],
  [
    'the same definition',
    [
      ['f INT', 3],
      ['g INT', 2],
    ],
    'g INT',
    [],
  ],
  [
    'a field that went before',
    [
      ['f INT', 3],
      ['g INT', 2],
    ],
    'g INT, h INT',
    [],
  ],
  [
    'several versions',
    [
      ['f INT', 3],
      ['f INT, h INT', 2],
    ],
    'h INT, g INT',
    [renamed('f', 'g', '5 events are stored and read')],
  ],
  [
    'back to the old name',
    [
      ['f INT', 3],
      ['g INT', 2],
    ],
    'f INT',
    [renamed('g', 'f', '2 events are stored and read')],
  ],
  [
    'both names for a time',
    [
      ['f INT', 3],
      ['f INT, g INT', 2],
    ],
    'g INT',
    [dropped('f', '5 events are stored')],
  ],
  [
    'two of one type',
    [['a INT, b INT', 4]],
    'c INT, d INT',
    [renamed('a', 'c', '4 events are stored and read'), renamed('b', 'd', '4 events are stored and read')],
  ],
] as const) {
  test(`${what}: ${told.length === 0 ? 'no warning' : 'a warning'}`, () => {
    const text = `CREATE EVENT E (${now});`;
    assert.equal(withoutClause(messagesOf(put(emptyRegistry, text, { history: history(...before) }))), told);
  });
}

test.run();
