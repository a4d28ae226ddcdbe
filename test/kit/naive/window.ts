/** Window functions: the value of one node for every row of a select, in the rows' order. */
import type { BoundFrameBound, WindowShape } from '../../../language/catalog/expression.ts';
import { fail } from '../../../language/failure/failure.ts';
import type { Type, Value } from '../../../language/values/type.ts';
import { aggregateRows, type Aggregate } from './aggregate.ts';
import { compareKeys, identity, type SortRule } from './compare.ts';
import { evaluate } from './expression.ts';
import type { Scope } from './world.ts';

type Window = WindowShape & { readonly type: Type };
interface Place {
  readonly row: Scope;
  readonly at: number;
  readonly key: readonly Value[];
}

export function windowValues(window: Window, rows: readonly Scope[]): readonly Value[] {
  const values: Value[] = rows.map(() => null);
  const keys = window.orderBy.flatMap((key) => (key.by === 'expression' ? [key] : []));
  for (const partition of partitions(window, rows)) {
    const places = partition.map((at): Place => {
      const row = rows[at] as Scope; // `at` counts over `rows`
      return { row, at, key: keys.map((key) => evaluate(key.expression, row)) };
    });
    places.sort((a, b) => compareKeys(a.key, b.key, keys));
    places.forEach((place, index) => (values[place.at] = valueAt(window, keys, places, index)));
  }
  return values;
}

function partitions(window: Window, rows: readonly Scope[]): readonly (readonly number[])[] {
  const found = new Map<string, number[]>();
  for (const [at, row] of rows.entries()) {
    const key = identity(window.partitionBy.map((part) => evaluate(part, row)));
    found.set(key, [...(found.get(key) ?? []), at]);
  }
  return [...found.values()];
}

function valueAt(window: Window, rules: readonly SortRule[], places: readonly Place[], index: number): Value {
  const own = places[index] as Place; // `index` counts over `places`
  const peers = (other: Place): boolean => compareKeys(other.key, own.key, rules) === 0;
  const before = places.filter((other) => compareKeys(other.key, own.key, rules) < 0);
  switch (window.function) {
    case 'ROW_NUMBER':
      return BigInt(index + 1);
    case 'RANK':
      return BigInt(before.length + 1);
    case 'DENSE_RANK':
      return BigInt(new Set(before.map((other) => identity(other.key))).size + 1);
    case 'PERCENT_RANK':
      return places.length === 1 ? 0 : before.length / (places.length - 1);
    case 'CUME_DIST':
      return (before.length + places.filter(peers).length) / places.length;
    case 'NTILE':
      return tileValue(window, places, index);
    case 'LAG':
    case 'LEAD':
      return neighbour(window, places, index);
    default:
      return overFrame(window, rules, places, index);
  }
}

/** The number of buckets is that of the partition's first row. */
function tileValue({ arguments: [buckets], type }: Window, places: readonly Place[], index: number): Value {
  const [first] = places;
  const given = buckets === undefined || first === undefined ? null : evaluate(buckets, first.row);
  if (given === null) return null;
  if (Number(given) <= 0) throw fail('R0205', { function: 'NTILE', problem: 'it takes a number greater than 0' });
  const value = tile(Number(given), places.length, index);
  return type.kind === 'INT' ? value : BigInt(value);
}

function tile(tiles: number, rows: number, index: number): number {
  const small = Math.floor(rows / tiles);
  const large = rows % tiles;
  const inLarge = large * (small + 1);
  return index < inLarge ? Math.floor(index / (small + 1)) + 1 : large + Math.floor((index - inLarge) / small) + 1;
}

function neighbour(window: Window, places: readonly Place[], index: number): Value {
  const own = places[index] as Place; // `index` counts over `places`
  const [value, distance, otherwise] = window.arguments;
  if (value === undefined) return null;
  const given = distance === undefined ? 1 : evaluate(distance, own.row);
  if (given === null) return null;
  const step = Number(given);
  const found = places[window.function === 'LAG' ? index - step : index + step];
  if (found !== undefined) return evaluate(value, found.row);
  return otherwise === undefined ? null : evaluate(otherwise, own.row);
}

function overFrame(window: Window, rules: readonly SortRule[], places: readonly Place[], index: number): Value {
  const frame = places.filter((_, other) => isInFrame(window, rules, places, index, other));
  const [value, which] = window.arguments;
  const pick = (place: Place | undefined): Value =>
    place === undefined || value === undefined ? null : evaluate(value, place.row);
  switch (window.function) {
    case 'FIRST_VALUE':
      return pick(frame[0]);
    case 'LAST_VALUE':
      return pick(frame.at(-1));
    case 'NTH_VALUE': {
      const given = which === undefined ? 0 : evaluate(which, (places[index] as Place).row);
      if (given === null) return null;
      const position = Number(given);
      if (position < 1) throw fail('R0205', { function: 'NTH_VALUE', problem: 'the position must be positive' });
      return pick(frame[position - 1]);
    }
    default: {
      const aggregate = { ...window, distinct: false, orderBy: [] } as unknown as Aggregate; // the names left are those of aggregates
      return aggregateRows(
        aggregate,
        frame.map((place) => place.row),
      );
    }
  }
}

function isInFrame(
  window: Window,
  rules: readonly SortRule[],
  places: readonly Place[],
  index: number,
  other: number,
): boolean {
  const frame = window.frame ?? { unit: 'RANGE', start: { at: 'UNBOUNDED PRECEDING' } };
  const end: BoundFrameBound = frame.end ?? { at: 'CURRENT ROW' };
  const where = (bound: BoundFrameBound): number => distance(frame.unit, bound, rules, places, index, other);
  if (where(frame.start) < 0 || where(end) > 0) return false;
  const peer = compareKeys((places[other] as Place).key, (places[index] as Place).key, rules) === 0; // both count over `places`
  switch (frame.exclude) {
    case 'CURRENT ROW':
      return other !== index;
    case 'GROUP':
      return !peer;
    case 'TIES':
      return !peer || other === index;
    default:
      return true;
  }
}

/** Negative when the other row is before the bound, 0 on it, positive after it. */
function distance(
  unit: 'ROWS' | 'RANGE' | 'GROUPS',
  bound: BoundFrameBound,
  rules: readonly SortRule[],
  places: readonly Place[],
  index: number,
  other: number,
): number {
  if (bound.at === 'UNBOUNDED PRECEDING') return 1;
  if (bound.at === 'UNBOUNDED FOLLOWING') return -1;
  const own = places[index] as Place; // both count over `places`
  const tested = places[other] as Place;
  const offset = 'offset' in bound ? exact(evaluate(bound.offset, own.row)) : 0n;
  const signed = bound.at === 'PRECEDING' ? -offset : offset;
  if (unit === 'ROWS') return other - index - Number(signed);
  if (unit === 'GROUPS') return groupOf(rules, places, other) - groupOf(rules, places, index) - Number(signed);
  const order = compareKeys(tested.key, own.key, rules);
  const [from, to] = [own.key[0] ?? null, tested.key[0] ?? null];
  if (signed === 0n || from === null || to === null) return order;
  const moved = exact(from) + (rules[0]?.direction === 'DESC' ? -signed : signed);
  const difference = rules[0]?.direction === 'DESC' ? moved - exact(to) : exact(to) - moved;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The number of groups of equal rows that begin before or at this one. */
function groupOf(rules: readonly SortRule[], places: readonly Place[], index: number): number {
  const keys = places.slice(0, index + 1).map((place) => place.key);
  return keys.filter((key, at) => at === 0 || compareKeys(key, keys[at - 1] ?? [], rules) !== 0).length;
}

function exact(value: Value): bigint {
  return BigInt(value as number | bigint);
}
