/**
 * Where docs/language.md is silent, PostgreSQL decides: each expression below is also run on PostgreSQL. Intended differences are listed with their reasons, and a listed one that no longer occurs fails.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canCast, printCastTypescript } from '../../compiler/functions/cast.ts';
import { lookupFunction } from '../../compiler/functions/catalogue.ts';
import type { GivenArgument } from '../../compiler/functions/entry.ts';
import { parseDecimal } from '../../language/values/decimal.ts';
import { parseInterval } from '../../language/values/interval-text.ts';
import { printValue } from '../../language/values/cast.ts';
import { typeName, type Type, type Value } from '../../language/values/type.ts';
import { printCall, sqliteEvaluator, typescriptEvaluator, type Outcome } from './engines.ts';
import { postgresType, startPostgres } from './postgres.ts';
import { createRandom, sampleValues } from './samples.ts';

const seed = Number(process.env['SEED'] ?? '20260101');
const postgres = await startPostgres();

const types: readonly Type[] = [
  { kind: 'INT' },
  { kind: 'BIGINT' },
  { kind: 'DECIMAL', precision: 5, scale: 2 },
  { kind: 'DECIMAL', precision: 12, scale: 6 },
  { kind: 'DOUBLE' },
  { kind: 'STRING' },
  { kind: 'BOOLEAN' },
  { kind: 'TIMESTAMP' },
  { kind: 'WALL' },
  { kind: 'DATE' },
  { kind: 'INTERVAL' },
  { kind: 'JSON' },
];

type Literals = readonly (string | number | undefined)[];
const parts = [
  'YEAR',
  'MONTH',
  'DAY',
  'QUARTER',
  'WEEK',
  'ISOYEAR',
  'DOW',
  'ISODOW',
  'DOY',
  'DECADE',
  'CENTURY',
  'MILLENNIUM',
];
const clock = ['HOUR', 'MINUTE', 'SECOND', 'MILLISECONDS', 'MICROSECONDS', 'EPOCH'];
const units = [
  'microsecond',
  'millisecond',
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
  'decade',
  'century',
  'millennium',
];

const zones = [
  ...['Europe/Oslo', 'America/New_York', 'Australia/Lord_Howe', 'Asia/Kolkata', 'America/Sao_Paulo', 'Pacific/Apia'],
  ...['Europe/Dublin', 'Asia/Tehran', 'America/Scoresbysund', 'UTC'],
];

/** Entries of the catalogue and how PostgreSQL writes them; literals stand for arguments that an entry wants known. */
const expressions: readonly (readonly [string, string, Literals?])[] = [
  ...[...parts, ...clock].map((part): [string, string, Literals] => ['EXTRACT', `extract(${part} from c1)`, [part]]),
  ...units.map((unit): [string, string, Literals] => ['DATE_TRUNC', `date_trunc('${unit}', c1::timestamptz)`, [unit]]),
  ...zones.flatMap((zone): [string, string, Literals][] => [
    ['at_time_zone', `c0 AT TIME ZONE '${zone}'`, [undefined, zone, '']],
    ...['hour', 'day', 'month'].map((unit): [string, string, Literals] => [
      'truncate_in_zone',
      `date_trunc('${unit}', c1::timestamptz, '${zone}')`,
      [unit, undefined, zone, ''],
    ]),
  ]),
  ...[-3, -1, 0, 1, 2, 5].flatMap((places): [string, string, Literals][] => [
    ['ROUND', `round(c0::numeric, ${places})`, [undefined, places]],
    ['TRUNC', `trunc(c0::numeric, ${places})`, [undefined, places]],
  ]),
  ...['a', 'k', 0, 3, -1].flatMap((key): [string, string, Literals][] => [
    ['json_get', `c0 -> ${typeof key === 'string' ? `'${key}'` : key}`, [undefined, key]],
    ['json_get_text', `c0 ->> ${typeof key === 'string' ? `'${key}'` : key}`, [undefined, key]],
  ]),
  ['add', 'c0 + c1'],
  ['subtract', 'c0 - c1'],
  ['multiply', 'c0 * c1'],
  ['divide', 'c0 / c1'],
  ['modulo', 'c0 % c1'],
  ['negate', '- c0'],
  ['equal', 'c0 = c1'],
  ['not_equal', 'c0 <> c1'],
  ['less', 'c0 < c1'],
  ['less_equal', 'c0 <= c1'],
  ['greater', 'c0 > c1'],
  ['greater_equal', 'c0 >= c1'],
  ['is_distinct', 'c0 IS DISTINCT FROM c1'],
  ['is_not_distinct', 'c0 IS NOT DISTINCT FROM c1'],
  ['and', 'c0 AND c1'],
  ['or', 'c0 OR c1'],
  ['not', 'NOT c0'],
  ['is_true', 'c0 IS TRUE'],
  ['is_false', 'c0 IS FALSE'],
  ['is_unknown', 'c0 IS UNKNOWN'],
  ['is_null', 'c0 IS NULL'],
  ['between', 'c0 BETWEEN c1 AND c2'],
  ['between_symmetric', 'c0 BETWEEN SYMMETRIC c1 AND c2'],
  ['like', 'c0 LIKE c1'],
  ['ilike', 'c0 ILIKE c1'],
  ['COALESCE', 'COALESCE(c0, c1)'],
  ['NULLIF', 'NULLIF(c0, c1)'],
  ['GREATEST', 'GREATEST(c0, c1)'],
  ['LEAST', 'LEAST(c0, c1)'],
  ['ABS', 'abs(c0)'],
  ['SIGN', 'sign(c0)'],
  ['CEIL', 'ceil(c0)'],
  ['FLOOR', 'floor(c0)'],
  ['ROUND', 'round(c0)'],
  ['TRUNC', 'trunc(c0)'],
  ['POWER', 'power(c0::float8, c1::float8)'],
  ['SQRT', 'sqrt(c0::float8)'],
  ['EXP', 'exp(c0::float8)'],
  ['LN', 'ln(c0::float8)'],
  ['LOG10', 'log(c0::float8)'],
  ['PI', 'pi()'],
  ['MOD', 'mod(c0, c1)'],
  ['concat', 'c0 || c1'],
  ['CONCAT', 'concat(c0, c1)'],
  ['CONCAT_WS', 'concat_ws(c0, c1, c2)'],
  ['UPPER', 'upper(c0)'],
  ['LOWER', 'lower(c0)'],
  ['INITCAP', 'initcap(c0)'],
  ['LENGTH', 'length(c0)'],
  ['CHAR_LENGTH', 'char_length(c0)'],
  ['SUBSTRING', 'substring(c0, c1)'],
  ['SUBSTR', 'substr(c0, c1, c2)'],
  ['LEFT', 'left(c0, c1)'],
  ['RIGHT', 'right(c0, c1)'],
  ['LPAD', 'lpad(c0, c1, c2)'],
  ['RPAD', 'rpad(c0, c1, c2)'],
  ['TRIM', 'btrim(c0, c1)'],
  ['LTRIM', 'ltrim(c0, c1)'],
  ['RTRIM', 'rtrim(c0)'],
  ['STRPOS', 'strpos(c0, c1)'],
  ['POSITION', 'position(c0 in c1)'],
  ['STARTS_WITH', 'starts_with(c0, c1)'],
  ['REPLACE', 'replace(c0, c1, c2)'],
  ['SPLIT_PART', 'split_part(c0, c1, c2)'],
  ['REVERSE', 'reverse(c0)'],
  ['REPEAT', 'repeat(c0, c1)'],
  ['YEAR', 'extract(year from c0)'],
  ['MONTH', 'extract(month from c0)'],
  ['DAY', 'extract(day from c0)'],
  ['DATE', 'c0::date'],
];

/** PostgreSQL would create texts of gigabytes; the language's limit is tested elsewhere. */
const lengthening: ReadonlySet<string> = new Set(['LPAD', 'RPAD', 'REPEAT']);

/** Intended differences. `when` gets the expression and its values; entries that never apply fail the test. */
interface Difference {
  readonly reason: string;
  readonly when: (asked: Asked) => boolean;
}
interface Asked {
  readonly name: string;
  readonly types: readonly Type[];
  readonly values: readonly Value[];
  readonly result: Type;
  readonly ours: string;
  readonly theirs: string;
}

const unpointed = (text: string): bigint => (/^-?\d+\.\d+$/.test(text) ? BigInt(text.replace('.', '')) : 0n);
const kindsOf = (asked: Asked): readonly string[] => asked.types.map((type) => type.kind);
/** Whether a DECIMAL of this scale has too few digits for a BIGINT or DECIMAL. */
const isTooWide = (value: Value, type: Type | undefined, scale: number): boolean => {
  if (typeof value !== 'bigint' || (type?.kind !== 'BIGINT' && type?.kind !== 'DECIMAL')) return false;
  return (value < 0n ? -value : value) >= 10n ** BigInt(18 - scale + (type.kind === 'DECIMAL' ? type.scale : 0));
};

const differences: readonly Difference[] = [
  {
    reason:
      'a DECIMAL has 18 digits, and a BIGINT with one counts as a DECIMAL (docs/language.md#types); numeric has 131072',
    when: ({ ours, theirs, result, values, types: chosen }) =>
      ours === 'R0202' &&
      result.kind === 'DECIMAL' &&
      (values.some((value, index) => isTooWide(value, chosen[index], result.scale)) ||
        Math.abs(Number(theirs)) >= 10 ** (18 - result.scale)),
  },
  {
    reason: 'dates lie in the years 0001 to 9999',
    when: ({ ours, theirs, result }) =>
      ours === 'R0202' &&
      (result.kind === 'DATE' ||
        ((result.kind === 'TIMESTAMP' || result.kind === 'WALL') && /^\d{5,}-| BC$/.test(theirs))),
  },
  {
    reason: 'a quotient is rounded once; PostgreSQL rounds it to more digits first',
    when: ({ name, result, ours, theirs }) =>
      name === 'divide' && result.kind === 'DECIMAL' && Math.abs(Number(unpointed(ours) - unpointed(theirs))) === 1,
  },
  {
    reason: 'rounding a whole number keeps it exact; PostgreSQL makes it a double',
    when: ({ name, types: chosen }) =>
      ['CEIL', 'FLOOR', 'ROUND', 'TRUNC'].includes(name) && chosen[0]?.kind === 'BIGINT',
  },
  {
    reason: 'a DOUBLE is written as JavaScript writes it, 1e-7 and 1000000000000000 for 1e-07 and 1e+15',
    when: (asked) => kindsOf(asked).includes('DOUBLE') && asked.result.kind === 'STRING',
  },
  {
    reason: 'a BOOLEAN is written true and false everywhere, in CONCAT too',
    when: (asked) => asked.name.startsWith('CONCAT') && kindsOf(asked).includes('BOOLEAN'),
  },
  {
    reason: 'a TIMESTAMP is written in its ISO form',
    when: (asked) =>
      asked.result.kind === 'STRING' && kindsOf(asked).some((kind) => kind === 'TIMESTAMP' || kind === 'WALL'),
  },
  {
    reason:
      "the C library that PGlite is built with gives 'ß' an upper case that Unicode's simple mapping does not have",
    when: ({ ours, theirs }) => theirs.includes('ẞ') && !ours.includes('ẞ'),
  },
  {
    reason: 'PostgreSQL negates the smallest INT without noticing that the result is itself',
    when: ({ name, values }) => name === 'RIGHT' && values[1] === -2147483648,
  },
  {
    reason: 'a DOUBLE too small to hold is 0, not an error',
    when: ({ ours, theirs, result }) => result.kind === 'DOUBLE' && ours === '0' && theirs === 'R0202',
  },
  {
    reason:
      'fractions of an INTERVAL are exact until the end; PostgreSQL computes with a double and rounds spilled days to a millionth',
    when: ({ name, types: chosen, ours, theirs }) =>
      (name === 'multiply' || name === 'divide') &&
      chosen.some(({ kind }) => kind === 'INTERVAL') &&
      (ours === 'R0202' || theirs === 'R0202' || sameInterval(ours, theirs)),
  },
  {
    reason: 'a number without a unit is no INTERVAL; PostgreSQL reads seconds',
    when: ({ name, ours, result }) => name === 'CAST' && result.kind === 'INTERVAL' && ours === 'R0204',
  },
  {
    reason: 'text of a day that does not exist spells no date; PostgreSQL calls it out of range',
    when: ({ ours, theirs, types: chosen }) => chosen[0]?.kind === 'STRING' && ours === 'R0204' && theirs === 'R0202',
  },
];
const met = new Set<Difference>();

/** Equal except for a double's error: 14 digits of the whole length, and the millionth of a day to which PostgreSQL rounds spilled days. */
function sameInterval(ours: string, theirs: string): boolean {
  const [a, b] = [parseInterval(ours), parseInterval(theirs)];
  if (a === undefined || b === undefined) return false;
  const lengthOf = ({ months, days, microseconds }: typeof a): number =>
    Number((months * 30n + days) * 86_400_000_000n + microseconds);
  return Math.abs(lengthOf(a) - lengthOf(b)) <= 100_000 + 1e-14 * Math.abs(lengthOf(a));
}

function shown(outcome: Outcome, type: Type): string {
  if ('failure' in outcome) return outcome.failure;
  if (outcome.value === null) return 'null';
  return printValue(outcome.value, type.kind === 'DECIMAL' ? { ...type, precision: 18 } : type).replace(
    /^(-?[\d.]+)$/,
    '$1',
  );
}

function same(asked: Asked): boolean {
  const { ours, theirs, result } = asked;
  if (ours === theirs) return true;
  if (result.kind === 'DOUBLE' && !/^(?:R|null)/.test(ours + theirs)) {
    const [a, b] = [Number(ours), Number(theirs)];
    return Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));
  }
  const [number, other] = [parseDecimal(ours), parseDecimal(theirs)];
  return (
    result.kind === 'DECIMAL' &&
    number !== undefined &&
    number.unscaled === other?.unscaled &&
    number.scale === other.scale
  );
}

function judge(asked: Asked, problems: string[]): void {
  if (same(asked)) return;
  const meant = differences.filter((difference) => difference.when(asked));
  for (const difference of meant) met.add(difference);
  if (meant.length > 0) return;
  const values = asked.values.map(
    (value, index) =>
      `${typeName(asked.types[index] ?? { kind: 'NULL' })} ${value === null ? 'NULL' : printValue(value, asked.types[index] ?? { kind: 'NULL' })}`,
  );
  problems.push(`${asked.name}(${values.join(', ')}) is ${asked.ours}, in PostgreSQL ${asked.theirs}`);
}

function* combinations(
  arity: number,
  literals: Literals,
  pool = arity > 2 ? someTypes : types,
): Iterable<readonly Type[]> {
  if (arity === 0) yield [];
  else {
    const literal = literals[arity - 1];
    const last = literal === undefined ? pool : [givenOf({ kind: 'NULL' }, literal).type];
    for (const rest of combinations(arity - 1, literals, pool)) for (const type of last) yield [...rest, type];
  }
}

/** For calls with three arguments. */
const someTypes = types.filter(({ kind }) => kind === 'INT' || kind === 'STRING' || kind === 'DOUBLE');

function givenOf(type: Type, literal: string | number | undefined): GivenArgument {
  if (literal === undefined) return { type, untyped: false };
  return typeof literal === 'string'
    ? { type: { kind: 'STRING' }, untyped: true, literal }
    : { type: { kind: 'INT' }, untyped: false, literal };
}

test(`functions and operators (seed ${seed})`, async () => {
  const random = createRandom(seed);
  const problems: string[] = [];
  for (const [name, expression, literals = []] of expressions) {
    const entry = lookupFunction(name);
    assert.ok(entry, name);
    const arity =
      Math.max(-1, ...Array.from(expression.matchAll(/c(\d)/g), (match) => Number(match[1])), literals.length - 1) + 1;
    for (const chosen of combinations(arity, literals)) {
      const resolution = entry.resolve(chosen.map((type, index) => givenOf(type, literals[index])));
      if ('problem' in resolution) continue;
      const texts = literals.map((literal) => (typeof literal === 'string' ? `'${literal}'` : literal?.toString()));
      const printed = printCall(entry, resolution, chosen, { nullable: true, simple: true }, texts);
      const evaluate = typescriptEvaluator(printed.typescript, arity);
      const pools = chosen.map((type, index) =>
        literals[index] === undefined ? sampleValues(type, random, 4) : [literals[index]],
      );
      const any = (pool: readonly (Value | undefined)[]): Value => pool[Math.floor(random() * pool.length)] ?? null;
      const rows = pools.flatMap((pool, index) =>
        pool.map((value) => pools.map((other, at) => (at === index ? value : any(other)))),
      );
      const asked = rows.length === 0 ? [[]] : rows.filter(([, to]) => !lengthening.has(name) || Number(to) <= 1000);
      const theirs = await postgres.evaluate(expression, chosen, asked, printed.result);
      for (const [index, values] of asked.entries()) {
        const ours = shown(evaluate(values), printed.result);
        const given = {
          name,
          types: chosen,
          values,
          result: printed.result,
          ours,
          theirs: theirs[index] ?? 'no answer',
        };
        judge(given, problems);
      }
    }
  }
  if (process.env['SHOW'] !== undefined) console.log(problems.join('\n'));
  assert.equal(problems, []);
});

/** Names of the catalogue and PostgreSQL's expression. */
const ofNumbers: readonly (readonly [string, string, number?])[] = [
  ['ROUND', 'round(c0)'],
  ['TRUNC', 'trunc(c0)'],
  ...[-18, -1, 0, 8, 9, 10, 16, 17, 18, 19, 60].flatMap((places): readonly [string, string, number][] => [
    ['ROUND', `round(c0, ${places})`, places],
    ['TRUNC', `trunc(c0, ${places})`, places],
  ]),
  ['ROUND', 'round(c0, c1)'],
  ['TRUNC', 'trunc(c0, c1)'],
  ...(['CEIL', 'FLOOR', 'ABS', 'SIGN'] as const).map((name) => [name, `${name}(c0)`] as const),
  ['negate', '- c0'],
  ...Object.entries({ add: '+', subtract: '-', multiply: '*', divide: '/', modulo: '%', less: '<', equal: '=' }).map(
    ([name, sign]) => [name, `c0 ${sign} c1`] as const,
  ),
  ['GREATEST', 'GREATEST(c0, c1)'],
  ['NULLIF', 'NULLIF(c0, c1)'],
  ['COALESCE', 'COALESCE(c0, c1)'],
];
const extremes: readonly Type[] = [0, 9, 18].map((scale) => ({ kind: 'DECIMAL', precision: 18, scale }));

test('numeric functions at the ends of scale and precision, in both engines', async () => {
  const problems: string[] = [];
  for (const [name, expression, places] of ofNumbers) {
    const entry = lookupFunction(name);
    assert.ok(entry, name);
    const others = /^(?:round|trunc).*c1/.test(expression) ? [{ kind: 'INT' } as const] : extremes;
    const pairs = extremes.flatMap((first) =>
      expression.includes('c1') ? others.map((other) => [first, other]) : [[first]],
    );
    for (const chosen of pairs) {
      const given = chosen.map((type) => givenOf(type, undefined));
      const literal = places === undefined ? [] : [givenOf({ kind: 'INT' }, places)];
      const all = [...chosen, ...literal.map(({ type }) => type)];
      const resolution = entry.resolve([...given, ...literal]);
      if ('problem' in resolution) continue;
      const texts = places === undefined ? [] : [undefined, places < 0 ? `(${places})` : String(places)];
      const printed = printCall(entry, resolution, all, { nullable: true, simple: true }, texts);
      const [inProcess, inSqlite] = [
        typescriptEvaluator(printed.typescript, all.length),
        sqliteEvaluator(printed.sqlite, all, printed.result),
      ];
      const rows = rowsOfEnds(chosen).map((row) => [...row, ...literal.map(() => places ?? null)]);
      const theirs = await postgres.evaluate(
        expression,
        chosen,
        rows.map((row) => row.slice(0, chosen.length)),
        // Only a product and a quotient lose digits by their types.
        printed.result.kind === 'DECIMAL' && name !== 'multiply' && name !== 'divide'
          ? { ...printed.result, scale: 18 }
          : printed.result,
      );
      for (const [index, values] of rows.entries())
        for (const evaluate of [inProcess, inSqlite.evaluate])
          judge(
            {
              name,
              types: all,
              values,
              result: printed.result,
              ours: shown(evaluate(values), printed.result),
              theirs: theirs[index] ?? 'no answer',
            },
            problems,
          );
      inSqlite.free();
    }
  }
  assert.equal(problems, []);
});

/** Each value of the first type with each of the second. */
function rowsOfEnds([first, second]: readonly Type[]): readonly (readonly Value[])[] {
  const top = 10n ** 18n - 1n;
  const values = (type: Type): readonly Value[] =>
    type.kind === 'INT' ? [-19, -1, 0, 1, 9, 17, 18, 19] : [0n, 1n, -1n, 5n, top / 2n, -top, top];
  const left = first === undefined ? [] : values(first);
  return second === undefined ? left.map((a) => [a]) : left.flatMap((a) => values(second).map((b) => [a, b]));
}

/** Texts of intervals; `refused` where only PostgreSQL reads them. */
const intervalTexts: readonly (readonly [text: string, refused?: 'refused'])[] = [
  ['1 day'],
  ['-1 day 2 hours'],
  ['1 year 2 mons 3 days 04:05:06.789'],
  ['1.5 years'],
  ['1.55 years'],
  ['1.5 months'],
  ['-1.25 months'],
  ['0.7 weeks'],
  ['1.5 days'],
  ['2 weeks -3 days +04:00'],
  ['1 day -04:05'],
  ['100:30'],
  ['1.0000006 seconds'],
  ['3 decades 2 centuries 1 millennium'],
  ['1d 2h 3m 4s 5ms 6us'],
  ['.5 hours'],
  ['P1Y2M3W4DT5H6M7.5S'],
  ['P-1DT-2H'],
  ['PT0.5S'],
  ['P1W'],
  ['p1d'],
  ['-00:00:00.000001'],
  ['00:00'],
  [''],
  ['P'],
  ['PT', 'refused'],
  ['1', 'refused'],
  ['1 hour 02:00'],
  ['day'],
  ['1 fortnight'],
  ['1:60'],
  ['1 day 1 day'],
  ['1 day ago', 'refused'],
  ['@ 1 day', 'refused'],
  ['5', 'refused'],
  ['1:30.5', 'refused'],
];

for (const [text, refused] of intervalTexts)
  test(`the interval '${text}'`, async () => {
    const evaluate = typescriptEvaluator(
      printCastTypescript(
        { text: 'c0', type: { kind: 'STRING' }, nullable: true, simple: true },
        { kind: 'INTERVAL' },
        'explicit',
      ),
      1,
    );
    const [theirs] = await postgres.evaluate('c0::interval', [{ kind: 'STRING' }], [[text]], { kind: 'INTERVAL' });
    const ours = shown(evaluate([text]), { kind: 'INTERVAL' });
    assert.is(ours, refused === undefined ? theirs : 'R0204');
  });

test(`casts (seed ${seed})`, async () => {
  const random = createRandom(seed);
  const problems: string[] = [];
  const targets: readonly Type[] = [...types, { kind: 'STRING', length: 3 }];
  for (const from of types) {
    for (const to of targets) {
      if (!canCast(from, to, 'explicit')) continue;
      const evaluate = typescriptEvaluator(
        printCastTypescript({ text: 'c0', type: from, nullable: true, simple: true }, to, 'explicit'),
        1,
      );
      const values = sampleValues(from, random, 6);
      const theirs = await postgres.evaluate(
        `c0::${postgresType(to)}`,
        [from],
        values.map((value) => [value]),
        to,
      );
      for (const [index, value] of values.entries()) {
        const ours = shown(evaluate([value]), to);
        judge(
          { name: 'CAST', types: [from], values: [value], result: to, ours, theirs: theirs[index] ?? 'no answer' },
          problems,
        );
      }
    }
  }
  if (process.env['SHOW'] !== undefined) console.log(problems.join('\n'));
  assert.equal(problems, []);
});

test('every listed difference still occurs', async () => {
  await postgres.close();
  assert.equal(
    differences.filter((difference) => !met.has(difference)).map((difference) => difference.reason),
    [],
  );
});

test.run();
