import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Name, TypeName } from '../ast.ts';
import { describeValue } from '../expand/describe-value.ts';
import { isSafeIdentifier } from '../expand/identifier.ts';
import { isTypeWord } from '../expand/parameter-type.ts';
import type { FieldNameCst, NameCst, NameListCst, TypeNameCst } from '../grammar/cst.ts';
import type { Token } from '../tokens/token.ts';
import { Bind, Placeholder, QuotedIdentifier } from '../tokens/vocabulary.ts';
import { first, inOrder, spanOf, spanOfToken, type BuildContext } from './context.ts';

/** The name in a token; a placeholder's value must be a plain identifier. */
export function buildName(context: BuildContext, token: Token): Name {
  if (token.tokenType === Placeholder) checkPlaceholder(context, token);
  const span = spanOfToken(context, token);
  return { kind: 'Name', span, text: nameText(token), quoted: token.tokenType === QuotedIdentifier };
}

/** The name of a `:field` token, without its colon. */
export function buildBindName(context: BuildContext, token: Token): Name {
  const span = context.spanAt(token.startOffset + 1, token.endOffset + 1);
  return { kind: 'Name', span, text: token.text ?? token.image.slice(1), quoted: token.image.charAt(1) === '"' };
}

function nameText(token: Token): string {
  if (token.filling !== undefined && 'text' in token.filling.value) return token.filling.value.text;
  return token.text ?? (token.tokenType === Bind ? token.image.slice(1) : token.image);
}

function checkPlaceholder(context: BuildContext, token: Token): void {
  const { filling } = token;
  if (filling === undefined) return;
  const span = spanOfToken(context, token);
  const name = filling.parameter;
  if (filling.value.type !== 'string' || filling.assignments) {
    context.report(diagnose('E0508', span, { name, expected: 'a name', found: describeValue(filling.value) }));
  } else if (!isSafeIdentifier(filling.value.text)) {
    context.report(diagnose('E0507', span, { name, value: filling.value.text }));
  }
}

export function buildNameRule(context: BuildContext, cst: NameCst): Name {
  return buildName(context, first(cst.children.Name));
}

export function buildFieldName(context: BuildContext, cst: FieldNameCst): Name {
  return buildName(context, first(cst.children.Word));
}

export function buildNameList(context: BuildContext, cst: NameListCst): readonly Name[] {
  return cst.children.name.map((name) => buildNameRule(context, name));
}

export function buildTypeName(context: BuildContext, cst: TypeNameCst): TypeName {
  const word = buildName(context, first(cst.children.Name));
  const numbers = inOrder(cst.children.Number, cst.children.Placeholder);
  return {
    kind: 'TypeName',
    span: spanOf(context, cst),
    name: isTypeWord(word.text) ? word.text.toUpperCase() : word.text,
    arguments: numbers.map((token) => numberOf(context, token)),
  };
}

function numberOf(context: BuildContext, token: Token): number {
  if (token.tokenType !== Placeholder) return Number(token.image.replaceAll('_', ''));
  const value = token.filling?.value;
  if (value === undefined) return 0;
  if (value.type === 'number') return Number(value.text);
  const span = spanOfToken(context, token);
  const name = token.filling?.parameter ?? '';
  context.report(diagnose('E0508', span, { name, expected: 'a number', found: describeValue(value) }));
  return 0;
}
