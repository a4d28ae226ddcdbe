import type { Column, QueryParameter } from '../../../language/contract/query.ts';
import type { PrintedArgument } from '../../functions/entry.ts';
import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundBody, BoundQuery } from '../../../language/catalog/query.ts';
import type { ColumnSizes } from './merged-size.ts';
import type { SharedProjections } from './shared-projections.ts';
import type { Fold } from '../../../language/plan/fold.ts';

/**
 * The shared state of the printing functions of this folder while one query is printed: the functions for each part,
 * the relations in scope, and the names used. One printer prints one statement.
 */
export interface Printer {
  readonly catalog: Catalog;
  /** By name. */
  readonly tables: ReadonlyMap<string, SessionTable>;
  readonly expression: (expression: TypedExpression) => string;
  /**
   * Like `expression`, for places where NULL counts as FALSE and SQLite stops early (FILTER, WHEN, a part of WHERE, ON
   * or HAVING).
   */
  readonly condition: (expression: TypedExpression) => string;
  /** A whole WHERE, ON or HAVING, whose parts SQLite tests in an order of its own. */
  readonly restriction: (expression: TypedExpression) => string;
  readonly argument: (expression: TypedExpression) => PrintedArgument;
  /** A complete query whose columns are `c0`, `c1`, …; unparenthesised. */
  readonly query: (query: BoundQuery) => string;
  /** `?n` with the binding of its type; the same name has the same number. */
  readonly parameter: (parameter: QueryParameter) => string;
  /** Relations in scope, by instance id. Ids are unique in the whole query, so nothing is ever removed. */
  readonly relations: Map<number, PrintedRelation>;
  /** The selects being printed, innermost last. */
  readonly levels: Level[];
  /** Common tables, by id. */
  readonly commonTables: Map<number, BoundQuery>;
  /** Selects of recursive tables that are repeated for each of their rows. */
  readonly steps: Set<BoundBody>;
  /** Common tables, and steps of them, whose intervals are packed (`print-recursion.ts`). */
  readonly packed: Set<BoundQuery | BoundBody>;
  /** Records that a relation is read, under its name in rights. */
  readonly reads: (relation: string) => void;
  /** Prints a part whose relations the query does not name itself: no right on them is asked for. */
  readonly aside: (print: () => string) => string;
  /**
   * The form of conditions of visible rows. As a `barrier` a relation is not merged into the query around it, whose parts SQLite would then evaluate in any
   * order; `merged` it can use indexes for both.
   */
  readonly visibility: 'barrier' | 'merged' | 'ignored';
  /** Relations that show how far something has come take that from a parameter; otherwise it is unknown. */
  readonly standings: boolean;
  /** Projections that are read from a table, filled before the statement. */
  readonly shared: SharedProjections;
  /** Sizes of the columns of printed selects (`merged-size.ts`), and of the relations in scope. */
  readonly sizes: Map<BoundBody, ColumnSizes>;
  readonly columnSizes: Map<string, ColumnSizes[number]>;
  readonly projectionSizes: (projection: string) => ColumnSizes | undefined;
  /** Records a fold and gives the name of its view. Absent: every select is a scan. */
  readonly keepFold?: (fold: Fold) => string;
}

/** A table of the session or of a recorded inspection. */
export interface SessionTable {
  /** Its name in the read model. */
  readonly physical: string;
  /** As queries see them. */
  readonly columns: readonly Column[];
}

/** A SELECT while it is printed. */
export interface Level {
  /** Relation instances of its FROM. */
  readonly relations: ReadonlySet<number>;
  /** Any column of these relations. */
  readonly witness: string;
  /** Its WINDOW clause: the name of each specification by its text. */
  readonly windows: Map<string, string>;
}

/** A relation instance as expressions refer to it. */
export interface PrintedRelation {
  /** Any column of it that is cheap to read. */
  readonly witness: string;
  /** The SQL expression of a column. */
  readonly column: (name: string) => string;
  /** An INTEGER that increases in the order of events, if the relation contains events. */
  readonly position?: string;
  /** For an event relation: the aggregate whose tags table indexes it. */
  readonly aggregate?: string;
  /** A STRUCT column with its SENSITIVE leaves masked. */
  readonly maskedStruct?: (name: string) => string;
}

/** The column names of all printed queries. */
export function outputName(index: number): string {
  return `c${index}`;
}
