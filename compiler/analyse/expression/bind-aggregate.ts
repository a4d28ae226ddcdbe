import type { Type } from '../../../language/values/type.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { SortKey } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { computedAggregate, resolveAggregate, type WrittenAggregate } from '../../functions/aggregates.ts';
import type { FunctionCall, OrderItem } from '../../syntax/ast.ts';
import type { Binding, ExpressionContext, Site } from '../query/binding.ts';
import { directionOf } from '../query/order-by.ts';
import { lift } from '../query/lifted-aggregates.ts';
import { sameExpression } from '../query/same-expression.ts';
import type { Scope } from '../query/scope.ts';
import { walkExpression } from '../typed/walk.ts';
import { isMarked } from '../sensitive/mark.ts';
import { bindCondition } from './bind-condition.ts';
import { bindExpression } from './bind-expression.ts';
import { givenArgument } from './call.ts';
import { convert } from './convert.ts';
import { faulty, isFaulty } from '../typed/typed.ts';

/** An aggregate over the rows of a group: LAST, FIRST, COUNT, SUM, … with DISTINCT, ORDER BY and FILTER. */
export function bindAggregate(node: FunctionCall, name: WrittenAggregate, context: ExpressionContext): TypedExpression {
  const { binding, site } = context;
  const here: Owner = { scope: context.scope, site };
  if (!mayBelongOutside(context.scope) && !mayStandHere(node, name, site, binding)) return faulty;
  if (!hasShape(node, name, binding)) return faulty;
  const inner: ExpressionContext = { ...context, site: { ...site, where: name, aggregates: 'nested', windows: false } };
  const hidden: ExpressionContext = { ...inner, site: { ...inner.site, sensitive: 'refused' } };
  const given = node.arguments.map((argument) => bindExpression(argument, inner));
  const filter = node.filter === undefined ? undefined : bindCondition(node.filter, withWhere(hidden, 'FILTER'));
  const orderBy = bindInnerOrder(node.orderBy, withWhere(hidden, 'ORDER BY'));
  if (given.some(isFaulty) || orderBy === undefined || (filter !== undefined && isFaulty(filter))) return faulty;
  const keys = orderBy.flatMap((key) => (key.by === 'expression' ? [key.expression] : []));
  const owner = ownerOf([...given, ...(filter === undefined ? [] : [filter]), ...keys], here);
  if (!mayStandHere(node, name, owner.site, binding)) return faulty;
  const outside = owner.scope === here.scope ? undefined : owner.scope.lifted;
  owner.scope.aggregated?.();
  const relation =
    name === 'LAST' || name === 'FIRST' ? orderRelation(node, name, { ...context, scope: owner.scope }) : undefined;
  if (relation === 'none') return faulty;
  const resolved = resolveAggregate(name, given.map(givenArgument), node.distinct);
  if ('problem' in resolved) {
    binding.report(diagnose('E0304', node.span, { problem: resolved.problem }));
    return faulty;
  }
  if (node.distinct && orderBy.some((key) => key.by === 'expression' && !isOneOf(key.expression, given))) {
    const problem = 'takes an ORDER BY with DISTINCT only over its own value';
    binding.report(diagnose('E0616', node.span, { function: name, problem }));
    return faulty;
  }
  const converted = given.map((argument, index) =>
    convert(argument, resolved.parameters[index] ?? argument.type, binding),
  );
  const aggregate: TypedExpression = {
    kind: 'aggregate',
    function: computedAggregate(name),
    arguments: converted,
    distinct: node.distinct,
    ...(filter === undefined ? {} : { filter }),
    orderBy,
    ...(relation === undefined ? {} : { relation }),
    type: resolved.result,
    nullable: resolved.nullable(converted.map((argument) => argument.nullable)),
    sensitive:
      converted.some((argument) => carriesMark(argument, resolved.result)) &&
      !clearsMark(name, node, converted, binding),
  };
  return outside === undefined ? aggregate : lift(aggregate, outside, binding);
}

/** The SELECT over whose rows an aggregate is computed, and the aggregate's place in it. */
interface Owner {
  readonly scope: Scope;
  readonly site: Site;
}

/** Whether the aggregate could belong to an outer SELECT. */
function mayBelongOutside(scope: Scope): boolean {
  return (
    scope.parent !== undefined && (scope.parent.holder?.aggregates === 'allowed' || mayBelongOutside(scope.parent))
  );
}

/** The innermost SELECT that any of the parts reads; the SELECT that contains the aggregate if they read none. */
function ownerOf(parts: readonly TypedExpression[], here: Owner): Owner {
  const read = new Set<number>();
  for (const part of parts)
    walkExpression(part, (piece) => {
      if (piece.kind === 'column') read.add(piece.relation);
      return true;
    });
  let site: Site | undefined = here.site;
  for (let scope: Scope | undefined = here.scope; scope !== undefined && site !== undefined; scope = scope.parent) {
    if (scope.relations.some(({ id }) => read.has(id))) return { scope, site };
    // An aggregate lifted from here is inside this one.
    if (scope.lifted?.relation !== undefined && read.has(scope.lifted.relation))
      return { scope, site: { ...site, aggregates: 'nested' } };
    site = scope.parent?.holder;
  }
  return here;
}

function isOneOf(key: TypedExpression, given: readonly TypedExpression[]): boolean {
  return given.some((argument) => sameExpression(argument, key));
}

function withWhere(context: ExpressionContext, where: string): ExpressionContext {
  return { ...context, site: { ...context.site, where } };
}

function mayStandHere(node: FunctionCall, name: WrittenAggregate, site: Site, { report }: Binding): boolean {
  switch (site.aggregates) {
    case 'allowed':
      return true;
    case 'decision':
      report(diagnose('E0411', node.span, { function: name, where: site.where }));
      return false;
    case 'nested':
      report(diagnose('E0603', node.span, { function: name }));
      return false;
    case 'refused':
      report(diagnose('E0602', node.span, { function: name, where: site.where }));
      return false;
  }
}

function hasShape(node: FunctionCall, name: WrittenAggregate, { report }: Binding): boolean {
  const problem =
    node.star && name !== 'COUNT'
      ? 'takes no *'
      : node.orderBy.length > 0 && name !== 'ARRAY_AGG' && name !== 'STRING_AGG'
        ? 'takes no ORDER BY'
        : !node.star && name === 'COUNT' && node.arguments.length === 0
          ? 'takes * or a value'
          : undefined;
  if (problem !== undefined) report(diagnose('E0616', node.span, { function: name, problem }));
  return problem === undefined;
}

/** Undefined when a key has errors. */
export function bindInnerOrder(
  items: readonly OrderItem[],
  context: ExpressionContext,
): readonly SortKey[] | undefined {
  const keys = items.map((item): SortKey => ({
    ...directionOf(item),
    by: 'expression',
    expression: bindExpression(item.expression, context),
  }));
  return keys.some((key) => key.by === 'expression' && isFaulty(key.expression)) ? undefined : keys;
}

/** LAST and FIRST need the order of exactly one event relation, or its replacement. */
export function orderRelation(
  node: FunctionCall,
  name: string,
  { scope, binding }: ExpressionContext,
): number | 'none' {
  const events = eventRelations(scope);
  const [only] = events;
  if (only !== undefined && events.length === 1) return only;
  if (!scope.relations.some((relation) => relation.open)) {
    binding.report(diagnose('E0605', node.span, { function: name, found: events.length }));
  }
  return 'none';
}

function eventRelations(scope: Scope): readonly number[] {
  return scope.relations.filter((relation) => relation.events !== undefined).map((relation) => relation.id);
}

/** A STRUCT that is passed on whole keeps its marks in its type. */
function carriesMark(argument: TypedExpression, result: Type): boolean {
  return argument.sensitive || (result.kind !== 'STRUCT' && isMarked(argument));
}

/** In schema text COUNT clears the mark; in a caller's query only COUNT of a bare column, without DISTINCT (docs/language.md#sensitive-values). */
function clearsMark(
  name: WrittenAggregate,
  node: FunctionCall,
  given: readonly TypedExpression[],
  binding: Binding,
): boolean {
  if (name !== 'COUNT') return false;
  return binding.sensitivity !== 'masks' || (!node.distinct && given.every((argument) => argument.kind === 'column'));
}
