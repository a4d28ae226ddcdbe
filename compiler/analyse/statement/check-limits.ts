import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Node, Query } from '../../syntax/ast.ts';
import { childrenOf } from '../../syntax/children.ts';
import type { ShapeLimits } from '../environment/registry.ts';

/** Checks a query's tree against the limits of its caller (docs/http.md#limits); false, with a report, if it exceeds one of them. */
export function checkLimits(query: Query, limits: ShapeLimits, report: Report): boolean {
  let joins = 0;
  let commonTables = 0;
  let setOperations = 0;
  const pending: { readonly node: Node; readonly depth: number }[] = [{ node: query, depth: 0 }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { node } = at;
    const depth = at.depth + (nests(node) ? 1 : 0);
    const refuse = (what: string, limit: number): false => {
      report(diagnose('E0617', node.span, { what, limit }));
      return false;
    };
    if (depth > limits.depth) {
      report(diagnose('E0620', node.span, { depth: limits.depth }));
      return false;
    }
    if (node.kind === 'Join' && ++joins > limits.joins) return refuse('joins', limits.joins);
    if (node.kind === 'CommonTable' && ++commonTables > limits.commonTables)
      return refuse('WITH tables', limits.commonTables);
    if (node.kind === 'SetOperation' && ++setOperations > limits.setOperations)
      return refuse('set operations', limits.setOperations);
    if (node.kind === 'InList' && node.list.length > limits.listItems)
      return refuse('items in one list', limits.listItems);
    if (node.kind === 'Query' && node.recursive && !limits.recursive) {
      report(diagnose('E0618', node.span, {}));
      return false;
    }
    for (const child of childrenOf(node))
      pending.push({ node: child, depth: isChain(node, child) || isHeld(node, child) ? at.depth : depth });
  }
  return true;
}

/** Nodes that count as a level of nesting; names, items and clauses do not. */
const flat: ReadonlySet<Node['kind']> = new Set<Node['kind']>([
  'Name',
  'TypeName',
  'ColumnReference',
  'BindParameter',
  'SelectExpression',
  'SelectStar',
  'NamedRelation',
  'OrderItem',
  'ValuesRow',
  'Values',
  'Select',
  'CommonTable',
  'CaseBranch',
  'StringLiteral',
  'NumberLiteral',
  'BooleanLiteral',
  'NullLiteral',
  'TypedLiteral',
]);

function nests(node: Node): boolean {
  return !flat.has(node.kind);
}

/** `a AND b AND c`, chains of joins and of UNIONs lean to the left without being nested. */
function isChain(node: Node, child: Node): boolean {
  if (node.kind === 'Binary') return child === node.left && child.kind === 'Binary';
  return (node.kind === 'SetOperation' || node.kind === 'Join') && child === node.left;
}

/** A query and the node that holds it (a derived table, EXISTS, a value) are one level. */
function isHeld(node: Node, child: Node): boolean {
  return child.kind === 'Query' && node.kind !== 'Query' && nests(node);
}
