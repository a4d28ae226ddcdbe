import type { CreateReaction, Due, DueUnit, Execution } from '../ast.ts';
import type { DueCst, DueUnitCst, ExecutionCst, ReactionCst } from '../grammar/cst.ts';
import { buildAssignments } from './assignments.ts';
import { buildExpression } from './chain.ts';
import { first, spanOf, type BuildContext } from './context.ts';
import { buildNameRule } from './name.ts';
import { buildQuery } from './query.ts';
import { buildStartPoint } from './start-point.ts';

/** The parts of `REACTION Name …` behind its name. */
export function buildReaction(
  context: BuildContext,
  cst: ReactionCst,
): Pick<CreateReaction, 'from' | 'events' | 'aggregate' | 'state' | 'executions'> {
  const { startPoint, event, aggregate, query, execution } = cst.children;
  return {
    ...(startPoint === undefined ? {} : { from: buildStartPoint(context, first(startPoint)) }),
    events: event.map((name) => buildNameRule(context, name)),
    ...(aggregate === undefined ? {} : { aggregate: buildNameRule(context, first(aggregate)) }),
    ...(query === undefined ? {} : { state: buildQuery(context, first(query)) }),
    executions: execution.map((item) => buildExecution(context, item)),
  };
}

function buildExecution(context: BuildContext, cst: ExecutionCst): Execution {
  const { label, command, assignments, due, unless = [], expression } = cst.children;
  return {
    kind: 'Execution',
    span: spanOf(context, cst),
    ...(label === undefined ? {} : { label: buildNameRule(context, first(label)) }),
    command: buildNameRule(context, first(command)),
    assignments: buildAssignments(context, first(assignments)),
    ...(due === undefined ? {} : { due: buildDue(context, first(due)) }),
    unless: unless.map((name) => buildNameRule(context, name)),
    ...(expression === undefined ? {} : { guard: buildExpression(context, first(expression)) }),
  };
}

function buildDue(context: BuildContext, cst: DueCst): Due {
  const { AFTER, expression, dueUnit } = cst.children;
  return {
    kind: 'Due',
    span: spanOf(context, cst),
    form: AFTER === undefined ? 'AT' : 'AFTER',
    value: buildExpression(context, first(expression ?? [])),
    ...(dueUnit === undefined ? {} : { unit: buildDueUnit(first(dueUnit)) }),
  };
}

export function buildDueUnit(cst: DueUnitCst): DueUnit {
  return Object.keys(cst.children)[0] as DueUnit; // the rule has no other children
}
