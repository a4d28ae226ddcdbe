import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EntryBody, LogEntry } from '../../runtime/store/entry.ts';
import { blockKinds } from '../../language/contract/block-kind.ts';
import {
  cellsProblem,
  commandCells,
  operatorMarks,
  ownCellsProblem,
  type CommandCells,
} from '../../runtime/store/cells.ts';
import { checkEntry } from '../../runtime/store/check-entry.ts';
import { parseScript } from '../../compiler/index.ts';
import { createEntryMask } from '../../cli/log/mask-entry.ts';
import { decodeLine, encodeLine, UnknownInLine } from '../../runtime/store/line.ts';

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', 'a\tb\nc', '\u2028', '"', '\\', '😀', '\ud800', '__proto__'),
);
const payload = fc
  .dictionary(
    fc.oneof(text, fc.constant('__proto__')),
    fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null)),
  )
  .map((leaves) => JSON.stringify(leaves));
const optional = <T>(name: string, value: fc.Arbitrary<T>): fc.Arbitrary<object> =>
  fc.oneof(
    fc.constant({}),
    value.map((given) => ({ [name]: given })),
  );

const plain = { noNullPrototype: true } as const;
const event = fc.record(
  {
    id: text,
    type: text,
    version: fc.nat(),
    streamType: fc.constantFrom('A', 'B'),
    streamId: fc.constantFrom('1', '2', 'ü'),
    seq: fc.nat(),
    data: payload,
  },
  plain,
);
const label = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 });
const cells: fc.Arbitrary<CommandCells> = fc
  .record(
    {
      arguments: payload,
      defaulted: fc.array(label, { maxLength: 3 }),
      withheld: fc.array(label, { maxLength: 3 }),
      seed: fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => Buffer.from(bytes).toString('hex')),
      subject: label,
      registry: fc.maxSafeNat(),
      branches: fc.array(fc.integer({ min: 1 }), { maxLength: 3 }),
      failure: label,
      reaction: fc.record(
        {
          name: label,
          generation: fc.integer({ min: 1 }),
          position: fc.nat(),
          branch: label,
          low: fc.nat(),
          is: fc.constantFrom(...operatorMarks),
        },
        { ...plain, requiredKeys: ['name', 'generation', 'position'] },
      ),
      subscription: fc.record({ name: label, generation: fc.integer({ min: 1 }), position: fc.nat() }, plain),
      depth: fc.integer({ min: 1, max: 65_535 }),
    },
    { ...plain, requiredKeys: [] },
  )
  .filter((all) => all.arguments !== undefined || (all.defaulted ?? all.withheld) === undefined);
const command: fc.Arbitrary<EntryBody> = fc
  .tuple(
    fc.record({ command: text, streamType: fc.constantFrom('A', 'B'), streamId: fc.constantFrom('1', 'ü') }, plain),
    fc.array(event, { maxLength: 4 }),
    fc.nat(),
    optional('commandId', text),
    optional('fingerprint', text),
    optional('rejection', text),
    optional('correlationId', text),
    optional('causationId', text),
    optional('cells', cells),
  )
  .map(([base, events, position, ...rest]) => ({
    kind: 'command',
    ...base,
    events: events.map((one, index) => ({ position: (events.length === 0 ? 0 : position) + index, ...one })),
    ...Object.assign({}, ...rest),
  }));
const schema: fc.Arbitrary<EntryBody> = fc.record(
  {
    kind: fc.constant('schema' as const),
    origin: fc.constantFrom('files' as const, 'create' as const),
    changes: fc.array(
      fc.record({ change: fc.constant('put' as const), block: fc.constant('event' as const), name: text, text }, plain),
    ),
  },
  plain,
);
const inspection: fc.Arbitrary<EntryBody> = fc.record(
  {
    kind: fc.constant('inspection' as const),
    name: text,
    inspected: fc.constantFrom('Decision' as const, 'Projection' as const),
    block: text,
    input: text,
    fullSql: text,
  },
  plain,
);

test('an entry is read back from its line unchanged, and has one line', () => {
  const entry = fc
    .tuple(
      fc.oneof({ weight: 3, arbitrary: command }, schema, inspection),
      fc.integer({ min: 1 }),
      fc.bigInt({ min: 0n, max: 2n ** 62n }),
    )
    .map(([body, number, at]): LogEntry => ({ ...body, number, at: String(at) }));
  fc.assert(
    fc.property(entry, (given) => {
      const line = encodeLine(given);
      assert.not(line.includes('\n'));
      assert.equal(decodeLine(line), given);
      assert.is(checkEntry(JSON.parse(JSON.stringify(given))), undefined);
    }),
    { numRuns: 500 },
  );
});

const many = (count: number): string[] => Array.from({ length: count }, () => 'x');
const mark = { name: 'R', generation: 1, position: 2 };
const limits: readonly (readonly [cells: object, field: string | undefined])[] = [
  [{ arguments: `{"a":"${'x'.repeat(1024 * 1024 - 8)}"}` }, undefined],
  [{ arguments: `{"a":"${'x'.repeat(1024 * 1024 - 7)}"}` }, 'arguments'],
  [{ arguments: '[]' }, 'arguments'],
  [{ arguments: '{\n}' }, 'arguments'],
  [{ arguments: '{' }, 'arguments'],
  [{ defaulted: ['a'] }, 'defaulted'],
  [{ withheld: ['a'] }, 'withheld'],
  [{ arguments: '{}', withheld: [''] }, 'withheld'],
  [{ arguments: '{}', defaulted: many(10_000) }, undefined],
  [{ arguments: '{}', defaulted: many(10_001) }, 'defaulted'],
  [{ seed: '0'.repeat(32) }, undefined],
  [{ seed: `01${'0'.repeat(32)}` }, undefined],
  [{ seed: `02${'0'.repeat(32)}` }, 'seed'],
  [{ seed: '0'.repeat(31) }, 'seed'],
  [{ seed: 'F'.repeat(32) }, 'seed'],
  [{ subject: 'x'.repeat(16 * 1024) }, undefined],
  [{ subject: 'x'.repeat(16 * 1024 + 1) }, 'subject'],
  [{ subject: '' }, 'subject'],
  [{ registry: -1 }, 'registry'],
  [{ registry: 1.5 }, 'registry'],
  [{ branches: [0] }, 'branches'],
  [{ failure: '' }, 'failure'],
  [{ depth: 65_535 }, undefined],
  [{ depth: 65_536 }, 'depth'],
  [{ depth: 0 }, 'depth'],
  [{ reaction: mark }, undefined],
  [{ reaction: { ...mark, generation: 0 } }, 'reaction'],
  [{ reaction: { ...mark, more: 1 } }, 'reaction'],
  [{ reaction: { name: 'R', generation: 1 } }, 'reaction'],
  [{ reaction: { ...mark, is: 'paused' } }, undefined],
  [{ reaction: { ...mark, is: 'answered' } }, 'reaction'],
  [{ subscription: { name: 'S', generation: 1, position: 0 } }, undefined],
  [{ subscription: { name: 'S', generation: 0, position: 0 } }, 'subscription'],
  [{ subject: 'a', more: 1 }, 'more'],
  [[], ''],
];
for (const [given, field] of limits) {
  const shown = JSON.stringify(given).slice(0, 60);
  test(`cells ${shown} are ${field === undefined ? 'accepted' : 'refused'}`, () => {
    assert.is(cellsProblem(given)?.field, field);
    // The text of arguments that this process printed is not parsed again.
    const parsed = field === 'arguments' && JSON.stringify(given).length < 100;
    if (!Array.isArray(given)) assert.is(ownCellsProblem(given)?.field, parsed ? undefined : field);
  });
}

const known = Object.keys(commandCells).join(', ');
for (const [title, line, says] of [
  ['an unknown kind', '["x",7,"0"]', 'the kind "x", which a newer schemac wrote; this version reads the kinds c, s, i'],
  [
    'an unknown cell',
    '["c",7,"0","C","A","1",1,[],"id",{"subject":"a","more":1}]',
    `the cell 'more', which a newer schemac wrote; this version reads the cells ${known}`,
  ],
  [
    'a cell named as what all objects have',
    '["c",7,"0","C","A","1",1,[],{"__proto__":1}]',
    `the cell '__proto__', which a newer schemac wrote; this version reads the cells ${known}`,
  ],
  [
    'a cell too many by place',
    '["c",7,"0","C","A","1",1,[],"1","2","3","4","5","6"]',
    '6 optional cells by place, which a newer schemac wrote; this version reads 5 of them',
  ],
  [
    'an event with a cell too many',
    '["c",7,"0","C","A","1",1,[["i","E",1,1,"x"]]]\t{}',
    'an event of 5 cells, which a newer schemac wrote; this version reads events of 4 and 6 cells',
  ],
  [
    'a cell of a schema entry',
    '["s",7,"0","files",[],{"more":1}]',
    "the cell 'more', which a newer schemac wrote; this version reads 5 cells of the kind 's' and none by name",
  ],
  [
    'a kind of block that is not known',
    '["s",7,"0","files",[{"change":"put","block":"studio","name":"R"}]]',
    `a block of the kind 'studio', which a newer schemac wrote; this version reads the kinds ${blockKinds.join(', ')}`,
  ],
  [
    'a cell of an inspection',
    '["i",7,"0","T","Decision","D","I","",1]',
    "1 cells too many, which a newer schemac wrote; this version reads 8 cells of the kind 'i' and none by name",
  ],
] as const) {
  test(`a line with ${title} is refused and named`, () => {
    assert.throws(
      () => decodeLine(line),
      (error: unknown) => error instanceof UnknownInLine && error.message === `entry 7 has ${says}`,
    );
  });
}

test('a payload that would break the line is refused', () => {
  const events = [{ position: 1, id: '', type: 'E', version: 1, streamType: 'A', streamId: '1', seq: 1, data: '{\n}' }];
  const entry = { kind: 'command', number: 1, at: '0', command: 'C', streamType: 'A', streamId: '1', events } as const;
  assert.throws(() => encodeLine(entry), 'a payload holds a raw tab or line end');
});

for (const [title, line] of [
  ['nothing', ''],
  ['an object', '{}'],
  ['a payload too few', '["c",1,"0","C","A","1",1,[["i","E",1,1]]]'],
  ['a payload too many', '["c",1,"0","C","A","1",1,[]]\t{}'],
] as const) {
  test(`${title} is refused as a line`, () => {
    assert.throws(() => decodeLine(line));
  });
}

test('stored arguments are masked in shown entries, by all versions of their command', () => {
  const mask = createEntryMask(parseScript);
  const put = (text: string): LogEntry => ({
    kind: 'schema',
    number: 1,
    at: '0',
    origin: 'files',
    changes: [{ change: 'put', block: 'command', name: 'C', text }],
  });
  mask(put('CREATE COMMAND C (id STRING, pin INT SENSITIVE, word STRING);'));
  mask(put('CREATE OR REPLACE COMMAND C (id STRING, pin INT, word STRING SENSITIVE);'));
  const given = { id: 'x', pin: 7, word: 'secret' };
  const cells = { arguments: JSON.stringify(given), subject: 'me' };
  const base = { kind: 'command', number: 2, at: '0', streamType: 'A', streamId: 'x', events: [] } as const;
  const entry = { ...base, command: 'C', cells };
  assert.equal(mask(entry), { ...entry, cells: { ...cells, arguments: '{"id":"x","pin":null,"word":"****"}' } });
  const other = { ...entry, command: 'Other' };
  assert.equal(mask(other), other);
  const exact = { ...entry, cells: { arguments: '{"id":"x","amount":9007199254740993.10,"word":"secret"}' } };
  const shown = { arguments: '{"id":"x","amount":9007199254740993.10,"word":"****"}' };
  assert.equal(mask(exact), { ...exact, cells: shown }, 'numbers keep their digits');
});

test.run();
