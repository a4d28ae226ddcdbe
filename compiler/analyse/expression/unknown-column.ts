import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import { findCallable } from '../../functions/catalogue.ts';
import type { Name } from '../../syntax/ast.ts';
import {
  bareCallHabit,
  bareTextHabit,
  callerHabit,
  isCallerHabit,
  quotedTextHabit,
} from '../../syntax/habits/names.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { findColumn } from '../query/scope.ts';

/**
 * Reports a name that is no column, with the name that was probably meant. `written` is the whole path; `payload` is the field of `data` of
 * that name.
 */
export function reportUnknownColumn(
  name: Name,
  { span, text: written }: Pick<Name, 'span' | 'text'>,
  columns: readonly string[],
  { binding, isCompared }: ExpressionContext,
): void {
  binding.compared.left -= columns.length;
  const known = binding.compared.left < 0 ? [] : columns;
  const payload = known.find((column) => column.toLowerCase() === `data.${name.text.toLowerCase()}`);
  const nearest = payload === undefined ? nearestNames(written, known) : [payload];
  const { command, event } = binding;
  const field = command === undefined || command === 'unknown' ? undefined : findColumn(command.fields, name.text);
  const fact = event === undefined ? undefined : findColumn(event.inputs, name.text);
  const input = field === undefined ? fact : field;
  const report = (hint: string, parameters: { readonly known?: readonly string[] } = {}): void => {
    binding.report(diagnose('E0203', span, { name: written, nearest, ...parameters, hint }));
  };
  if (!name.quoted && isCallerHabit(written))
    binding.report(diagnose('E0203', span, { name: written, nearest: [], hint: callerHabit }));
  else if (input !== undefined)
    report(`the field of the ${field === undefined ? 'event' : 'command'} is written :${input.name}`);
  else if (nearest.length > 0) binding.report(diagnose('E0203', span, { name: written, nearest }));
  else if (name.quoted) report(quotedTextHabit(name.text));
  else if (isCalledAlone(written)) report(bareCallHabit(written));
  else if (isCompared === true && written === name.text) report(bareTextHabit(written), { known });
  else binding.report(diagnose('E0203', span, { name: written, nearest, known }));
}

/** A function without arguments, whose parentheses are missing. */
function isCalledAlone(written: string): boolean {
  const entry = findCallable(written);
  return entry?.usage.includes(`${entry.name}()`) === true;
}
