import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { Span } from '../../../language/source/span.ts';
import type { TemplateValue } from '../ast.ts';
import { parameterIn, placeholders } from '../scan/placeholders.ts';
import type { Token, TokenPart } from '../tokens/token.ts';
import { Bind, Identifier, Placeholder } from '../tokens/vocabulary.ts';
import { describeValue } from './describe-value.ts';
import { isRelationIdentifier } from './identifier.ts';
import type { PlaceholderTarget } from './parameters.ts';

export interface FillContext {
  readonly find: (name: string) => PlaceholderTarget | undefined;
  readonly nearest: (name: string) => readonly string[];
  /** By the declared name of the parameter. */
  readonly values: ReadonlyMap<string, TemplateValue>;
  readonly spanOf: (token: Token) => Span;
}

/**
 * A token of a template's body with the values in place of its placeholders, or a diagnostic. The values never become tokens of their own:
 * a value that is the whole token is a filling, one inside a string or name a part of its text.
 */
export function fillToken(token: Token, context: FillContext): Token | Diagnostic {
  const { doc } = token;
  return fillParts(doc?.includes('{{') === true ? { ...token, doc: filledDoc(doc, context) } : token, context);
}

/** The doc comment with the texts of values; it may mention anything else in braces. */
function filledDoc(doc: string, context: FillContext): string {
  return doc.replaceAll(placeholders, (written) => {
    const text = textOf(parameterIn(written), context);
    return text === undefined ? written : text.replaceAll(/\s+/g, ' ');
  });
}

function fillParts(token: Token, context: FillContext): Token | Diagnostic {
  const { parts } = token;
  if (parts === undefined) return token;
  const unknown = findUnknown(parts, context);
  if (unknown !== undefined) {
    return diagnose('E0502', context.spanOf(token), { name: unknown, nearest: context.nearest(unknown) });
  }
  if (token.tokenType === Placeholder) return { ...token, ...fillingOf(parts, context) };
  const text = filledText(token, parts, context);
  if (typeof text !== 'string') return text;
  const isName = token.tokenType === Identifier || token.tokenType === Bind;
  if (isName && !isRelationIdentifier(text)) {
    return diagnose('E0507', context.spanOf(token), { name: parameterOf(parts), value: text });
  }
  return { ...token, text };
}

/** The first placeholder without a parameter. */
export function findUnknown(parts: readonly TokenPart[], { find }: Pick<FillContext, 'find'>): string | undefined {
  for (const part of parts) {
    if ('parameter' in part && find(part.parameter) === undefined) return part.parameter;
  }
  return undefined;
}

function fillingOf(parts: readonly TokenPart[], { find, values }: FillContext): Pick<Token, 'filling'> {
  const target = find(parameterOf(parts));
  const value = target && values.get(target.parameter);
  return target === undefined || value === undefined ? {} : { filling: { ...target, value } };
}

function parameterOf(parts: readonly TokenPart[]): string {
  for (const part of parts) if ('parameter' in part) return part.parameter;
  return '';
}

function filledText(token: Token, parts: readonly TokenPart[], context: FillContext): string | Diagnostic {
  let text = '';
  for (const part of parts) {
    const piece = 'text' in part ? part.text : textOf(part.parameter, context);
    if (piece === undefined) return unfit(token, 'parameter' in part ? part.parameter : '', context);
    text += piece;
  }
  return text;
}

/** A value as text; `undefined` for one that has none. */
function textOf(name: string, { find, values }: FillContext): string | undefined {
  const target = find(name);
  const value = target && values.get(target.parameter);
  if (target === undefined || value === undefined || target.assignments) return undefined;
  if ('text' in value) return value.text;
  return value.type === 'boolean' ? String(value.value) : undefined;
}

function unfit(token: Token, name: string, context: FillContext): Diagnostic {
  const target = context.find(name);
  const value = target && context.values.get(target.parameter);
  const found = value === undefined || target?.assignments === true ? 'a list of assignments' : describeValue(value);
  const expected = token.tokenType === Identifier || token.tokenType === Bind ? 'a name' : 'a text';
  return diagnose('E0508', context.spanOf(token), { name, expected, found });
}
