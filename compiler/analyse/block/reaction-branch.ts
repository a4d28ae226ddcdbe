import { typeName } from '../../../language/values/type.ts';
import type { CommandBlock, ReactionBranch } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { Assignment, Due, Execution } from '../../syntax/ast.ts';
import { printDue, printExpression } from '../../syntax/print.ts';
import { bindCondition } from '../expression/bind-condition.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { call } from '../expression/call.ts';
import { assign, convert } from '../expression/convert.ts';
import { faulty, isFaulty, isNullLiteral, literal, nullOf } from '../typed/typed.ts';
import { textAs } from '../literal/literal-value.ts';
import { recordBlockUse } from '../name/record-block-use.ts';
import { reportUnknownBlock } from '../name/unknown-block.ts';
import type { Binding, EventInputs, ExpressionContext, Site } from '../query/binding.ts';
import { createBinding } from '../query/create-binding.ts';
import { emptyScope, type Scope } from '../query/scope.ts';
import { isMarked } from '../sensitive/mark.ts';
import { sourceOfMark } from '../sensitive/source-of-mark.ts';
import { reportMissing } from './missing-arguments.ts';

interface BranchContext {
  readonly binding: Binding;
  readonly scope: Scope;
}

/** Binds a branch of a reaction; undefined if it has errors. `inputs`: the names that its AFTER or AT may read. */
export function bindExecution(
  node: Execution,
  index: number,
  inputs: EventInputs,
  context: BranchContext,
): ReactionBranch | undefined {
  const { binding } = context;
  const { environment, report } = binding;
  const found = environment.find('command', node.command.text);
  recordBlockUse('command', node.command, found, environment);
  if (found.status === 'unknown') reportUnknownBlock('command', node.command, environment, report);
  const command = found.status === 'found' ? found.block : undefined;
  if (command !== undefined && environment.deciders(command.name).length === 0)
    report(diagnose('E0453', node.command.span, { command: command.name }));
  const fields = bindFields(node, command, context);
  const due = node.due === undefined ? undefined : bindDue(node.due, inputs, context);
  const unless = node.unless.map((name) => {
    const event = environment.find('event', name.text);
    recordBlockUse('event', name, event, environment);
    if (event.status === 'unknown') reportUnknownBlock('event', name, environment, report);
    return event.status === 'found' ? event.block.name : undefined;
  });
  if (node.due === undefined && node.unless[0] !== undefined)
    report(diagnose('E0454', node.unless[0].span, { name: node.command.text }));
  const label = node.label?.text ?? String(index + 1);
  const guard =
    node.guard === undefined ? undefined : bindCondition(node.guard, at(`the guard of ${branchWord(label)}`, context));
  const known = unless.flatMap((event) => event ?? []);
  if (command === undefined || due === faulty || known.length < unless.length) return undefined;
  return {
    label,
    command: command.name,
    ...(node.due === undefined || due === undefined ? {} : { due, dueText: printDue(node.due) }),
    unless: [...new Set(known)],
    ...(node.guard === undefined || guard === undefined ? {} : { guardText: printExpression(node.guard), guard }),
    fields,
  };
}

function branchWord(label: string): string {
  return `BRANCH ${label}`;
}

/** Guards and arguments see one row: no aggregates, no windows, no queries. */
function at(where: string, context: BranchContext): ExpressionContext {
  const site: Site = { where, aggregates: 'decision', windows: false, queries: false, sensitive: 'masked' };
  return { ...context, site };
}

function bindFields(
  node: Execution,
  command: CommandBlock | undefined,
  context: BranchContext,
): ReactionBranch['fields'] {
  const { report, environment } = context.binding;
  const seen = new Set<string>();
  const fields = node.assignments.flatMap((assignment): ReactionBranch['fields'] => {
    const { text: name, span } = assignment.field;
    const bound = bindExpression(assignment.value, at(`the argument '${name}'`, context));
    if (command === undefined) return [];
    const field = command.fields.find((candidate) => candidate.name.toLowerCase() === name.toLowerCase());
    if (field === undefined) {
      const known = command.fields.map((candidate) => candidate.name);
      report(diagnose('E0901', span, { command: command.name, name, nearest: nearestNames(name, known), known }));
      return [];
    }
    environment.recordUse?.(span, { kind: 'command', name: command.name, part: field.name });
    if (seen.has(field.name)) report(diagnose('E0413', span, { name: field.name }));
    seen.add(field.name);
    return [
      { name: field.name, type: field.type, value: bindValue(assignment, bound, command, field, context.binding) },
    ];
  });
  // An unknown argument is probably a misspelt missing one, and is already reported.
  if (command === undefined || fields.length < node.assignments.length) return fields;
  reportMissing(command, seen, node.command.span, report, 'reaction');
  return fields;
}

function bindValue(
  node: Assignment,
  bound: TypedExpression,
  command: CommandBlock,
  field: CommandBlock['fields'][number],
  binding: Binding,
): TypedExpression {
  if (isFaulty(bound)) return bound;
  if (isNullLiteral(bound) && !field.nullable)
    binding.report(diagnose('E0911', node.value.span, { command: command.name, name: field.name }));
  if (isMarked(bound) && !field.sensitive)
    binding.report(diagnose('E0701', node.value.span, { field: field.name, source: sourceOfMark(bound) }));
  return assign(bound, field.type, field.name, node.value.span, binding);
}

const instant = { kind: 'TIMESTAMP' } as const;
const interval = { kind: 'INTERVAL' } as const;
const whole: ReadonlySet<string> = new Set(['INT', 'BIGINT']);

/** When the command is due, as a TIMESTAMP over the event alone. */
function bindDue(node: Due, inputs: EventInputs, { binding: outer }: BranchContext): TypedExpression {
  const { environment, report } = outer;
  const binding = createBinding(environment, report, { event: inputs, fixed: node.form });
  const site: Site = { where: node.form, aggregates: 'refused', windows: false, queries: false, sensitive: 'masked' };
  const scope: Scope = { ...emptyScope, state: { kind: 'reaction', name: '', columns: [], open: false } };
  const refuse = (problem: string): TypedExpression => {
    report(diagnose('E0451', node.value.span, { form: node.form, problem }));
    return faulty;
  };
  const bound = bindExpression(node.value, { binding, scope, site });
  if (isFaulty(bound)) return faulty;
  if (isNullLiteral(bound)) return nullOf(instant);
  const given = typeName(bound.type);
  if (node.form === 'AT') {
    const fits = bound.type.kind === 'TIMESTAMP' || bound.type.kind === 'DATE' || bound.type.kind === 'STRING';
    return fits ? convert(bound, instant, binding) : refuse(`takes a TIMESTAMP, not ${given}`);
  }
  const { unit } = node;
  if (unit === undefined && bound.type.kind !== 'INTERVAL')
    return refuse(
      whole.has(bound.type.kind)
        ? 'needs a unit behind the number: SECONDS, MINUTES, HOURS, DAYS or WEEKS'
        : `takes an INTERVAL, or a whole number and a unit, not ${given}`,
    );
  if (unit !== undefined && !whole.has(bound.type.kind))
    return refuse(`takes a whole number before ${unit}, not ${given}`);
  if (bound.kind === 'literal' && isNegative(bound.value)) return refuse('is never negative');
  const span = node.value.span;
  const length =
    unit === undefined
      ? bound
      : call('multiply', [bound, literal(textAs(interval, intervalOf(unit)) ?? null, interval)], span, binding);
  // The time of the event, whatever its fields are called.
  return call('add', [call('CURRENT_TIMESTAMP', [], span, binding), length], span, binding);
}

function isNegative(value: unknown): boolean {
  return (typeof value === 'number' && value < 0) || (typeof value === 'string' && value.trim().startsWith('-'));
}

/** The text of an interval of one unit; days have 24 hours. */
function intervalOf(unit: NonNullable<Due['unit']>): string {
  switch (unit.replace(/S$/, '')) {
    case 'SECOND':
      return '00:00:01';
    case 'MINUTE':
      return '00:01:00';
    case 'HOUR':
      return '01:00:00';
    case 'WEEK':
      return '7 days';
    default:
      return '1 day';
  }
}
