import type { Type } from '../../../language/values/type.ts';
import type { AggregateBlock, DecisionBranch, DecisionEmit, EventBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { Assignment, Branch, Emit, EmitTarget, Name } from '../../syntax/ast.ts';
import { bindCondition } from '../expression/bind-condition.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { assign } from '../expression/convert.ts';
import { isFaulty, nullOf, textType } from '../typed/typed.ts';
import type { Binding, ExpressionContext, Site } from '../query/binding.ts';
import type { Scope } from '../query/scope.ts';
import { isMarked } from '../sensitive/mark.ts';
import { sourceOfMark } from '../sensitive/source-of-mark.ts';
import { recordBlockUse } from '../name/record-block-use.ts';
import { reportUnknownBlock } from '../name/unknown-block.ts';

interface BranchContext {
  readonly binding: Binding;
  readonly scope: Scope;
}

/** A branch: its guard and its events. An unknown aggregate is reported where it is named. */
export function bindBranch(
  node: Branch,
  owner: Name,
  aggregate: AggregateBlock | undefined,
  context: BranchContext,
): Pick<DecisionBranch, 'guard' | 'emits'> {
  const label = node.label === undefined ? '' : ` of BRANCH ${node.label.text}`;
  const guard = node.guard === undefined ? undefined : bindCondition(node.guard, at(`the guard${label}`, context));
  const emits = node.emits.flatMap((emit) => bindEmit(emit, aggregate?.name ?? owner.text, context) ?? []);
  return { ...(guard === undefined ? {} : { guard }), emits };
}

/** Guards and assignments see one row: no aggregates, no windows, no queries. */
function at(where: string, context: BranchContext): ExpressionContext {
  const site: Site = { where, aggregates: 'decision', windows: false, queries: false, sensitive: 'masked' };
  return { ...context, site };
}

function bindEmit(node: Emit, owner: string, context: BranchContext): DecisionEmit | undefined {
  const { binding } = context;
  const found = binding.environment.find('event', node.event.text);
  recordBlockUse('event', node.event, found, binding.environment);
  if (found.status === 'unknown') reportUnknownBlock('event', node.event, binding.environment, binding.report);
  const event = found.status === 'found' ? found.block : undefined;
  const assigned = bindAssignments(node, event, context);
  const target = node.to === undefined ? undefined : bindTarget(node.to, context);
  if (event === undefined || (node.to !== undefined && target === undefined)) return undefined;
  return {
    event: event.name,
    aggregate: target?.aggregate ?? owner,
    ...(target === undefined ? {} : { stream: target.stream }),
    fields: event.fields.map(({ name, type }) => ({ name, value: assigned.get(name) ?? nullOf(type) })),
  };
}

function bindAssignments(
  node: Emit,
  event: EventBlock | undefined,
  context: BranchContext,
): ReadonlyMap<string, TypedExpression> {
  const { binding } = context;
  const assigned = new Map<string, TypedExpression>();
  for (const assignment of node.assignments) {
    const field = event === undefined ? undefined : fieldOf(assignment.field, event, binding);
    const where = `the assignment to '${assignment.field.text}'`;
    const bound = bindExpression(assignment.value, at(where, context));
    if (field === undefined) continue;
    if (assigned.has(field.name)) binding.report(diagnose('E0413', assignment.field.span, { name: field.name }));
    assigned.set(field.name, assignField(assignment, bound, field, binding));
  }
  return assigned;
}

function fieldOf(
  name: Name,
  event: EventBlock,
  { report, environment }: Binding,
): EventBlock['fields'][number] | undefined {
  const lower = name.text.toLowerCase();
  const field = event.fields.find((candidate) => candidate.name.toLowerCase() === lower);
  if (field !== undefined) {
    environment.recordUse?.(name.span, { kind: 'event', name: event.name, part: field.name });
    return field;
  }
  const known = event.fields.map((candidate) => candidate.name);
  report(
    diagnose('E0202', name.span, {
      owner: `event '${event.name}'`,
      name: name.text,
      nearest: nearestNames(name.text, known),
      known,
    }),
  );
  return undefined;
}

function assignField(
  node: Assignment,
  bound: TypedExpression,
  field: EventBlock['fields'][number],
  binding: Binding,
): TypedExpression {
  if (!isFaulty(bound) && isMarked(bound) && !field.sensitive) {
    binding.report(diagnose('E0701', node.value.span, { field: field.name, source: sourceOfMark(bound) }));
  }
  return assign(bound, field.type, field.name, node.value.span, binding);
}

const streamTypes: ReadonlySet<Type['kind']> = new Set(['STRING', 'UUID', 'INT', 'BIGINT']);

/** `TO Aggregate(expr)`: the stream's id, as canonical text. */
function bindTarget(
  node: EmitTarget,
  context: BranchContext,
): { aggregate: string; stream: TypedExpression } | undefined {
  const { binding } = context;
  const found = binding.environment.find('aggregate', node.aggregate.text);
  recordBlockUse('aggregate', node.aggregate, found, binding.environment);
  if (found.status === 'unknown') reportUnknownBlock('aggregate', node.aggregate, binding.environment, binding.report);
  const bound = bindExpression(node.stream, at(`TO ${node.aggregate.text}`, context));
  if (isFaulty(bound) || found.status !== 'found') return undefined;
  if (bound.type.kind !== 'NULL' && !streamTypes.has(bound.type.kind)) {
    binding.report(diagnose('E0403', node.stream.span, { name: 'TO', type: bound.type.kind }));
    return undefined;
  }
  if (isMarked(bound)) binding.report(diagnose('E0703', node.stream.span, { aggregate: found.block.name }));
  return { aggregate: found.block.name, stream: asText(bound) };
}

function asText(bound: TypedExpression): TypedExpression {
  if (bound.type.kind === 'STRING') return bound;
  if (bound.type.kind === 'NULL') return nullOf(textType);
  return {
    kind: 'cast',
    operand: bound,
    mode: 'explicit',
    type: textType,
    nullable: bound.nullable,
    sensitive: bound.sensitive,
  };
}
