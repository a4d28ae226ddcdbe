/** The caller in expressions (docs/callers.md#the-caller): `CURRENT_USER`, `HAS_ROLE('clerk')`, `CLAIM(clinic)`. */
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { CallerPart } from '../../../language/contract/caller.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Type } from '../../../language/values/type.ts';
import type { ColumnReference, Expression, FunctionCall } from '../../syntax/ast.ts';
import { recordBlockUse } from '../name/record-block-use.ts';
import { reportUnknownBlock } from '../name/unknown-block.ts';
import type { ExpressionContext } from '../query/binding.ts';
import { findColumn, joinedNamed, type Scope } from '../query/scope.ts';
import { faulty, textType, truthType } from '../typed/typed.ts';

/** `CURRENT_USER`; undefined for any other name, and where a column or a field of that name is in scope. */
export function bindCurrentUser(node: ColumnReference, context: ExpressionContext): TypedExpression | undefined {
  if (!isCurrentUserAlone(node)) return undefined;
  const { callers } = context.binding;
  const isHidden = callers !== 'before columns' && isInScope('CURRENT_USER', context.scope);
  return isHidden ? undefined : callerPart({ of: 'subject' }, { type: textType, nullable: true }, node, context);
}

export function isCurrentUserAlone({ path: [name, ...rest] }: ColumnReference): boolean {
  return name !== undefined && rest.length === 0 && !name.quoted && name.text.toUpperCase() === 'CURRENT_USER';
}

function isInScope(name: string, scope: Scope): boolean {
  for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
    if (joinedNamed(at.joined, name).length > 0 || at.relations.some(({ open }) => open)) return true;
    const { state, inputs } = at;
    if (state !== undefined && (state.open || findColumn(state.columns, name) !== undefined)) return true;
    if (inputs?.inputs.some((input) => input.name.toLowerCase() === name.toLowerCase()) === true) return true;
  }
  return false;
}

/** `HAS_ROLE('clerk')`, `CLAIM(clinic)`; undefined for any other call. `isList`: the place is that of a list, behind ANY. */
export function bindCallerCall(
  node: FunctionCall,
  context: ExpressionContext,
  isList = false,
): TypedExpression | undefined {
  const name = node.name.text.toUpperCase();
  if (name === 'HAS_ROLE') return bindRole(node, context);
  return name === 'CLAIM' ? bindClaim(node, context, isList) : undefined;
}

/** Words that before a parenthesis mean a part of the caller, whatever functions there are. */
export function isCallerWord(name: string): boolean {
  return ['HAS_ROLE', 'CLAIM'].includes(name.toUpperCase());
}

function bindRole(node: FunctionCall, context: ExpressionContext): TypedExpression {
  const given = onlyArgument(node);
  if (given?.kind !== 'StringLiteral') return refuseForm(node, "a role in single quotes: HAS_ROLE('clerk')", context);
  return callerPart({ of: 'role', role: given.value }, { type: truthType, nullable: false }, node, context);
}

function bindClaim(node: FunctionCall, context: ExpressionContext, isList: boolean): TypedExpression {
  const { environment, report } = context.binding;
  const given = onlyArgument(node);
  const [name, ...rest] = given?.kind === 'ColumnReference' ? given.path : [];
  if (name === undefined || rest.length > 0) return refuseForm(node, 'the name of a claim: CLAIM(clinic)', context);
  const found = environment.find('claim', name.text);
  recordBlockUse('claim', name, found, environment);
  if (found.status === 'unknown') reportUnknownBlock('claim', name, environment, report);
  if (found.status !== 'found') return faulty;
  const { name: claim, type, sensitive } = found.block;
  if (type.kind === 'LIST' && !isList) {
    report(diagnose('E0712', node.span, { claim }));
    return faulty;
  }
  return callerPart({ of: 'claim', claim }, { type, nullable: true, sensitive }, node, context);
}

function onlyArgument(node: FunctionCall): Expression | undefined {
  const { arguments: given, star, distinct, orderBy, filter, over } = node;
  const isPlain = !star && !distinct && orderBy.length === 0 && filter === undefined && over === undefined;
  return isPlain && given.length === 1 ? given[0] : undefined;
}

function refuseForm(node: FunctionCall, takes: string, { binding }: ExpressionContext): TypedExpression {
  binding.report(diagnose('E0711', node.span, { function: node.name.text.toUpperCase(), takes }));
  return faulty;
}

interface PartFacts {
  readonly type: Type;
  readonly nullable: boolean;
  readonly sensitive?: boolean;
}

function callerPart(
  part: CallerPart,
  { type, nullable, sensitive = false }: PartFacts,
  { span }: Expression,
  { binding }: ExpressionContext,
): TypedExpression {
  if (binding.callers !== undefined) return { kind: 'caller', part, type, nullable, sensitive };
  const word = part.of === 'subject' ? 'CURRENT_USER' : part.of === 'role' ? 'HAS_ROLE' : 'CLAIM';
  binding.report(diagnose('E0710', span, { word, where: binding.fixed ?? 'a reaction' }));
  return faulty;
}
