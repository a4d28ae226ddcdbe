import type { BoundBody, BoundQuery, BoundSelect } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Span } from '../../../language/source/span.ts';
import type { CreateSubscription, Query, QueryBody, Relation, Select } from '../../syntax/ast.ts';
import { childrenOf } from '../../syntax/children.ts';
import type { Node } from '../../syntax/ast.ts';
import { findAggregate } from '../../functions/aggregates.ts';

type Refuse = (span: Span, part: string, reason: string) => void;

const perEvent = 'each event gives one row or none';
const inOrder = 'rows are delivered in the order of the log';

/** Reports every part of the query that is not computed from one event alone. */
export function checkRowByRow({ query, key }: CreateSubscription, report: Report): boolean {
  let fits = true;
  const refuse: Refuse = (span, part, reason) => {
    fits = false;
    report(diagnose('E1101', span, { part, reason }));
  };
  checkWhole(query, refuse);
  checkBody(query.body, refuse);
  if (key !== undefined) checkNode(key, refuse);
  return fits;
}

function checkWhole({ with: [table], orderBy: [order], limit, offset }: Query, refuse: Refuse): void {
  if (table !== undefined) refuse(table.span, 'WITH', perEvent);
  if (order !== undefined) refuse(order.span, 'ORDER BY', inOrder);
  if (limit !== undefined) refuse(limit.span, 'LIMIT', 'a subscription has no end');
  if (offset !== undefined) refuse(offset.span, 'OFFSET', 'FROM POSITION says where it begins');
}

function checkBody(first: QueryBody, refuse: Refuse): void {
  const pending: QueryBody[] = [first];
  for (let body = pending.pop(); body !== undefined; body = pending.pop()) {
    if (body.kind === 'Select') checkSelect(body, refuse);
    else if (body.kind === 'Values') refuse(body.span, 'VALUES', 'its rows are no events');
    else if (body.kind === 'Query')
      refuse(body.span, 'a query in parentheses', 'terms follow each other with UNION ALL');
    else if (body.operator !== 'UNION') refuse(body.span, body.operator, perEvent);
    else if (!body.all) refuse(body.span, 'UNION without ALL', perEvent);
    else pending.push(body.right, body.left);
  }
}

function checkSelect(select: Select, refuse: Refuse): void {
  const { from, groupBy, having, windows, items, where, span } = select;
  if (select.distinct) refuse(span, 'DISTINCT', perEvent);
  if (groupBy[0] !== undefined) refuse(groupBy[0].span, 'GROUP BY', perEvent);
  if (having !== undefined) refuse(having.span, 'HAVING', perEvent);
  if (windows[0] !== undefined) refuse(windows[0].span, 'WINDOW', perEvent);
  if (from === undefined) refuse(span, 'SELECT without FROM', 'its row is no event');
  else checkFrom(from, refuse);
  for (const node of [...items, ...(where === undefined ? [] : [where])]) checkNode(node, refuse);
}

function checkFrom(from: Relation, refuse: Refuse): void {
  if (from.kind === 'Join') refuse(from.span, 'JOIN', perEvent);
  if (from.kind === 'DerivedRelation') refuse(from.span, 'a query in FROM', perEvent);
}

/** Aggregates, windows and subqueries, at any depth. */
function checkNode(first: Node, refuse: Refuse): void {
  const pending: Node[] = [first];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.kind === 'Query') {
      refuse(node.span, 'a subquery', 'it would read other events');
      continue;
    }
    if (node.kind === 'FunctionCall') {
      if (node.over !== undefined) refuse(node.span, 'a window function', perEvent);
      else if (findAggregate(node.name.text) !== undefined) refuse(node.span, 'an aggregate', perEvent);
    }
    pending.push(...childrenOf(node));
  }
}

/** Each term reads the events of one aggregate, and no two terms the same, so that a position belongs to one row. */
export function checkSources({ query: tree }: CreateSubscription, query: BoundQuery, report: Report): boolean {
  const seen = new Set<string>();
  for (const { from } of selectsOf(query.body)) {
    const source = from?.kind === 'relation' ? from.source : undefined;
    // A relation that is unknown or has errors of its own, which are reported there.
    if (source?.kind === 'session') return false;
    if (source?.kind !== 'events') {
      report(diagnose('E1102', tree.span, { problem: 'it reads the events of aggregates alone: FROM Reg."X$Events"' }));
      return false;
    }
    if (seen.has(source.aggregate)) {
      const problem = `two of its terms read "${source.aggregate}$Events"; an event gives one row, so write one term`;
      report(diagnose('E1102', tree.span, { problem }));
      return false;
    }
    seen.add(source.aggregate);
  }
  return true;
}

/** The terms of a chain of UNION ALL, in order. */
export function selectsOf(first: BoundBody): readonly BoundSelect[] {
  const selects: BoundSelect[] = [];
  const pending: BoundBody[] = [first];
  for (let body = pending.pop(); body !== undefined; body = pending.pop()) {
    if (body.kind === 'select') selects.push(body);
    else if (body.kind === 'set') pending.push(body.right, body.left);
  }
  return selects;
}
