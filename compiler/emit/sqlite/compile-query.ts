/**
 * Prints a resolved, typed query for the SQLite of the embedded read model. Takes a bound query and the catalog it was bound
 * to, gives SQL, its parameters and its columns; decides nothing, and never puts a text of the caller anywhere but through one
 * escaping function.
 */
import type { CompiledQuery } from '../../../runtime/contract/query.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { BoundQuery } from '../../catalog/query.ts';
import { createParameters } from './parameters.ts';
import { printArgument, printCondition, printExpression } from './print-expression.ts';
import { printQuery } from './print-query.ts';
import type { Printer, SessionTable } from './printer.ts';

export interface CompileOptions {
  /** Session tables and recorded inspections, by the name that the query has for them. */
  readonly tables?: ReadonlyMap<string, SessionTable>;
  /** Makes the query read folds where it can: takes note of each and gives the name of its view. */
  readonly keepFold?: Printer['keepFold'];
}

/**
 * The query as one SQL statement for SQLite 3.54 with the functions of `runtime/values/sqlite-functions.ts`. Its columns are
 * named `c0`, `c1`, … and are to be read by position. Values are bound by `parameters`: bigints as text, booleans as 0 and 1.
 */
export function compileQuery(query: BoundQuery, catalog: Catalog, options: CompileOptions = {}): CompiledQuery {
  const { printer, parameters, reads } = createPrinter(catalog, options);
  const sql = printer.query(query);
  return { sql, parameters: parameters(), columns: query.columns, reads: [...reads].sort() };
}

/** What prints one statement, and what that statement needs and reads. */
export interface StatementPrinter {
  readonly printer: Printer;
  readonly parameters: () => CompiledQuery['parameters'];
  readonly reads: ReadonlySet<string>;
}

export function createPrinter(catalog: Catalog, options: CompileOptions = {}): StatementPrinter {
  const parameters = createParameters();
  const reads = new Set<string>();
  const printer: Printer = {
    catalog,
    tables: options.tables ?? new Map(),
    expression: (expression) => printExpression(printer, expression),
    condition: (expression) => printCondition(printer, expression),
    argument: (expression) => printArgument(printer, expression),
    query: (inner) => printQuery(printer, inner),
    parameter: parameters.print,
    relations: new Map(),
    levels: [],
    commonTables: new Map(),
    steps: new Set(),
    reads: (relation) => reads.add(relation),
    ...(options.keepFold === undefined ? {} : { keepFold: options.keepFold }),
  };
  return { printer, parameters: () => parameters.all, reads };
}
