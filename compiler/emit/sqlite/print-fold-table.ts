/**
 * Folds as a table of the read model: the contribution of one event, its merge into the row of its key, and the aggregates computed from
 * the row; in addition, each of them as a scan. Both come from the same parts (`split-aggregate.ts`), so they have one meaning.
 */
import type { FoldTable, ViewDefinition } from '../../../language/sqlite/read-model.ts';
import { isSqliteInteger } from '../../../language/sqlite/value.ts';
import type { Type } from '../../../language/values/type.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { EVENT_ROW, type Fold, type FoldSlot } from '../../../language/plan/fold.ts';
import { aboutFold } from './about.ts';
import { compileQuery, createPrinter } from './compile-query.ts';
import { eventRelation } from './event-relation.ts';
import { physicalNames, quoteIdentifier } from './physical-names.ts';
import { outputName, type Printer } from './printer.ts';
import { splitAggregate, type AggregatePart } from './split-aggregate.ts';

type SqliteType = FoldTable['columns'][number]['type'];

/** A column of the table, the contribution of an event, and the merge with the present value. */
interface MergedColumn {
  readonly name: string;
  readonly type: SqliteType;
  readonly row: string;
  readonly merge: string;
  /** The value before the first event. */
  readonly empty: string;
}

/** The table of a fold, with views for `members`: folds that differ from it only in having fewer of its slots. */
export function printFoldTable(catalog: Catalog, fold: Fold, members: readonly Fold[] = [fold]): FoldTable {
  const printer = createEventPrinter(catalog, fold);
  const keys = printKeys(printer, fold);
  const slots = fold.slots.map((slot, index) => printSlot(printer, slot, index));
  const merged = slots.flatMap((slot) => slot.columns);
  const table = physicalNames.fold(fold);
  const readings = new Map(fold.slots.map((slot, index) => [slotText(slot), slots[index]?.reading]));
  const reading = (member: Fold): ViewDefinition => {
    const shown = member.slots.map((slot, index) => `${readings.get(slotText(slot))} AS s${index}`);
    const sql = `SELECT ${[...keys.reading, ...shown].join(', ')} FROM ${quoteIdentifier(table)}`;
    return { name: physicalNames.foldView(member), sql: aboutFold(member) + sql };
  };
  return {
    table,
    readings: members.map(reading),
    about: aboutFold(fold),
    aggregate: fold.aggregate,
    columns: [...keys.kept, ...merged.map(({ name, type }) => ({ name, type })), ...keys.computed],
    key: keys.kept.map(({ name }) => name),
    ...(keys.lookup === undefined ? {} : { lookup: keys.lookup }),
    row: [...keys.row, ...merged.map(({ row }) => row)],
    ...(fold.where === undefined ? {} : { where: printer.expression(fold.where) }),
    merge: merged.map(({ name, merge }) => `${name} = ${merge}`),
    ...(fold.key.length > 0 ? {} : { empty: ['0', ...merged.map(({ empty }) => empty)] }),
  };
}

/** A text that is equal for equal slots. */
export function slotText(slot: FoldSlot): string {
  return JSON.stringify(slot);
}

/** Prints a view that computes these rows from the events. */
export function printFoldScan(catalog: Catalog, fold: Fold): ViewDefinition {
  const items = [...fold.key, ...fold.slots.map(asAggregate)];
  const columns = items.map(({ type }, index) => ({ name: `x${index}`, type, nullable: true, sensitive: false }));
  const query: BoundQuery = {
    columns,
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items,
      from: { kind: 'relation', id: EVENT_ROW, source: { kind: 'events', aggregate: fold.aggregate } },
      ...(fold.where === undefined ? {} : { where: fold.where }),
      groupBy: fold.key,
      aggregated: true,
    },
    orderBy: [],
  };
  const names = [...fold.key.map((_, index) => `k${index}`), ...fold.slots.map((_, index) => `s${index}`)];
  const selected = names.map((name, index) => `${outputName(index)} AS ${name}`);
  return {
    name: physicalNames.foldView(fold),
    sql: `${aboutFold(fold)}SELECT ${selected.length === 0 ? '1' : selected.join(', ')} FROM (${compileQuery(query, catalog).sqlite.sql})`,
  };
}

function asAggregate({ function: name, argument, filter, type }: FoldSlot): TypedExpression {
  return {
    kind: 'aggregate',
    function: name,
    arguments: argument === undefined ? [] : [argument],
    distinct: false,
    orderBy: [],
    ...(filter === undefined ? {} : { filter }),
    ...(name === 'LAST' || name === 'FIRST' ? { relation: EVENT_ROW } : {}),
    type,
    nullable: true,
    sensitive: false,
  };
}

/**
 * For expressions over one event row `r0`. The events are selected by position; a test of tags by their index would
 * read all events of the history with the tag, so here it reads the row's own tags.
 */
function createEventPrinter(catalog: Catalog, fold: Fold): Printer {
  const { printer } = createPrinter(catalog);
  const { aggregate: _, ...relation } = eventRelation(catalog, fold.aggregate, `r${EVENT_ROW}`, false);
  printer.relations.set(EVENT_ROW, relation);
  return printer;
}

/**
 * Represents NULL in a key, where it must be equal to itself; sorts first, as NULL does, and no integer or text equals
 * it.
 */
const noKey = '-9e999';

/** The columns for reads and lookups are `k0`, `k1`, …; a part that may be NULL is stored as `q0`, `q1`, …. */
function printKeys(printer: Printer, { key }: Fold): PrintedKey {
  if (key.length === 0) return { kept: [{ name: 'one', type: 'INTEGER' }], row: ['0'], computed: [], reading: [] };
  const parts = key.map((part, index) => {
    const [name, text, type] = [`k${index}`, printer.expression(part), sqliteType(part.type)];
    if (!part.nullable) return { kept: { name, type }, row: text, computed: [] };
    const kept = { name: `q${index}`, type: 'ANY' } as const;
    const computed = [{ name, type, as: `NULLIF(q${index}, ${noKey})` }];
    return { kept, row: `COALESCE(${text}, ${noKey})`, computed };
  });
  const computed = parts.flatMap((part) => part.computed);
  const reading = key.map((_, index) => `k${index}`);
  return {
    kept: parts.map(({ kept }) => kept),
    row: parts.map(({ row }) => row),
    computed,
    reading,
    ...(computed.length === 0 ? {} : { lookup: reading }),
  };
}

interface PrintedKey {
  readonly kept: FoldTable['columns'];
  readonly row: readonly string[];
  readonly computed: FoldTable['columns'];
  readonly reading: readonly string[];
  readonly lookup?: readonly string[];
}

function printSlot(printer: Printer, slot: FoldSlot, index: number) {
  const filter = slot.filter === undefined ? undefined : printer.expression(slot.filter);
  const value = slot.argument === undefined ? undefined : printer.expression(slot.argument);
  const { parts, whole } = splitAggregate(slot.function, slot.type, slot.argument, value);
  const merged = parts.map((part, at) => mergePart(part, filter, parts.length === 1 ? `s${index}` : `s${index}_${at}`));
  return {
    columns: merged.flatMap(({ columns }) => columns),
    reading: whole(merged.map(({ gathered }) => gathered)),
  };
}

function mergePart(part: AggregatePart, filter: string | undefined, name: string) {
  const value = part.value ?? '1';
  const row = filter === undefined ? value : `CASE WHEN ${filter} THEN ${value} END`;
  const column = (merge: string): MergedColumn => ({ name, type: sqliteType(part.type), row, merge, empty: 'NULL' });
  const plain = (merge: string) => ({ columns: [column(merge)], gathered: name });
  switch (part.gather) {
    case 'COUNT':
      return { columns: [countColumn(name, row)], gathered: name };
    case 'SUM':
      if (part.type.kind === 'DOUBLE') return { columns: doubleSum(column, name), gathered: doubleTotal(name) };
      return plain(`COALESCE(${name} + excluded.${name}, ${name}, excluded.${name})`);
    case 'AVG': {
      const counted = `${name}_n`;
      const columns = [...doubleSum(column, name), countColumn(counted, row)];
      return { columns, gathered: `(${doubleTotal(name)} / ${counted})` };
    }
    case 'MIN':
      return plain(better(name, '<'));
    case 'MAX':
      return plain(better(name, '>'));
    case 'FIRST':
      return plain(`COALESCE(${name}, excluded.${name})`);
    case 'LAST':
      return plain(`COALESCE(excluded.${name}, ${name})`);
  }
}

function countColumn(name: string, row: string): MergedColumn {
  return { name, type: 'INTEGER', row: `((${row}) IS NOT NULL)`, merge: `${name} + excluded.${name}`, empty: '0' };
}

function better(name: string, than: '<' | '>'): string {
  return `CASE WHEN ${name} IS NULL OR excluded.${name} ${than} ${name} THEN COALESCE(excluded.${name}, ${name}) ELSE ${name} END`;
}

/** Computed as SQLite's SUM of doubles: the rounding error of each addition is kept next to the sum (Kahan and Babuška). */
function doubleSum(column: (merge: string) => MergedColumn, sum: string): readonly MergedColumn[] {
  const [added, total] = [`excluded.${sum}`, `(${sum} + excluded.${sum})`];
  const lost = `CASE WHEN abs(${sum}) > abs(${added}) THEN (${sum} - ${total}) + ${added} ELSE (${added} - ${total}) + ${sum} END`;
  return [
    column(`COALESCE(${sum} + ${added}, ${sum}, ${added})`),
    { name: `${sum}_e`, type: 'REAL', row: '0.0', merge: `${sum}_e + COALESCE(${lost}, 0.0)`, empty: '0.0' },
  ];
}

/** An infinite sum has no rounding error. */
function doubleTotal(sum: string): string {
  return `COALESCE(${sum} + ${sum}_e, ${sum})`;
}

function sqliteType(type: Type): SqliteType {
  if (isSqliteInteger(type)) return 'INTEGER';
  return type.kind === 'DOUBLE' ? 'REAL' : 'TEXT';
}
