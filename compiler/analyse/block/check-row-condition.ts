/**
 * The rules for the condition of VISIBLE and CLEAR (docs/callers.md#what-a-condition-may-be). Takes the bound condition, reports; it must have the
 * same outcome at all times, never fail, and read nothing in its subqueries that is of one row.
 */
import type { AggregateBlock, ProjectionBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { someExpression } from '../../../language/catalog/map-expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Span } from '../../../language/source/span.ts';
import { canFail, isStableCall } from '../../functions/properties-of-call.ts';
import type { Expression } from '../../syntax/ast.ts';
import { findAll, walk } from '../../syntax/walk.ts';
import type { Environment } from '../environment/environment.ts';
import { alwaysOneRow } from '../expression/bind-subquery.ts';
import { blockBehind } from '../query/aggregates-read.ts';
import type { Binding } from '../query/binding.ts';
import { namedIn, partsOf, readRelations, walkExpression, walkQuery } from '../typed/walk.ts';

export interface RowCondition {
  readonly condition: TypedExpression;
  readonly where: 'VISIBLE' | 'CLEAR';
  /** The relation whose rows it is about. */
  readonly row: number;
  readonly block: AggregateBlock | ProjectionBlock;
}

export function checkRowCondition(
  node: Expression,
  { condition, where, row, block }: RowCondition,
  binding: Binding,
): void {
  checkForms(node, where, binding);
  walkExpression(condition, (part) => {
    const isOwn = part.kind === 'column' && part.relation === row && block.kind === 'aggregate';
    const problem = isOwn ? problemOfState(block, new Set([part.column])) : problemOf(part);
    const span = spanOf(part, node.span, binding);
    if (problem !== undefined) binding.report(diagnose(problem, span, { where, part: textAt(span) }));
    return problem === undefined;
  });
  for (const query of subqueries(condition)) {
    checkReadsNoRow(query, row, { node, where }, binding);
    checkRelations(query, { node, where }, binding);
  }
}

interface Place {
  readonly node: Expression;
  readonly where: 'VISIBLE' | 'CLEAR';
}

/** A subquery is a set: the row has a value in it, or it has rows. `= ANY` and `<> ALL` are read as IN. Subqueries of it may have other forms. */
function checkForms(node: Expression, where: Place['where'], { report }: Binding): void {
  walk(node, (part) => {
    const isOther = part.kind === 'ScalarSubquery' || part.kind === 'AnyQuery';
    if (isOther) report(diagnose('E0717', part.span, { where }));
    return part.kind !== 'Query' && !isOther;
  });
}

/** The code of a rule: nothing that can fail, nothing that changes with the time. */
type Problem = 'E0719' | 'E0720';

/** The rule that a part breaks by itself. */
function problemOf(part: TypedExpression): Problem | undefined {
  if (isStableCall(part)) return 'E0720';
  if (part.kind === 'apply')
    return someExpression(part.body, (inside) => problemOf(inside) !== undefined) ? 'E0719' : undefined;
  if (part.kind === 'scalar-query') return alwaysOneRow(part.query) ? undefined : 'E0719';
  return canFail(part) ? 'E0719' : undefined;
}

/** The place of a part; an implicit conversion is at its operand. */
function spanOf(part: TypedExpression, whole: Span, binding: Binding): Span {
  return binding.spans.get(part) ?? (part.kind === 'cast' ? spanOf(part.operand, whole, binding) : whole);
}

function textAt({ file, start, end }: Span): string {
  return file.text.slice(start, end).replaceAll(/\s+/g, ' ');
}

/** The outermost queries inside a condition. */
function subqueries(condition: TypedExpression): readonly BoundQuery[] {
  return ['query' in condition ? [condition.query] : [], ...partsOf(condition).map(subqueries)].flat();
}

function checkReadsNoRow(query: BoundQuery, row: number, { node, where }: Place, binding: Binding): void {
  walkQuery(query, (part) => {
    if (part.kind === 'column' && part.relation === row)
      binding.report(diagnose('E0718', spanOf(part, node.span, binding), { where }));
    return true;
  });
}

/** Reports relations with values that can fail or change with the time, in their definitions or in those behind them. */
function checkRelations(query: BoundQuery, { node, where }: Place, { environment, report }: Binding): void {
  if (holdsRecursion(query)) report(diagnose('E0719', node.span, { where, part: 'WITH RECURSIVE' }));
  for (const { source, id } of readRelations(query)) {
    if (source.kind === 'meta') report(diagnose('E0717', node.span, { where, relation: source.relation }));
    const read = blockBehind(source, environment);
    if (read === undefined) continue;
    const isProjection = read.kind === 'projection';
    const problem = isProjection
      ? problemIn(read.query, environment)
      : source.kind === 'state'
        ? problemOfState(read, columnsRead(query, id))
        : undefined;
    if (problem === undefined) continue;
    const relation = isProjection ? read.name : `${read.name}$Agg`;
    const named = findAll(node, 'NamedRelation').find(({ name }) => name.text.toLowerCase() === relation.toLowerCase());
    report(diagnose(problem, named?.name.span ?? node.span, { where, part: `Reg."${relation}"` }));
  }
}

/** The rule that a query breaks, or one behind it; gone through without recursion, since chains of projections may be long. */
function problemIn(first: BoundQuery, environment: Environment): Problem | undefined {
  const queries = new Set([first]);
  for (const query of queries) {
    const own = ownProblem(query);
    if (own !== undefined) return own;
    for (const { source, id } of readRelations(query)) {
      const read = blockBehind(source, environment);
      if (read?.kind === 'projection') queries.add(read.query);
      if (read?.kind !== 'aggregate' || source.kind !== 'state') continue;
      const problem = problemOfState(read, columnsRead(query, id));
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

/** A value of a state that fails leaves the other columns as they are. */
function problemOfState({ state: { columns, body } }: AggregateBlock, read: ReadonlySet<string>): Problem | undefined {
  const items = body.kind === 'select' ? body.items.filter((_, index) => read.has(columns[index]?.name ?? '')) : [];
  const problems = new Set<Problem | undefined>();
  for (const item of items)
    walkExpression(item, (part) => {
      problems.add(problemOf(part));
      return true;
    });
  return worst(problems);
}

function columnsRead(query: BoundQuery, relation: number): ReadonlySet<string> {
  const names = new Set<string>();
  walkQuery(query, (part) => {
    if (part.kind === 'column' && part.relation === relation) names.add(part.column);
    return true;
  });
  return names;
}

function holdsRecursion(query: BoundQuery): boolean {
  return namedIn(query).tables.some(({ id, query: inner }) => {
    const readsItself = readRelations(inner).some(({ source }) => source.kind === 'common' && source.table === id);
    return readsItself || holdsRecursion(inner);
  });
}

/** Queries of blocks are immutable. */
const known = new WeakMap<BoundQuery, { readonly problem: Problem | undefined }>();

function ownProblem(query: BoundQuery): Problem | undefined {
  const before = known.get(query);
  if (before !== undefined) return before.problem;
  const problems = new Set<Problem | undefined>(holdsRecursion(query) ? ['E0719'] : []);
  walkQuery(query, (part) => {
    problems.add(problemOf(part));
    return true;
  });
  const problem = worst(problems);
  known.set(query, { problem });
  return problem;
}

function worst(problems: ReadonlySet<Problem | undefined>): Problem | undefined {
  return problems.has('E0720') ? 'E0720' : problems.has('E0719') ? 'E0719' : undefined;
}
