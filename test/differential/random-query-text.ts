/**
 * Random queries as text, over the tables of `tables.ts`: stars, columns that are called alike or after keywords, USING chains, outer
 * aggregates, nested derived tables, WITH, column lists, set operations, LATERAL, comparisons with subqueries, windows, orders. Most are
 * right; what is ambiguous must be refused by both engines. A seed gives the same query everywhere.
 */
import { comparableWith, constants, families, narrower, type Family } from './families.ts';
import type { Forms } from './forms.ts';
import { randomWindow } from './random-window.ts';
import { tables, type Table } from './tables.ts';

/** Draws a whole number from 0 to `below` - 1. */
export type Draw = (below: number) => number;

export interface Column {
  /** The name in a reference; undefined where nothing names it. */
  readonly name: string | undefined;
  readonly family: Family;
}

interface Relation {
  readonly sql: string;
  /** Empty for the columns that go by their bare names. */
  readonly alias: string;
  readonly columns: readonly Column[];
  /** At most. */
  readonly rows: number;
}
interface Part {
  readonly sql: string;
  /** At most. */
  readonly rows: number;
  readonly relations: readonly Relation[];
  /** Columns of its star. */
  readonly shown: readonly Column[];
}
interface Query {
  readonly sql: string;
  readonly columns: readonly Column[];
  /** At most. */
  readonly rows: number;
}
interface Surroundings {
  readonly depth: number;
  /** Relations of the queries around. */
  readonly outer: readonly Relation[];
  readonly common: readonly Relation[];
}

export interface QueryText {
  readonly text: string;
  /** All columns are sorted by, so the rows have one order. */
  readonly ordered: boolean;
}

/** Rows of a join at most: common tables that are joined with each other would soon have millions. */
const mostRows = 1_000;

const names = ['a', 'k', 'id', '"order"', '"value"', '"true"', '"false"', '"rowid"', '"index"', 'A'];

export function randomQueryText(draw: Draw, forms: Forms): QueryText {
  let aliases = 0;
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)] as T; // lists here are never empty
  const chance = (percent: number): boolean => draw(100) < percent;
  const times = <T>(count: number, make: () => T): readonly T[] => Array.from({ length: count }, make);

  const constant = (family: Family): string => pick(constants[family]);

  const reference = (family: Family, relations: readonly Relation[]): string | undefined => {
    const ambiguous = chance(2);
    const all = relations.flatMap((relation) =>
      relation.columns.flatMap(({ name, family: own }) =>
        own === family && name !== undefined && (ambiguous || isOnly(name, relation.columns))
          ? [{ relation, name }]
          : [],
      ),
    );
    if (all.length === 0) return undefined;
    const { relation, name } = pick(all);
    return relation.alias === '' || chance(1) ? name : `${relation.alias}.${name}`;
  };

  const value = (family: Family, relations: readonly Relation[], around: Surroundings, size = 1): string => {
    if (size > 0 && forms[family].length > 0 && chance(25))
      return pick(forms[family])((of) => value(of, relations, around, size - 1));
    if (around.depth > 0 && chance(10)) return subquery(family, relations, around);
    if (around.outer.length > 0 && chance(15)) return reference(family, around.outer) ?? constant(family);
    return (chance(85) ? reference(family, relations) : undefined) ?? constant(family);
  };

  const inside = (around: Surroundings, relations: readonly Relation[]): Surroundings => ({
    ...around,
    depth: around.depth - 1,
    outer: [...around.outer, ...relations],
  });

  const subquery = (family: Family, relations: readonly Relation[], around: Surroundings): string => {
    const inner = inside(around, relations);
    if (family === 'truth') {
      const of = pick(families);
      const test = value(of, relations, { ...around, depth: 0 }, 0);
      const words = pick(['IN', 'NOT IN', '= ANY', '<> ALL', '<> ANY', '= ALL', '< ANY', '>= ALL', 'EXISTS']);
      const found = select(inner, [pick(comparableWith(of))]).sql;
      return words === 'EXISTS' ? `EXISTS (${found})` : `(${test} ${words} (${found}))`;
    }
    if (chance(30)) return `(SELECT ${aggregate(family, relations, inner)})`;
    if (chance(25)) return `(${sorted(select(inner, [family]))} LIMIT 1)`;
    const from = fromClause(inner);
    const read = chance(25) ? [...relations, ...from.relations] : from.relations;
    return `(SELECT ${aggregate(family, read, inner)} FROM ${from.sql}${where(from.relations, inner)})`;
  };

  const aggregate = (family: Family, relations: readonly Relation[], around: Surroundings): string => {
    const flat = { ...around, depth: 0, outer: [] };
    const counted = (): string => `${chance(30) ? 'DISTINCT ' : ''}${value(pick(families), relations, flat, 0)}`;
    const filter = (): string => (chance(15) ? ` FILTER (WHERE ${value('truth', relations, flat, 0)})` : '');
    if (family === 'truth' && chance(50)) return `(COUNT(${counted()}) > 1)`;
    if (family === 'truth') return `${pick(['BOOL_AND', 'BOOL_OR'])}(${value('truth', relations, flat, 0)})${filter()}`;
    if (family === 'number' && chance(30)) return `COUNT(${counted()})${filter()}`;
    const summed = family === 'number' || family === 'exact' || family === 'real' || family === 'span';
    const call = pick(summed ? ['SUM(', 'SUM(DISTINCT ', 'MIN(', 'MAX('] : ['MIN(', 'MAX(']);
    return `${call}${value(family, relations, flat)})${filter()}`;
  };

  const where = (relations: readonly Relation[], around: Surroundings): string =>
    chance(40) ? ` WHERE ${value('truth', relations, around)}` : '';

  const listed = (columns: readonly Column[], alias: string): Pick<Relation, 'columns'> & { readonly text: string } => {
    if (!chance(30)) return { columns, text: `AS ${alias}` };
    const given = names.filter((name) => name !== 'A').slice(0, 1 + draw(Math.min(columns.length, 5)));
    const renamed = columns.map((column, index) => ({ ...column, name: given[index] ?? column.name }));
    return { columns: renamed, text: `AS ${alias}(${given.slice(0, columns.length).join(', ')})` };
  };

  const term = (around: Surroundings, before: readonly Relation[]): Relation => {
    const alias = `r${++aliases}`;
    if (around.depth > 0 && chance(45)) {
      const lateral = before.length > 0 && chance(40);
      const inner: Surroundings = { ...around, depth: around.depth - 1 };
      const query = select(lateral ? inside(around, before) : inner);
      const { columns, text } = listed(query.columns, alias);
      return { alias, columns, rows: query.rows, sql: `${lateral ? 'LATERAL ' : ''}(${query.sql}) ${text}` };
    }
    const shared = around.common.length > 0 && chance(30);
    const { name, columns: known, rows } = shared ? named(pick(around.common)) : ofTable(pick(tables));
    const { columns, text } = listed(known, alias);
    return { alias, columns, rows, sql: `${name} ${text}` };
  };

  const fromClause = (around: Surroundings): Part => {
    let part: Part = single(term(around, []));
    for (let left = draw(3); left > 0; left--) {
      const right = term(around, visible(part));
      if (joinedRows(part, right) <= mostRows) part = joined(part, right, around);
    }
    return { ...part, relations: visible(part) };
  };

  const joined = (left: Part, right: Relation, around: Surroundings): Part => {
    const relations = [...left.relations, right];
    const shown = [...left.shown, ...right.columns];
    const join = (words: string, condition: string): Part => ({
      sql: `${left.sql} ${words}JOIN ${right.sql}${condition}`,
      rows: joinedRows(left, right),
      relations,
      shown,
    });
    const common = right.columns.filter(
      ({ name, family }) =>
        name !== undefined &&
        isOnly(name, right.columns) &&
        left.shown.filter((other) => sameName(other, name)).length === 1 &&
        left.shown.some((other) => sameName(other, name) && other.family === family),
    );
    if (common.length > 0 && chance(60)) {
      const merged = pick(common);
      const name = merged.name ?? '';
      const rest = shown.filter((column) => !sameName(column, name));
      return { ...join(pick(['', 'LEFT ', 'RIGHT ', 'FULL ']), ` USING (${name})`), shown: [merged, ...rest] };
    }
    if (chance(40)) return join('CROSS ', '');
    const compared = pick(families);
    const [a, b] = [reference(compared, left.relations), reference(pick(comparableWith(compared)), [right])];
    if (a !== undefined && b !== undefined && chance(70))
      return join(pick(['', 'LEFT ', 'RIGHT ', 'FULL ']), ` ON ${a} = ${b}`);
    return join(pick(['', 'LEFT ']), ` ON ${value('truth', relations, { ...around, depth: 0 }, 0)}`);
  };

  const item = (family: Family, text: string, implicit: string | undefined): { sql: string; column: Column } => {
    if (!chance(45)) return { sql: text, column: { name: implicit, family } };
    const name = pick(names);
    return { sql: `${text} AS ${name}`, column: { name, family } };
  };

  /** A SELECT with or without groups; `wanted` are the families of its columns where they matter. */
  const select = (around: Surroundings, wanted?: readonly Family[]): Query => {
    if (around.depth > 0 && chance(15)) return setOperation(around, wanted);
    const from = fromClause(around);
    const condition = where(from.relations, around);
    if (chance(30)) return grouped(from, condition, around, wanted);
    const columns: Column[] = [];
    const items: string[] = [];
    const add = (text: { sql: string; column: Column }): void => {
      items.push(text.sql);
      columns.push(text.column);
    };
    if (wanted === undefined && chance(60)) {
      const star = chance(50) ? undefined : pick(from.relations.filter(({ alias }) => alias !== ''));
      items.push(star === undefined ? '*' : `${star.alias}.*`);
      columns.push(...(star === undefined ? from.shown : star.columns));
    }
    for (const family of wanted ?? times(draw(3) + (items.length === 0 ? 1 : 0), () => pick(families))) {
      const window = chance(12) ? windowed(family, from) : undefined;
      if (window !== undefined) {
        add(item(family, window, undefined));
        continue;
      }
      const text = value(family, from.relations, around);
      add(item(family, text, /^(\w+\.)?("?\w+"?)$/.exec(text)?.[2]?.replace(/^\d.*|^TRUE$|^FALSE$/, '') || undefined));
    }
    const distinct = chance(15) ? 'DISTINCT ' : '';
    return { sql: `SELECT ${distinct}${items.join(', ')} FROM ${from.sql}${condition}`, columns, rows: from.rows };
  };

  /** Only over one relation, whose columns can all be named: then rows that tie in an order by all of them are the same. */
  const windowed = (family: Family, { relations }: Part): string | undefined => {
    const [only, ...others] = relations.filter(({ alias }) => alias !== '');
    if (only === undefined || others.length > 0) return undefined;
    const { columns, alias } = only;
    if (!columns.every(({ name }) => name !== undefined && isOnly(name, columns))) return undefined;
    const named = columns.map((column) => ({ family: column.family, name: `${alias}.${column.name ?? ''}` }));
    return randomWindow(family, named, draw, constant);
  };

  const sorted = ({ sql, columns }: Query): string => {
    const keys = columns.map((_, at) => `${at + 1}${pick(['', ' DESC', ' ASC NULLS FIRST', ' DESC NULLS LAST'])}`);
    return `${sql} ORDER BY ${keys.join(', ')}`;
  };

  const grouped = (from: Part, condition: string, around: Surroundings, wanted?: readonly Family[]): Query => {
    const keys = times(draw(3), () => pick(families)).flatMap((family) => {
      const key = reference(family, from.relations);
      return key === undefined ? [] : [{ family, key }];
    });
    const made = (wanted ?? times(1 + draw(3), () => pick(families))).map((family) => {
      const fitting = keys.filter((key) => key.family === family);
      if (fitting.length > 0 && chance(50)) return item(family, pick(fitting).key, undefined);
      const over = inside(around, from.relations);
      if (chance(25)) {
        const inner = fromClause({ ...over, depth: 0 });
        const read = chance(70) ? from.relations : inner.relations;
        return item(family, `(SELECT ${aggregate(family, read, over)} FROM ${inner.sql} LIMIT 1)`, undefined);
      }
      return item(family, aggregate(family, from.relations, around), undefined);
    });
    const by = keys.length === 0 ? '' : ` GROUP BY ${keys.map(({ key }) => key).join(', ')}`;
    const having = chance(25) ? ` HAVING ${aggregate('truth', from.relations, around)}` : '';
    const items = made.map(({ sql }) => sql).join(', ');
    return {
      sql: `SELECT ${items} FROM ${from.sql}${condition}${by}${having}`,
      columns: made.map((one) => one.column),
      rows: from.rows + 1,
    };
  };

  const setOperation = (around: Surroundings, wanted?: readonly Family[]): Query => {
    const shape = wanted ?? times(1 + draw(3), () => pick(families));
    const inner = { ...around, depth: around.depth - 1 };
    const [left, right] = [
      select(inner, shape),
      select(
        inner,
        shape.map((family) => pick(chance(3) ? comparableWith(family) : narrower[family])),
      ),
    ];
    const operator = pick(['UNION', 'UNION ALL', 'INTERSECT', 'EXCEPT', 'EXCEPT ALL', 'INTERSECT ALL']);
    return { sql: `(${left.sql}) ${operator} (${right.sql})`, columns: left.columns, rows: left.rows + right.rows };
  };

  const whole = (): QueryText => {
    const common: Relation[] = [];
    const base: Surroundings = { depth: 2, outer: [], common };
    const written: string[] = [];
    for (let left = chance(30) ? 1 + draw(2) : 0; left > 0; left--) {
      const alias = `w${left}`;
      const query = select({ ...base, depth: 1, common: [...common] });
      common.push({ alias, columns: query.columns, rows: query.rows, sql: alias });
      written.push(`${alias} AS (${query.sql})`);
    }
    const query = select(base);
    const before = written.length === 0 ? '' : `WITH ${written.join(', ')} `;
    if (chance(50)) {
      const limit = chance(30) ? ` LIMIT ${1 + draw(4)}${chance(40) ? ` OFFSET ${draw(3)}` : ''}` : '';
      return { text: `${before}${sorted(query)}${limit}`, ordered: true };
    }
    const named = query.columns.flatMap((column) => column.name ?? []);
    const key = named.length > 0 && chance(60) ? pick(named) : String(1 + draw(2));
    return { text: `${before}${query.sql}${chance(40) ? ` ORDER BY ${key}` : ''}`, ordered: false };
  };
  return whole();
}

function single(relation: Relation): Part {
  return { sql: relation.sql, rows: relation.rows, relations: [relation], shown: relation.columns };
}

/** Maximum number of rows of any join of both. */
function joinedRows(left: Pick<Part, 'rows'>, right: Pick<Relation, 'rows'>): number {
  return (left.rows + 1) * (right.rows + 1);
}

interface Known {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: number;
}

function named({ alias, columns, rows }: Relation): Known {
  return { name: alias, columns, rows };
}

function ofTable({ name, columns, rows }: Table): Known {
  return { name, columns, rows: rows.length };
}

/** The relations of a FROM, and its columns that can go by their bare names. */
function visible({ relations, shown }: Part): readonly Relation[] {
  const bare = shown.filter(({ name }) => name !== undefined && isOnly(name, shown));
  return bare.length === 0 ? relations : [...relations, { sql: '', alias: '', columns: bare, rows: 0 }];
}

/** Whether no other column is called so. */
function isOnly(name: string, columns: readonly Column[]): boolean {
  return columns.filter((column) => sameName(column, name)).length <= 1;
}

function sameName(column: Column, name: string): boolean {
  return column.name !== undefined && plain(column.name) === plain(name);
}

function plain(name: string): string {
  return name.replaceAll('"', '').toLowerCase();
}
