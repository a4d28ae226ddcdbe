import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Node, Relation } from '../../syntax/ast.ts';
import { childrenOf } from '../../syntax/children.ts';
import { findAll } from '../../syntax/walk.ts';
import type { Binding } from './binding.ts';

/**
 * Limits on the size of a query. The engines of the read model have limits of their own (SQLite: 2000 columns, 64 relations, expressions
 * 1000 deep as printed), which no query within these limits reaches.
 */
export const bounds = {
  /** Maximum in a select list, ORDER BY, GROUP BY or PARTITION BY, as in PostgreSQL. */
  columns: 1_664,
  relations: 64,
  arguments: 200,
  /** Nested; chains of AND, OR and || do not count. */
  operators: 200,
  /** Nested, each used as a value. */
  subqueries: 64,
  /** Nested, through subqueries: SQLite copies a window for each native function over it. */
  windows: 4,
  /** In one WINDOW clause; each may extend the one before. */
  namedWindows: 100,
  /** INTERSECT ALL and EXCEPT ALL in a row. */
  repeating: 100,
  /** Rows of VALUES, if a value is a subquery. */
  queriedRows: 500,
  /** Columns of all relations that a statement names, and of all its `*`: a short text may multiply them. */
  read: 16_000,
  starred: 8_000,
} as const;

/** Whether these further columns fit in the statement; the first that do not are reported. */
export function fitsColumns(of: 'read' | 'starred', count: number, node: Node, binding: Binding): boolean {
  const wasPast = isPastColumns(of, binding);
  binding.counted[of] += count;
  if (!isPastColumns(of, binding)) return true;
  const what = of === 'read' ? 'columns of relations in one statement' : 'columns of * in one statement';
  if (!wasPast) binding.report(diagnose('E0622', node.span, { what, limit: bounds[of] }));
  return false;
}

/** Blocks that were accepted before have any number of columns. */
export function isPastColumns(of: 'read' | 'starred', { counted, environment }: Binding): boolean {
  return counted[of] > bounds[of] && !environment.accepted;
}

interface Place {
  readonly node: Node;
  /** The number of operators and calls around it, up to the nearest query. */
  readonly operators: number;
  readonly subqueries: number;
  readonly windows: number;
}

/** Reports the first part of a query, or of an expression in one, that exceeds a limit. */
export function checkBounds(root: Node, report: Report): void {
  const pending: Place[] = [{ node: root, operators: 0, subqueries: 0, windows: 0 }];
  for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
    const { node, operators } = place;
    const past = pastBound(place);
    if (past !== undefined) {
      report(diagnose('E0622', node.span, past));
      return;
    }
    const subqueries = place.subqueries + (valueQueries.has(node.kind) ? 1 : 0);
    const windows = place.windows + (isWindow(node) ? 1 : 0);
    for (const child of childrenOf(node))
      pending.push({ node: child, operators: levelOf(node, child, operators), subqueries, windows });
  }
}

const valueQueries: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  'ScalarSubquery',
  'InQuery',
  'AnyQuery',
  'Exists',
]);

/** Nodes that print as more than their operands: a level of the expression. */
const levels: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  'Binary',
  'Unary',
  'FunctionCall',
  'Case',
  'Cast',
  'Between',
  'InList',
  'InQuery',
  'IsTest',
  'Like',
  'AnyQuery',
  'AnyComparison',
  'JsonGet',
  'Extract',
]);

function levelOf(node: Node, child: Node, operators: number): number {
  if (child.kind === 'Query') return 0;
  if (isChain(node) && isChain(child)) return operators;
  return operators + (levels.has(node.kind) ? 1 : 0);
}

/** A window may contain queries with windows of their own. */
function isWindow(node: Node): boolean {
  return node.kind === 'WindowDefinition' || (node.kind === 'FunctionCall' && node.over !== undefined);
}

/** Printed as a balanced tree. */
function isChain(node: Node): boolean {
  return node.kind === 'Binary' && (node.operator === 'AND' || node.operator === 'OR' || node.operator === '||');
}

function pastBound({ node, operators, subqueries, windows }: Place): { what: string; limit: number } | undefined {
  const over = (count: number, limit: number, what: string): { what: string; limit: number } | undefined =>
    count > limit ? { what, limit } : undefined;
  if (operators > bounds.operators) return { what: 'operators inside one another', limit: bounds.operators };
  if (subqueries > bounds.subqueries) return { what: 'subqueries inside one another', limit: bounds.subqueries };
  if (windows > bounds.windows) return { what: 'window functions inside one another', limit: bounds.windows };
  switch (node.kind) {
    case 'Query':
      return over(node.orderBy.length, bounds.columns, 'ORDER BY expressions');
    case 'Select':
      return (
        over(node.groupBy.length, bounds.columns, 'GROUP BY expressions') ??
        over(node.windows.length, bounds.namedWindows, 'windows in one WINDOW clause') ??
        over(node.from === undefined ? 0 : countRelations(node.from), bounds.relations, 'relations in one FROM')
      );
    case 'SetOperation':
      return over(countRepeating(node), bounds.repeating, 'INTERSECT ALL and EXCEPT ALL in a row');
    case 'Values':
      return node.rows.length > bounds.queriedRows && findAll(node, 'ScalarSubquery').length > 0
        ? { what: 'rows of VALUES with a subquery', limit: bounds.queriedRows }
        : undefined;
    case 'FunctionCall':
      return over(node.arguments.length, bounds.arguments, 'arguments in one call');
    case 'WindowSpecification':
      return (
        over(node.partitionBy.length, bounds.columns, 'PARTITION BY expressions') ??
        over(node.orderBy.length, bounds.columns, 'ORDER BY expressions')
      );
    default:
      return undefined;
  }
}

function countRelations(from: Relation): number {
  let count = 1;
  let left = from;
  for (; left.kind === 'Join'; left = left.left) count += left.right.kind === 'Join' ? countRelations(left.right) : 1;
  return count;
}

function countRepeating(node: Node): number {
  let count = 0;
  for (let at = node; at.kind === 'SetOperation'; at = at.left) if (at.all && at.operator !== 'UNION') count += 1;
  return count;
}
