/**
 * Every entry of the catalogue, over every choice of argument types that it takes, with edge and random values: the result of sql.js for
 * the printed SQL equals that of the printed TypeScript, failures included, and every result reads back from the log.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { functionThemes } from '../../compiler/functions/catalogue.ts';
import type { FunctionEntry, GivenArgument } from '../../compiler/functions/entry.ts';
import type { Type, Value } from '../../language/values/type.ts';
import { fromPayload, toPayload } from '../../language/values/payload.ts';
import { isSoundText } from '../../language/values/text.ts';
import { printCall, shown, sqliteEvaluator, typescriptEvaluator, type ColumnForm, type Outcome } from './engines.ts';
import { createRandom, sampleTypes, sampleValues } from './samples.ts';

const seed = Number(process.env['SEED'] ?? '20260101');
const rounds = Number(process.env['ROUNDS'] ?? '1');
const forms: readonly ColumnForm[] = [
  { nullable: true, simple: true },
  { nullable: true, simple: false },
  { nullable: false, simple: true },
  { nullable: false, simple: false },
];

/** Literals that some entries need instead of a column. */
const literals: Readonly<Record<string, readonly (readonly (string | number | undefined)[])[]>> = {
  EXTRACT: [
    'YEAR',
    'month',
    'WEEK',
    'ISOYEAR',
    'DOW',
    'ISODOW',
    'DOY',
    'QUARTER',
    'CENTURY',
    'DECADE',
    'MILLENNIUM',
    'HOUR',
    'MINUTE',
    'SECOND',
    'MILLISECONDS',
    'MICROSECONDS',
    'EPOCH',
  ].map((part) => [part]),
  ARROW_CAST: [
    'Utf8',
    'Int32',
    'Int64',
    'Float64',
    'Boolean',
    'Date32',
    'Timestamp(Microsecond, UTC)',
    'Decimal128(10, 2)',
  ].map((name) => [undefined, name]),
  at_time_zone: ['Europe/Oslo', 'America/New_York', 'Australia/Lord_Howe', 'utc', undefined].map((zone) => [
    undefined,
    zone,
    '',
  ]),
  truncate_in_zone: [
    ...['hour', 'DAY', 'week', 'month', 'year'].flatMap((unit) =>
      ['Europe/Dublin', 'Asia/Kathmandu'].map((zone) => [unit, undefined, zone, '']),
    ),
    // Its oldest offset has seconds, so that the minute of an instant begins up to 48 s before the year 1.
    ['minute', undefined, 'Pacific/Chatham', ''],
  ],
  ROUND: [-2, 0, 3, 18].map((places) => [undefined, places]),
  TRUNC: [-2, 0, 3, 18].map((places) => [undefined, places]),
  json_get_text: [
    [undefined, 'a'],
    [undefined, 'b'],
    [undefined, 1],
    [undefined, -1],
  ],
  json_get: [
    [undefined, 'a'],
    [undefined, 0],
  ],
};

function given(types: readonly Type[], chosen: readonly (string | number | undefined)[]): readonly GivenArgument[] {
  return types.map((type, index) => {
    const literal = chosen[index];
    if (literal === undefined) return { type, untyped: false };
    return typeof literal === 'string'
      ? { type: { kind: 'STRING' }, untyped: true, literal }
      : { type: { kind: 'INT' }, untyped: false, literal };
  });
}

/**
 * The types for which an entry is tested: all pairs, and for longer calls combinations that start with one of each
 * kind.
 */
function* combinations(arity: number, pool = arity > 2 ? someTypes : sampleTypes): Iterable<readonly Type[]> {
  if (arity === 0) yield [];
  else for (const rest of combinations(arity - 1, pool)) for (const type of pool) yield [...rest, type];
}
const [instants, text] = [
  sampleTypes.filter(({ kind }) => ['TIMESTAMP', 'WALL', 'DATE'].includes(kind)),
  { kind: 'STRING' } as const,
];
/** Types for entries that accept none of the combinations that are tried of this number of arguments. */
const typesFor: Readonly<Record<string, readonly (readonly Type[])[]>> = {
  at_time_zone: instants.map((instant) => [instant, text, text]),
  truncate_in_zone: instants.map((instant) => [text, instant, text, text]),
};
const someTypes: readonly Type[] = sampleTypes.filter(({ kind }, index) => index < 3 || kind === 'STRING');

function check(
  entry: FunctionEntry,
  types: readonly Type[],
  chosen: readonly (string | number | undefined)[],
  random: () => number,
): number {
  const resolution = entry.resolve(given(types, chosen));
  if ('problem' in resolution) return 0;
  const values = pick(types, chosen, random);
  const texts = chosen.map((literal) =>
    typeof literal === 'string'
      ? `'${literal}'`
      : literal === undefined
        ? undefined
        : literal < 0
          ? `(${literal})`
          : String(literal),
  );
  const literalTypes = types.map((type, index) => given(types, chosen)[index]?.type ?? type);
  for (const [index, form] of forms.entries()) {
    const printed = printCall(entry, resolution, literalTypes, form, texts);
    const inSqlite = sqliteEvaluator(printed.sqlite, literalTypes, printed.result);
    const inTypescript = typescriptEvaluator(printed.typescript, types.length);
    // The first form tests the common part; the others are printed differently, which a sample tests.
    for (const row of index === 0 ? values : values.slice(-rounds * 2)) {
      if (!form.nullable && row.includes(null)) continue;
      const outcome = inTypescript(row);
      const actual = shown(outcome, printed.result);
      const expected = shown(inSqlite.evaluate(row), printed.result);
      if (actual !== expected) {
        assert.unreachable(
          `${entry.name}(${JSON.stringify(types)}) of ${shown({ value: row }, { kind: 'NULL' })}\n  ${printed.typescript} = ${actual}\n  ${printed.sqlite} = ${expected}`,
        );
      }
      if (index === 0)
        assert.ok(readsBack(outcome, printed.result), `${entry.name} gave ${actual}, which does not read back`);
      const nullable = resolution.nullable(row.map((value) => value === null));
      assert.not(!nullable && actual === 'null', `${entry.name} gave NULL, which it says it never does`);
      if (entry.strict === true && !actual.startsWith('R'))
        assert.is(actual === 'null', row.includes(null), `${entry.name} is not strict`);
    }
    inSqlite.free();
  }
  return 1;
}

/** Whether the log gives a result back as it was; a failure stores nothing. */
function readsBack(outcome: Outcome, type: Type): boolean {
  if ('failure' in outcome) return true;
  if (typeof outcome.value === 'string' && !isSoundText(outcome.value)) return false;
  try {
    const value = fromPayload(JSON.parse(JSON.stringify(toPayload(outcome.value, type))), type);
    return shown({ value }, type) === shown(outcome, type);
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

/** Rows of values: each edge of each argument with random ones of the others. */
function pick(
  types: readonly Type[],
  chosen: readonly (string | number | undefined)[],
  random: () => number,
): readonly (readonly Value[])[] {
  const pools = types.map((type, index) =>
    chosen[index] === undefined ? sampleValues(type, random, rounds) : [chosen[index] ?? null],
  );
  const any = (pool: readonly Value[]): Value => pool[Math.floor(random() * pool.length)] ?? null;
  const edges = pools.flatMap((pool, index) =>
    pool.map((value) => pools.map((other, at) => (at === index ? value : any(other)))),
  );
  return [...edges, ...Array.from({ length: rounds * 2 }, () => pools.map(any))];
}

for (const { theme, entries } of functionThemes) {
  test(`${theme}: both engines agree (seed ${seed})`, () => {
    for (const entry of entries) {
      const random = createRandom(seed);
      let taken = 0;
      for (let arity = 0; arity <= (typesFor[entry.name] === undefined ? 3 : 4); arity++) {
        for (const types of typesFor[entry.name]?.filter(({ length }) => length === arity) ?? combinations(arity)) {
          for (const chosen of [[], ...(literals[entry.name] ?? [])]) {
            if (chosen.length <= arity) taken += check(entry, types, chosen, random);
          }
        }
      }
      assert.ok(taken > 0, `${entry.name} takes nothing that was tried`);
    }
  });
}

test.run();
