import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EntryBody, LogEntry } from '../../runtime/store/entry.ts';
import { decodeLine, encodeLine } from '../../runtime/store/line.ts';

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

test('an entry comes back from its line as it was, and the line is one line', () => {
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
    }),
    { numRuns: 500 },
  );
});

test('a payload that would break the line is refused', () => {
  const events = [{ position: 1, id: '', type: 'E', version: 1, streamType: 'A', streamId: '1', seq: 1, data: '{\n}' }];
  const entry = { kind: 'command', number: 1, at: '0', command: 'C', streamType: 'A', streamId: '1', events } as const;
  assert.throws(() => encodeLine(entry), 'a payload holds a raw tab or line end');
});

for (const [title, line] of [
  ['nothing', ''],
  ['an object', '{}'],
  ['an unknown kind', '["x",1,"0"]'],
  ['a payload too few', '["c",1,"0","C","A","1",1,[["i","E",1,1]]]'],
  ['a payload too many', '["c",1,"0","C","A","1",1,[]]\t{}'],
] as const) {
  test(`${title} is no line`, () => {
    assert.throws(() => decodeLine(line));
  });
}

test.run();
