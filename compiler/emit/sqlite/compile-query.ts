/**
 * Prints a resolved, typed query for the SQLite of the embedded read model. Takes a bound query and the catalog it was
 * bound to, gives SQL, its parameters and its columns; decides nothing. A caller's text passes through one escaping
 * function only.
 */
import type { CompiledQuery, QueryParameter } from '../../../language/contract/query.ts';
import type { ProjectionBlock } from '../../../language/catalog/block.ts';
import { findBlock, type Catalog } from '../../../language/catalog/catalog.ts';
import type { Spans } from '../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { physicalNames } from './physical-names.ts';
import { sharedProjections } from './shared-projections.ts';
import { mayFail } from '../../../language/sqlite/call.ts';
import { readRelations } from '../../analyse/typed/walk.ts';
import { createBlockMemory } from '../memory/block-memory.ts';
import { createReferences } from '../project/references.ts';
import { sizesOf, type ColumnSizes } from './merged-size.ts';
import { printArgument, printCondition, printExpression, printRestrictionOf } from './print-expression.ts';
import { printQuery } from './print-query.ts';
import type { Printer, SessionTable } from './printer.ts';
import { usesTime } from '../uses-time.ts';
import { isVolatile } from './volatile.ts';
import { withPlace } from '../../../language/sqlite/placed-calls.ts';
import { sqliteParameter } from '../../../language/sqlite/value.ts';

export interface CompileOptions {
  /** Session tables and recorded inspections, by their name in the query. */
  readonly tables?: ReadonlyMap<string, SessionTable>;
  /** The query takes how far subscriptions and reactions have come as parameters (`standingParameter`), if it reads that. */
  readonly standings?: boolean;
  /** The places of expressions in the text of the query, so that a failure names the expression: for a query whose text its caller knows. */
  readonly spans?: Spans;
  /** Makes the query read folds where it can: records each fold and gives the name of its view. */
  readonly keepFold?: Printer['keepFold'];
}

/**
 * The query as one SQL statement for SQLite 3.54 with the functions of `language/sqlite/functions.ts`. Its columns are
 * named `c0`, `c1`, … and must be read by position. Values are bound by `parameters`: bigints as text, booleans as 0
 * and 1.
 */
export function compileQuery(query: BoundQuery, catalog: Catalog, options: CompileOptions = {}): CompiledQuery {
  const visibility = visibilityIn(query, catalog, options);
  const { printer, parameters, reads, behind } = createPrinter(catalog, { ...options, visibility });
  const sql = printer.query(query);
  const shared = printer.shared.behind(behind).map(physicalNames.projection);
  return {
    parameters: parameters(),
    columns: query.columns,
    reads: [...reads].sort(),
    ...(usesTime(query, catalog) && { usesTime: true }),
    ...(isVolatile(query) && { draws: true }),
    sqlite: { sql, ...(shared.length > 0 && { shared }) },
  };
}

/** Only parts that can fail tell anything of a row that they are evaluated for. */
function visibilityIn(query: BoundQuery, catalog: Catalog, options: CompileOptions): Printer['visibility'] {
  if (!readRelations(query).some(({ visible }) => visible !== undefined)) return 'merged';
  const { printer } = createPrinter(catalog, { ...options, visibility: 'ignored' });
  return mayFail(printer.query(query)) ? 'barrier' : 'merged';
}

/** The printer of one statement, and the relations and parameters that the statement uses. */
export interface StatementPrinter {
  readonly printer: Printer;
  readonly parameters: () => CompiledQuery['parameters'];
  /** The relations that the statement names. */
  readonly reads: ReadonlySet<string>;
  /** These, and the relations that decide which of their rows are visible. */
  readonly behind: ReadonlySet<string>;
}

export interface PrinterOptions extends CompileOptions {
  readonly visibility?: Printer['visibility'];
}

export function createPrinter(catalog: Catalog, options: PrinterOptions = {}): StatementPrinter {
  const parameters = createParameters();
  const reads = new Set<string>();
  const behind = new Set<string>();
  let isAside = false;
  const printer: Printer = {
    catalog,
    tables: options.tables ?? new Map(),
    standings: options.standings ?? false,
    expression: (expression) => {
      const sql = printExpression(printer, expression);
      const span = options.spans?.get(expression);
      return span === undefined ? sql : withPlace(sql, span);
    },
    condition: (expression) => printCondition(printer, expression),
    restriction: (expression) => printRestrictionOf(printer, expression),
    argument: (expression) => printArgument(printer, expression),
    query: (inner) => printQuery(printer, inner),
    parameter: parameters.print,
    relations: new Map(),
    levels: [],
    commonTables: new Map(),
    steps: new Set(),
    packed: new Set(),
    shared: sharedProjections(catalog),
    sizes: new Map(),
    columnSizes: new Map(),
    projectionSizes: (projection) => projectionSizes(catalog, projection),
    reads: (relation) => {
      behind.add(relation);
      if (!isAside) reads.add(relation);
    },
    aside: (print) => {
      const before = isAside;
      isAside = true;
      const text = print();
      isAside = before;
      return text;
    },
    visibility: options.visibility ?? 'merged',
    ...(options.keepFold === undefined ? {} : { keepFold: options.keepFold }),
  };
  return { printer, parameters: () => parameters.all, reads, behind };
}

const printedSizes = new WeakMap<Catalog, Map<string, ColumnSizes | undefined>>();
const memory = createBlockMemory<{ readonly sizes: ColumnSizes | undefined }>();

/**
 * Found by printing the projection after those that it reads, so that a long chain of projections is no deep recursion.
 */
function projectionSizes(catalog: Catalog, projection: string): ColumnSizes | undefined {
  const known = printedSizes.get(catalog) ?? new Map<string, ColumnSizes | undefined>();
  printedSizes.set(catalog, known);
  const { readBy } = sharedProjections(catalog);
  const pending = [projection];
  for (let name = pending.at(-1); name !== undefined && !known.has(projection); name = pending.at(-1)) {
    const missing = [...readBy(name)].filter((read) => !known.has(read));
    pending.push(...missing);
    if (missing.length > 0) continue;
    pending.pop();
    const block = findBlock(catalog, 'projection', name);
    known.set(name, block === undefined ? undefined : printedSize(catalog, block));
  }
  return known.get(projection);
}

function printedSize(catalog: Catalog, block: ProjectionBlock): ColumnSizes | undefined {
  return memory(createReferences(catalog)(block), '', () => {
    const { printer } = createPrinter(catalog);
    printer.query(block.query);
    return { sizes: sizesOf(printer, block.query) };
  }).sizes;
}

/** Numbers the parameters of one statement in the order of their first use. */
interface Parameters {
  readonly all: readonly QueryParameter[];
  readonly print: Printer['parameter'];
}

function createParameters(): Parameters {
  const all: QueryParameter[] = [];
  return {
    all,
    print: (asked) => {
      const isAsked = ({ name, caller }: QueryParameter): boolean =>
        name === asked.name && (caller === undefined) === (asked.caller === undefined);
      let index = all.findIndex(isAsked);
      if (index === -1) index = all.push(asked) - 1;
      return sqliteParameter(index + 1, asked.type);
    },
  };
}
