import type { CommandAllow, CommandCheck, CommandDefinition } from '../../language/contract/command.ts';
import type { DecisionContext } from '../../language/contract/decision.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import type { Fault } from '../../language/failure/faults.ts';
import { withinTextBudget } from '../../language/values/text-budget.ts';
import { NotRecorded } from './recorded-arguments.ts';

/** Throws a `Failure` that names every CHECK of the command that its arguments do not satisfy. */
export function requireChecks(
  { name, checks }: CommandDefinition<object>,
  command: object,
  context: DecisionContext,
): void {
  if (checks === undefined) return;
  const faults = withinTextBudget(() => checks.flatMap((check) => faultOf(check, command, context)));
  const [first] = faults;
  if (first === undefined) return;
  const { message } = fail('R0115', { command: name, faults, count: faults.length });
  throw new Failure('R0115', faults.length === 1 ? `${name}: ${message}` : message, first.field, faults);
}

/** Throws R0116 unless ALLOW is TRUE: a fault refuses too, and its message could tell of an argument. */
export function requireAllowed(
  { name, allow }: Pick<CommandDefinition<object>, 'name' | 'allow'>,
  command: object,
  context: DecisionContext,
): void {
  if (allow === undefined || withinTextBudget(() => isAllowed(allow, command, context))) return;
  throw fail('R0116', { command: name, message: allow.message });
}

function isAllowed({ passes }: CommandAllow<object>, command: object, context: DecisionContext): boolean {
  try {
    return passes(command, context);
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof NotRecorded) throw error;
    return false;
  }
}

/** The message quotes the MESSAGE or the condition, and no value: a value may be sensitive. */
function faultOf(check: CommandCheck<object>, command: object, context: DecisionContext): readonly Fault[] {
  const { field, text, message: own } = check;
  const fault = (message: string): readonly Fault[] => [{ ...(field === undefined ? {} : { field }), message }];
  try {
    return check.fails(command, context) ? fault(own ?? `CHECK (${text}) is not satisfied`) : [];
  } catch (error) {
    if (!(error instanceof Failure) || error instanceof NotRecorded) throw error;
    return fault(`CHECK (${text}) cannot be evaluated (${error.code})`);
  }
}
