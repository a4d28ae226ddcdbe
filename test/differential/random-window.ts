import { narrower, type Family } from './families.ts';
import type { Draw } from './random-query-text.ts';

/** A column as a window names it. */
interface Named {
  readonly name: string;
  readonly family: Family;
}

/** Families that a frame in distances may be ordered by, with distances that both languages write alike. */
const distances: Readonly<Partial<Record<Family, readonly string[]>>> = {
  number: ['0', '1', '2'],
  big: ['0', '1', '5'],
  exact: ['0.25', '1'],
  wide: ['0.000001', '2'],
};

/**
 * A window function over a relation with these columns. A function that depends on the order of single rows is ordered by all columns, so
 * that rows which tie are equal, and it does not matter which comes first.
 */
export function randomWindow(
  family: Family,
  columns: readonly Named[],
  draw: Draw,
  constant: (family: Family) => string,
): string {
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)] as T; // lists here are never empty
  const chance = (percent: number): boolean => draw(100) < percent;
  const key = ({ name }: Named): string => `${name}${pick(['', ' DESC', ' NULLS FIRST', ' DESC NULLS LAST'])}`;

  const value = (of: Family): string => {
    const fitting = columns.filter((column) => narrower[of].includes(column.family));
    if (fitting.length > 0 && !chance(10)) return pick(fitting).name;
    return of === 'text' ? `CAST(${constant(of)} AS TEXT)` : constant(of);
  };
  const partition = (): string => (chance(40) ? `PARTITION BY ${pick(columns).name} ` : '');
  const byAll = (): string => {
    const first = draw(columns.length);
    const turned = [...columns.slice(first), ...columns.slice(0, first)];
    return `ORDER BY ${turned.map(key).join(', ')}`;
  };
  const bySome = (): string => `ORDER BY ${key(pick(columns))}`;

  const frame = (unit: string, steps: readonly string[]): string => {
    const starts = ['UNBOUNDED PRECEDING', ...steps.map((step) => `${step} PRECEDING`), 'CURRENT ROW'];
    const ends = ['CURRENT ROW', ...steps.map((step) => `${step} FOLLOWING`), 'UNBOUNDED FOLLOWING'];
    const exclude = chance(25) ? ` EXCLUDE ${pick(['CURRENT ROW', 'GROUP', 'TIES', 'NO OTHERS'])}` : '';
    return ` ${unit} BETWEEN ${pick(starts)} AND ${pick(ends)}${exclude}`;
  };
  const withFrame = (): string => {
    if (chance(20)) return `${partition()}${bySome()}`;
    if (chance(40)) return `${partition()}${byAll()}${frame(pick(['ROWS', 'GROUPS']), ['0', '1', '2'])}`;
    const measured = columns.filter(({ family: own }) => distances[own] !== undefined);
    if (measured.length === 0 || chance(30)) return `${partition()}${byAll()}${frame('RANGE', [])}`;
    const by = pick(measured);
    return `${partition()}ORDER BY ${key(by)}${frame('RANGE', distances[by.family] ?? [])}`;
  };
  const ranked = (): string => {
    const call = pick(['ROW_NUMBER()', 'RANK()', 'DENSE_RANK()', `NTILE(${1 + draw(4)})`, 'COUNT(*)']);
    const single = call === 'ROW_NUMBER()' || call.startsWith('NTILE');
    return `${call} OVER (${partition()}${single ? byAll() : bySome()})`;
  };
  const placed = (): string => {
    const of = value(family);
    const framed = `OVER (${partition()}${byAll()}${chance(60) ? frame(pick(['ROWS', 'GROUPS', 'RANGE']), []) : ''})`;
    return pick([
      () => `${pick(['LAG', 'LEAD'])}(${of}) OVER (${partition()}${byAll()})`,
      () => `${pick(['LAG', 'LEAD'])}(${of}, 2, ${constant(family)}) OVER (${partition()}${byAll()})`,
      () => `${pick(['FIRST_VALUE', 'LAST_VALUE'])}(${of}) ${framed}`,
      () => `NTH_VALUE(${of}, ${1 + draw(3)}) ${framed}`,
    ])();
  };

  if (family === 'number' && chance(40)) return ranked();
  if (family === 'number' && chance(30)) return `COUNT(${pick(columns).name}) OVER (${withFrame()})`;
  if (chance(40)) return placed();
  if (family === 'truth') return `${pick(['BOOL_AND', 'BOOL_OR'])}(${value(family)}) OVER (${withFrame()})`;
  const summed = family === 'number' || family === 'exact' || family === 'real' || family === 'span';
  const filter = chance(15) ? ` FILTER (WHERE ${pick(columns).name} IS NOT NULL)` : '';
  return `${pick(summed ? ['SUM', 'MIN', 'MAX'] : ['MIN', 'MAX'])}(${value(family)})${filter} OVER (${withFrame()})`;
}
