/**
 * Random expressions whose values are at the ends of their types: over the arguments of a command and literals, with every function of the
 * catalogue and every CAST, two calls deep. An entry joins by being in the catalogue: its usage says how it is written.
 */
import { canCast } from '../../compiler/functions/cast.ts';
import { functionThemes } from '../../compiler/functions/catalogue.ts';
import type { FunctionEntry, GivenArgument } from '../../compiler/functions/entry.ts';
import { printDecimal } from '../../language/values/decimal.ts';
import { printDouble } from '../../language/values/double.ts';
import { timestampMax, timestampMin } from '../../language/values/timestamp.ts';
import { toPayload } from '../../language/values/payload.ts';
import { typeName, type Type, type Value } from '../../language/values/type.ts';
import { zoneNames } from '../../language/values/zones/zone-table.ts';
import { sampleValues } from '../functions/samples.ts';

export interface Expression {
  readonly text: string;
  readonly type: Type;
}

export const kind: Type = { kind: 'STRING', enum: { name: 'Kind', values: ['plain', 'odd', 'ß'] } };

/** Types of fields of commands and events. */
export const fieldTypes: readonly Type[] = [
  { kind: 'INT' },
  { kind: 'BIGINT' },
  { kind: 'DECIMAL', precision: 5, scale: 2 },
  { kind: 'DECIMAL', precision: 10, scale: 4 },
  { kind: 'DECIMAL', precision: 18, scale: 0 },
  { kind: 'DECIMAL', precision: 18, scale: 6, bare: true },
  { kind: 'DECIMAL', precision: 18, scale: 18 },
  { kind: 'DOUBLE' },
  { kind: 'STRING' },
  { kind: 'STRING', length: 3 },
  { kind: 'UUID' },
  { kind: 'BOOLEAN' },
  { kind: 'TIMESTAMP' },
  { kind: 'DATE' },
  { kind: 'JSON' },
  kind,
];

/** Types of expressions only. Lists and the record are columns of STATE, under these names. */
const lists: Readonly<Record<string, Type>> = {
  texts: { kind: 'LIST', of: { kind: 'STRING' } },
  bigs: { kind: 'LIST', of: { kind: 'BIGINT' } },
  sums: { kind: 'LIST', of: { kind: 'DECIMAL', precision: 18, scale: 6, bare: true } },
  times: { kind: 'LIST', of: { kind: 'TIMESTAMP' } },
};
const bytes: Type = { kind: 'STRING', bytes: true };
const others: readonly Type[] = [{ kind: 'INTERVAL' }, { kind: 'WALL' }, bytes];
export const listNames = Object.keys(lists);

const units = ['microsecond', 'second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year', 'decade'];
const longUnits = ['century', 'millennium'];
/** Zones whose offsets have seconds, or were changed in strange ways. */
const oddZones = [
  'Pacific/Chatham',
  'Africa/Monrovia',
  'Asia/Manila',
  'Pacific/Apia',
  'America/Juneau',
  'Europe/Dublin',
];
const parts = [
  ...['MICROSECONDS', 'MILLISECONDS', 'SECOND', 'MINUTE', 'HOUR', 'DAY', 'DOW', 'ISODOW', 'DOY', 'WEEK', 'MONTH'],
  ...['QUARTER', 'YEAR', 'ISOYEAR', 'DECADE', 'CENTURY', 'MILLENNIUM', 'EPOCH'],
];
const allUnits = [...units, ...longUnits];
const zones = (): readonly string[] => [...oddZones, ...oddZones, ...zoneNames()];
const keys = ['a', 'k', 'é', 0, -1] as const;

/** Literals that a place of an entry takes. */
const literals: Readonly<Record<string, readonly (readonly (string | number)[] | undefined)[]>> = {
  EXTRACT: [parts],
  ARROW_CAST: [
    undefined,
    ['Utf8', 'Int32', 'Int64', 'Float64', 'Boolean', 'Date32', 'Timestamp(Microsecond, UTC)', 'Decimal128(18, 18)'],
  ],
  DATE_TRUNC: [allUnits],
  at_time_zone: [undefined, zones()],
  truncate_in_zone: [allUnits, undefined, zones()],
  ROUND: [undefined, [-18, -2, 0, 3, 17, 18]],
  TRUNC: [undefined, [-18, -2, 0, 3, 17, 18]],
  json_get: [undefined, keys],
  json_get_text: [undefined, keys],
  DIGEST: [undefined, ['sha256', 'md5', 'sha512']],
  ENCODE: [undefined, ['hex', 'base64']],
};
/** Arguments that are not written. */
const unwritten: Readonly<Record<string, number>> = { at_time_zone: 1, truncate_in_zone: 1 };

/** Types of arguments that an entry takes, and its call with them. */
export interface Shape {
  readonly types: readonly Type[];
  readonly result: Type;
  readonly print: (given: readonly string[]) => string;
  readonly literals: readonly (readonly (string | number)[] | undefined)[];
  /** The type with these arguments; undefined if there is none. */
  readonly resolve: (given: readonly GivenArgument[]) => Type | undefined;
}

/** A call as it is written: the words of its usage are its arguments, or the name has them in parentheses. */
function printed({ name, usage }: FunctionEntry, given: readonly string[]): string {
  if (given.length === 0) return usage[0] ?? name;
  if (name === name.toUpperCase() && name !== 'EXTRACT') return `${name}(${given.join(', ')})`;
  const words = /'[^']*'|\b[a-z]+\b/g;
  const form = usage.find((each) => (each.match(words) ?? []).length === given.length);
  if (form === undefined) throw new Error(`no usage of ${name} has ${given.length} arguments`);
  let at = 0;
  const text = form.replaceAll(words, () => given[at++] ?? '');
  return name === 'EXTRACT' ? text : `(${text})`;
}

const leafTypes: readonly Type[] = [...fieldTypes, ...others, ...Object.values(lists)];
/** A type of each kind, for calls of three arguments. */
const oneOfEach = leafTypes.filter(({ kind: of }, at) => leafTypes.findIndex((each) => each.kind === of) === at);

function* combinations(arity: number, pool: readonly Type[]): Iterable<readonly Type[]> {
  if (arity === 0) yield [];
  else for (const rest of combinations(arity - 1, pool)) for (const type of pool) yield [...rest, type];
}

function givenOf(
  types: readonly Type[],
  chosen: Shape['literals'],
  pick: (list: readonly (string | number)[]) => string | number = ([first]) => first ?? '',
): GivenArgument[] {
  return types.map((type, at) => {
    const list = chosen[at];
    return list === undefined ? { type, untyped: false } : givenLiteral(pick(list));
  });
}

function givenLiteral(literal: string | number): GivenArgument {
  return typeof literal === 'string'
    ? { type: { kind: 'STRING' }, untyped: true, literal }
    : { type: { kind: 'INT' }, untyped: false, literal };
}

function shapesOfEntry(entry: FunctionEntry): readonly Shape[] {
  const { [entry.name]: chosen = [] } = literals;
  const hidden: readonly GivenArgument[] = Array.from({ length: unwritten[entry.name] ?? 0 }, () => givenLiteral(''));
  const resolve = (given: readonly GivenArgument[]): Type | undefined => {
    const resolution = entry.resolve([...given, ...hidden]);
    return 'problem' in resolution ? undefined : resolution.result;
  };
  const shapes: Shape[] = [];
  for (let arity = 0; arity <= 3; arity += 1) {
    const free = arity - chosen.filter((list, at) => list !== undefined && at < arity).length;
    for (const types of combinations(free, free > 2 ? oneOfEach : leafTypes)) {
      const left = [...types];
      const all = Array.from({ length: arity }, (_, at): Type =>
        chosen[at] === undefined ? (left.shift() ?? { kind: 'NULL' }) : { kind: 'STRING' },
      );
      const result = resolve(givenOf(all, chosen));
      if (result !== undefined)
        shapes.push({ types: all, result, print: (given) => printed(entry, given), literals: chosen, resolve });
    }
  }
  return shapes;
}

/** CAST and CASE, which are no entries. */
function otherShapes(): readonly Shape[] {
  const casts = leafTypes.flatMap((from) =>
    [...fieldTypes, ...others].flatMap((to): readonly Shape[] => {
      if (to.kind === 'WALL' || to === bytes || !canCast(from, to, 'explicit')) return [];
      const print = ([value = '']: readonly string[]): string => `CAST(${value} AS ${typeName(to)})`;
      const resolve = ([given]: readonly GivenArgument[]): Type | undefined =>
        given !== undefined && canCast(given.type, to, 'explicit') ? to : undefined;
      return [{ types: [from], result: to, print, literals: [], resolve }];
    }),
  );
  const choices = fieldTypes.map((type): Shape => {
    const print = ([when = '', then = '', otherwise = '']: readonly string[]): string =>
      `CASE WHEN ${when} THEN ${then} ELSE CAST(${otherwise} AS ${typeName(type)}) END`;
    // Only of the very type: the type of others would have to be computed here.
    const resolve = ([, then]: readonly GivenArgument[]): Type | undefined =>
      then !== undefined && JSON.stringify(then.type) === JSON.stringify(type) ? type : undefined;
    return { types: [{ kind: 'BOOLEAN' }, type, type], result: type, print, literals: [], resolve };
  });
  return [...casts, ...choices];
}

const entries = functionThemes.flatMap((theme) => theme.entries);
let known: readonly (readonly Shape[])[] | undefined;
/** By entry, and twice for CAST and CASE, which are none. */
function allShapes(): readonly (readonly Shape[])[] {
  known ??= [...entries.map(shapesOfEntry), otherShapes(), otherShapes()];
  return known;
}

/** The shapes of each entry, by its name. */
export function shapesByEntry(): ReadonlyMap<string, readonly Shape[]> {
  return new Map(entries.map(({ name }, at) => [name, allShapes()[at] ?? []]));
}

/** Names of entries that no combination of types was found for. */
export function entriesWithoutShape(): readonly string[] {
  return entries.filter((_, at) => allShapes()[at]?.length === 0).map(({ name }) => name);
}

export interface Generator {
  /** `withState`: it may read the lists of STATE. The entries have their turn, so that each is called by the expressions of some hundred numbers. */
  readonly expression: (number: number, withState: boolean) => Expression;
  /** A value of a type of a field. */
  readonly value: (type: Type) => Value;
  readonly pick: <T>(list: readonly T[]) => T;
}

/** The first and second argument of a command with that type of field. */
export const argumentName = (type: number, which: 0 | 1): string => `${which === 0 ? 'a' : 'b'}${type}`;

export function createGenerator(random: () => number): Generator {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T; // no list is empty
  const chance = (percent: number): boolean => random() * 100 < percent;
  const byKind = new Map<string, readonly Shape[]>();
  const shapesTo = (wanted: Type): readonly Shape[] => {
    const found =
      byKind.get(wanted.kind) ??
      allShapes().flatMap((each) => each.filter(({ result }) => result.kind === wanted.kind));
    byKind.set(wanted.kind, found);
    return found;
  };

  const value: Generator['value'] = (type) => {
    if (chance(8)) return null;
    if (type === kind) return pick(kind.kind === 'STRING' ? (kind.enum?.values ?? []) : []);
    return pick([...sampleValues(type, random, 3), ...edges(type)].filter((each) => each !== null));
  };
  const leaf = (type: Type, withState: boolean): Expression => {
    switch (type.kind) {
      case 'LIST': {
        const names = listNames.filter((name) => JSON.stringify(lists[name]) === JSON.stringify(type));
        return { text: withState ? (names[0] ?? 'texts') : 'NULL', type };
      }
      case 'WALL':
        return { text: `(:${pick(['a12', 'b12'])} AT TIME ZONE '${pick(zones())}')`, type };
      case 'INTERVAL':
        return { text: `CAST(${quoted(textOf(value(type) ?? '00:00', type))} AS INTERVAL)`, type };
      default: {
        if (type.kind === 'STRING' && type.bytes === true)
          return { text: `DIGEST(:${pick(['a8', 'b8'])}, 'sha256')`, type };
        const at = fieldTypes.findIndex((each) => JSON.stringify(each) === JSON.stringify(type));
        if (at >= 0 && chance(70)) return { text: `:${argumentName(at, chance(50) ? 0 : 1)}`, type };
        const literal = value(type);
        return {
          text: `CAST(${literal === null ? 'NULL' : quoted(textOf(literal, type))} AS ${typeName(type)})`,
          type,
        };
      }
    }
  };
  const make = (depth: number, withState: boolean, wanted: Type): Expression => {
    const shapes = shapesTo(wanted);
    if (depth === 0 || shapes.length === 0 || chance(35)) return leaf(wanted, withState);
    return call(pick(shapes), depth, withState);
  };
  const call = (shape: Shape, depth: number, withState: boolean): Expression => {
    if (!withState && shape.types.some(({ kind: of }) => of === 'LIST')) return leaf(pick(fieldTypes), withState);
    const written = (part: (type: Type) => Expression): Expression | undefined => {
      const operands = shape.types.map((type, at) => {
        const list = shape.literals[at];
        if (list === undefined) {
          const operand = part(type);
          return { text: operand.text, given: { type: operand.type, untyped: false } };
        }
        const literal = pick(list);
        return { text: typeof literal === 'string' ? quoted(literal) : `(${literal})`, given: givenLiteral(literal) };
      });
      const type = shape.resolve(operands.map(({ given }) => given));
      // A part is a name, not a text.
      const texts = operands.map(({ text, given: { literal } }) =>
        shape.literals[0] === parts && typeof literal === 'string' ? literal : text,
      );
      return type === undefined ? undefined : { text: shape.print(texts), type };
    };
    return (
      written((type) => make(Math.max(0, depth - 1), withState, type)) ??
      written((type) => leaf(type, withState)) ??
      leaf(pick(fieldTypes), withState)
    );
  };
  const expression: Generator['expression'] = (number, withState) => {
    const shapes = allShapes();
    return call(pick(shapes[number % shapes.length] ?? []), chance(50) ? 1 : 2, withState);
  };
  return { expression, value, pick };
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Text that CAST reads as the value. */
function textOf(value: Value, type: Type): string {
  if (type.kind === 'DECIMAL' && typeof value === 'bigint') return printDecimal(value, type.scale);
  if (type.kind === 'DOUBLE' && typeof value === 'number') return printDouble(value);
  const payload = toPayload(value, type);
  return typeof payload === 'string' ? payload : JSON.stringify(payload);
}

const hour = 3_600_000_000n;
/** More ends than the samples have. */
function edges(type: Type): readonly Value[] {
  switch (type.kind) {
    case 'TIMESTAMP':
      return [
        ...[
          timestampMin + 1n,
          timestampMin + 11n * hour,
          timestampMin + 12n * hour + 13n * 60_000_000n,
          timestampMin + 24n * hour,
        ],
        ...[timestampMax - 1n, timestampMax - 12n * hour, timestampMax - 23n * hour, -3_155_673_600_000_000n],
        ...[-2_524_521_600_000_001n, -1_325_462_400_000_000n],
      ];
    case 'INTERVAL':
      return [
        '9999 years',
        '-9999 years',
        '178956970 years 7 mons',
        '2147483647 days',
        '9223372036854 seconds',
        '1 microsecond',
      ];
    case 'DOUBLE':
      return [-5e-324, 2.2250738585072014e-308, 1.7976931348623157e308, 9007199254740993, 0.1 + 0.2, -1e-300];
    case 'JSON':
      return [
        '"\\u0001 \\" \\\\ \u2028 😀"',
        '[]',
        '{}',
        '{"a":"\u{10ffff}","k":[1e400,-0.0,12345678901234567890.5]}',
        'true',
      ];
    case 'STRING':
      return (type.length ?? 9) < 4
        ? ['😀😀😀', "''", '\u0001']
        : ['\u0001\t\n"\\', '\u2028\u{10ffff}', '{"a":"x"}', '12:00', '9'.repeat(19)];
    default:
      return [];
  }
}
