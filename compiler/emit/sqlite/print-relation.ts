import { isSqliteInteger } from '../../../language/sqlite/value.ts';
import type { BoundDerived, BoundJoin, BoundNamedRelation, BoundRelation } from '../../../language/catalog/query.ts';
import { findBlock } from '../../../language/catalog/catalog.ts';
import { findMetaRelation } from '../../../language/contract/meta-relations.ts';
import {
  isStandingRelation,
  standingColumns,
  standingParameter,
  type StandingRelation,
} from '../../../language/contract/standing.ts';
import { eventRelation } from './event-relation.ts';
import { columnIndex, physicalNames, quoteIdentifier, viewColumnNames } from './physical-names.ts';
import { growsTooLarge, recordSizes, sizesOf } from './merged-size.ts';
import { mergesTooMany } from './merged-relations.ts';
import { unpackedOf } from './print-recursion.ts';
import { sessionRelation } from './session-relation.ts';
import { outputName, type PrintedRelation, type Printer } from './printer.ts';
import { isVolatile } from './volatile.ts';

/** A FROM clause; its relations are in scope afterwards, each instance as `r` and its id. */
export function printFrom(printer: Printer, relation: BoundRelation): string {
  return printRelation(printer, relation, { extended: false, apart: mergesTooMany(printer, relation) });
}

interface Surroundings {
  /** An outer join may replace its rows by NULLs. */
  readonly extended: boolean;
  /** Queries must not be merged into the query around them. */
  readonly apart: boolean;
}

function printRelation(printer: Printer, relation: BoundRelation, around: Surroundings): string {
  switch (relation.kind) {
    case 'relation':
      return printNamed(printer, relation, around);
    case 'derived': {
      if (relation.lateral === true) return printLateral(printer, relation);
      const { id, query } = relation;
      const text = printer.query(query);
      const sizes = sizesOf(printer, query);
      const printed = numbered(id, query.columns);
      printer.relations.set(id, printed);
      recordSizes(printer, printed, query.columns, sizes);
      // If merged, a volatile column would be computed at each use.
      const kept = around.apart || isVolatile(query) || growsTooLarge(sizes);
      return `(${kept ? keptApart(`(${text})`) : text}) AS r${id}`;
    }
    case 'join':
      return printJoin(printer, relation, around);
  }
}

/**
 * SQLite has no LATERAL, but the argument of a table-valued function may read the relations before it: the query's rows
 * become one JSON array, which `json_each` splits into rows. Texts are stored without the JSON subtype, so that a list
 * or struct stays a text.
 */
function printLateral(printer: Printer, { id, query }: BoundDerived): string {
  const { columns } = query;
  const cells = columns.map(({ type }, index) => {
    const name = outputName(index);
    return isSqliteInteger(type) || type.kind === 'DOUBLE' ? name : `${name} || ''`;
  });
  const rows = `(SELECT json_group_array(json_array(${cells.join(', ')})) FROM (${printer.query(query)}))`;
  const column = (name: string): string => `(r${id}.value ->> ${found(columns, name)})`;
  const relation: PrintedRelation = { witness: `r${id}.key`, column };
  printer.relations.set(
    id,
    hasColumn(columns, 'global_position') ? { ...relation, position: column('global_position') } : relation,
  );
  return `json_each(${rows}) AS r${id}`;
}

/** An OFFSET prevents SQLite from merging a query into the outer one. */
function keptApart(from: string): string {
  return `SELECT * FROM ${from} LIMIT -1 OFFSET 0`;
}

function printJoin(printer: Printer, join: BoundJoin, around: Surroundings): string {
  const side = (relation: BoundRelation, ...optional: readonly BoundJoin['type'][]): string =>
    printRelation(printer, relation, { ...around, extended: around.extended || optional.includes(join.type) });
  const left = side(join.left, 'RIGHT', 'FULL');
  const right = side(join.right, 'LEFT', 'FULL');
  const on = join.on === undefined ? '1' : printer.restriction(join.on);
  // SQLite takes CROSS JOIN as an instruction to its optimizer.
  const type = join.type === 'CROSS' ? 'INNER' : join.type;
  return `${left} ${type} JOIN ${join.right.kind === 'join' ? `(${right})` : right} ON ${on}`;
}

/** A relation of the registry or the query. Of rows that are not visible no expression around it sees anything. */
function printNamed(printer: Printer, relation: BoundNamedRelation, around: Surroundings): string {
  const { id, visible } = relation;
  const from = printWhole(printer, relation, around);
  if (visible === undefined || printer.visibility === 'ignored') return from;
  const condition = printer.aside(() => printer.condition(visible));
  const barrier = printer.visibility === 'barrier' ? ' LIMIT -1 OFFSET 0' : '';
  return `(SELECT r${id}.* FROM ${from} WHERE ${condition}${barrier}) AS r${id}`;
}

function printWhole(printer: Printer, relation: BoundNamedRelation, { extended, apart }: Surroundings): string {
  const { id, source } = relation;
  const put = (table: string, printed: PrintedRelation): string => {
    printer.relations.set(id, printed);
    return `${table} AS r${id}`;
  };
  switch (source.kind) {
    case 'events':
      printer.reads(`${source.aggregate}$Events`);
      return put(
        quoteIdentifier(physicalNames.events(source.aggregate)),
        eventRelation(printer.catalog, source.aggregate, `r${id}`, extended),
      );
    case 'state': {
      printer.reads(`${source.aggregate}$Agg`);
      const columns = findBlock(printer.catalog, 'aggregate', source.aggregate)?.state.columns;
      return put(quoteIdentifier(physicalNames.state(source.aggregate)), viewRelation(id, columns));
    }
    case 'projection': {
      printer.reads(source.projection);
      const columns = findBlock(printer.catalog, 'projection', source.projection)?.query.columns;
      const printed = viewRelation(id, columns);
      if (printer.shared.isShared(source.projection))
        return put(quoteIdentifier(physicalNames.shared(source.projection)), printed);
      const view = quoteIdentifier(physicalNames.projection(source.projection));
      const sizes = printer.projectionSizes(source.projection);
      recordSizes(printer, printed, columns ?? [], sizes);
      return put(apart || growsTooLarge(sizes) ? `(${keptApart(view)})` : view, printed);
    }
    case 'meta':
      printer.reads(source.relation);
      if (printer.standings && isStandingRelation(source.relation)) {
        const printed = metaRelation(id);
        return put(withStandings(printer, source.relation), { ...printed, witness: printed.column('name') });
      }
      return put(quoteIdentifier(physicalNames.meta(source.relation)), metaRelation(id));
    case 'session': {
      const table = printer.tables.get(source.table);
      if (table === undefined) throw new Error(`session table ${source.table} was not given`);
      return put(quoteIdentifier(table.physical), sessionRelation(`r${id}`, table.columns));
    }
    case 'common': {
      const query = printer.commonTables.get(source.table);
      const printed = unpackedOf(printer, query, numbered(id, query?.columns));
      const sizes = query === undefined ? undefined : sizesOf(printer, query);
      recordSizes(printer, printed, query?.columns ?? [], sizes);
      const table = `w${source.table}`;
      return put(apart || growsTooLarge(sizes) ? `(${keptApart(table)})` : table, printed);
    }
  }
}

/** Columns of a query in the same statement. */
function numbered(id: number, columns: readonly { readonly name: string }[] | undefined): PrintedRelation {
  const column = (name: string): string => `r${id}.${outputName(found(columns, name))}`;
  const witness = `r${id}.${outputName(0)}`;
  return hasColumn(columns, 'global_position')
    ? { witness, column, position: column('global_position') }
    : { witness, column };
}

function viewRelation(id: number, columns: Parameters<typeof viewColumnNames>[0] | undefined): PrintedRelation {
  const names = viewColumnNames(columns ?? []);
  const column = (name: string): string => `r${id}.${quoteIdentifier(names[found(columns, name)] ?? name)}`;
  return { witness: `r${id}.${quoteIdentifier(names[0] ?? '')}`, column };
}

function metaRelation(id: number): PrintedRelation {
  return { witness: `r${id}.rowid`, column: (name) => `r${id}.${quoteIdentifier(name)}` };
}

/** The table of the relation with the values that a parameter brings, by name. */
function withStandings(printer: Printer, relation: StandingRelation): string {
  const columns = findMetaRelation(relation)?.columns ?? [];
  const brought = standingColumns[relation].map(({ name }) => name);
  const given = printer.parameter({ name: standingParameter(relation), type: { kind: 'JSON' } });
  const items = columns.map(({ name }) => {
    const place = brought.findIndex((each) => each === name);
    const value = place < 0 ? `m.${quoteIdentifier(name)}` : `json_extract(s.value, '$[${place}]')`;
    return `${value} AS ${quoteIdentifier(name)}`;
  });
  const table = quoteIdentifier(physicalNames.meta(relation));
  return `(SELECT ${items.join(', ')} FROM ${table} AS m LEFT JOIN json_each(${given}) AS s ON s.key = m.name)`;
}

function hasColumn(columns: readonly { readonly name: string }[] | undefined, name: string): boolean {
  return columns !== undefined && columnIndex(columns, name) !== -1;
}

function found(columns: readonly { readonly name: string }[] | undefined, name: string): number {
  const index = columnIndex(columns ?? [], name);
  if (index === -1) throw new Error(`column ${name} is not among the columns of its relation`);
  return index;
}
