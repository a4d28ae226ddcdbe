import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Column } from '../../language/contract/query.ts';
import type { Value } from '../../language/values/type.ts';
import { jsonObjects } from '../../server/http/representation/json.ts';

const columns: readonly Column[] = [
  { name: 'text', type: { kind: 'STRING' }, nullable: true, sensitive: false },
  { name: 'whole', type: { kind: 'BIGINT' }, nullable: true, sensitive: false },
];
const print = jsonObjects(columns);

// In this order: a text that was printed for the row before is not printed again.
for (const [row, expected] of [
  [['a', 1n], '{"text":"a","whole":1}'],
  [['a', -1n], '{"text":"a","whole":-1}'],
  [[null, null], '{"text":null,"whole":null}'],
  [['', 0n], '{"text":"","whole":0}'],
  [['null', 9007199254740991n], '{"text":"null","whole":9007199254740991}'],
  [['null', 9007199254740992n], '{"text":"null","whole":"9007199254740992"}'],
  [['a "b"\n', -9007199254740991n], '{"text":"a \\"b\\"\\n","whole":-9007199254740991}'],
  [['a', -9007199254740993n], '{"text":"a","whole":"-9007199254740993"}'],
  [['a', 10n ** 400n], `{"text":"a","whole":"1${'0'.repeat(400)}"}`],
  [[], '{"text":null,"whole":null}'],
] as readonly (readonly [readonly Value[], string])[])
  test(`a row is printed as ${expected.slice(0, 60)}`, () => {
    assert.is(print(row), expected);
  });

test.run();
