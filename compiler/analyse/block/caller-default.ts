import type { CallerPart } from '../../../language/contract/caller.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { typeName, type Type } from '../../../language/values/type.ts';
import type { CommandField, Expression } from '../../syntax/ast.ts';
import { quotedTextHabit } from '../../syntax/habits/names.ts';
import type { BlockContext } from '../environment/environment.ts';
import { isCurrentUserAlone } from '../expression/bind-caller.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { createBinding } from '../query/create-binding.ts';
import { emptyScope } from '../query/scope.ts';
import { isMarked } from '../sensitive/mark.ts';
import { isFaulty } from '../typed/typed.ts';
import { sameType, widens } from '../type/widens.ts';

/**
 * `DEFAULT CURRENT_USER` or `DEFAULT CLAIM(name)`: a part of the caller whose every value is one of the field. Undefined for a literal, and
 * with a report for anything else.
 */
export function callerDefaultOf(
  node: Expression,
  type: Type,
  { name, sensitive }: CommandField,
  { environment, report }: BlockContext,
): CallerPart | undefined {
  if (node.kind !== 'ColumnReference' && node.kind !== 'FunctionCall') return undefined;
  const binding = createBinding(environment, report, { fixed: 'DEFAULT', callers: 'before columns' });
  const site = {
    where: 'DEFAULT',
    aggregates: 'refused',
    windows: false,
    queries: false,
    sensitive: 'masked',
  } as const;
  if (node.kind === 'ColumnReference' && !isCurrentUserAlone(node)) {
    report(diagnose('E0714', node.span, { name: name.text, instead: insteadOfDefault(node) }));
    return undefined;
  }
  const bound = bindExpression(node, { binding, scope: emptyScope, site });
  if (isFaulty(bound)) return undefined;
  if (bound.kind !== 'caller' || bound.part.of === 'role') {
    report(diagnose('E0714', node.span, { name: name.text, instead: insteadOfDefault(node) }));
    return undefined;
  }
  if (!sameType(bound.type, type) && !widens(bound.type, type))
    report(diagnose('E0716', node.span, { name: name.text, type: typeName(type), given: typeName(bound.type) }));
  if (isMarked(bound) && !sensitive) report(diagnose('E0701', node.span, { field: name.text, source: 'a claim' }));
  return bound.part;
}

function insteadOfDefault(node: Expression): string {
  const [first] = node.kind === 'ColumnReference' ? node.path : [];
  return first?.quoted === true ? quotedTextHabit(first.text) : 'the decision assigns anything else';
}
