/**
 * The rules for the condition of VISIBLE and CLEAR (docs/callers.md#what-a-condition-may-be). Takes the bound condition, reports; it must have the
 * same outcome at all times, never fail, and read nothing in its subqueries that is of one row.
 */
import type { AggregateBlock, ProjectionBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { someExpression } from '../../../language/catalog/map-expression.ts';
import type { BoundQuery, RelationSource } from '../../../language/catalog/query.ts';
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
}

export function checkRowCondition(node: Expression, { condition, where, row }: RowCondition, binding: Binding): void {
  checkForms(node, where, binding);
  walkExpression(condition, (part) => {
    const problem = problemOf(part);
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

/** The code of the rule that a part breaks by itself. */
function problemOf(part: TypedExpression): 'E0719' | 'E0720' | undefined {
  if (isStableCall(part)) return 'E0720';
  if (part.kind === 'apply')
    return someExpression(part.body, (inside) => problemOf(inside) !== undefined) ? 'E0719' : undefined;
  if (part.kind === 'scalar-query') return alwaysOneRow(part.query) ? undefined : 'E0719';
  return canFail(part) ? 'E0719' : undefined;
}

/** The place of a part; a conversion that nobody wrote is at its operand. */
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

/** Reports relations whose own definitions, or the definitions behind them, fail or change with the time. */
function checkRelations(query: BoundQuery, { node, where }: Place, { environment, report }: Binding): void {
  if (holdsRecursion(query)) report(diagnose('E0719', node.span, { where, part: 'WITH RECURSIVE' }));
  for (const { source } of readRelations(query)) {
    if (source.kind === 'meta') report(diagnose('E0717', node.span, { where, relation: source.relation }));
    const read = blockBehind(source, environment);
    const isState = source.kind !== 'events';
    const code = read === undefined ? undefined : problemBehind(read, isState, environment);
    if (read === undefined || code === undefined) continue;
    const relation = read.kind === 'projection' ? read.name : `${read.name}$${isState ? 'Agg' : 'Events'}`;
    const named = findAll(node, 'NamedRelation').find(({ name }) => name.text.toLowerCase() === relation.toLowerCase());
    report(diagnose(code, named?.name.span ?? node.span, { where, part: `Reg."${relation}"` }));
  }
}

/** The rule that a definition breaks, or one that it reads; gone through without recursion, since chains of projections may be long. */
function problemBehind(
  first: AggregateBlock | ProjectionBlock,
  isState: boolean,
  environment: Environment,
): 'E0719' | 'E0720' | undefined {
  const seen = new Set([isState ? first : undefined]);
  for (const block of seen) {
    if (block === undefined) continue;
    const { problem, sources } = factsOf(block);
    if (problem !== undefined) return problem;
    for (const source of sources) if (source.kind !== 'events') seen.add(blockBehind(source, environment));
  }
  return undefined;
}

function holdsRecursion(query: BoundQuery): boolean {
  return namedIn(query).tables.some(({ id, query: inner }) => {
    const readsItself = readRelations(inner).some(({ source }) => source.kind === 'common' && source.table === id);
    return readsItself || holdsRecursion(inner);
  });
}

interface Facts {
  readonly problem: 'E0719' | 'E0720' | undefined;
  readonly sources: readonly RelationSource[];
}

/** Blocks are immutable. */
const known = new WeakMap<object, Facts>();

function factsOf(block: AggregateBlock | ProjectionBlock): Facts {
  const query = block.kind === 'aggregate' ? block.state : block.query;
  const before = known.get(query);
  if (before !== undefined) return before;
  const problems = new Set<'E0719' | 'E0720' | undefined>();
  walkQuery(query, (part) => {
    problems.add(problemOf(part));
    return true;
  });
  if (holdsRecursion(query)) problems.add('E0719');
  const problem = problems.has('E0720') ? 'E0720' : problems.has('E0719') ? 'E0719' : undefined;
  const facts = { problem, sources: readRelations(query).map(({ source }) => source) } as const;
  known.set(query, facts);
  return facts;
}
