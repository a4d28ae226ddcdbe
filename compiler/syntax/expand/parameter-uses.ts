import type { Span } from '../../../language/source/span.ts';
import { atOnce } from '../../../language/source/steps.ts';
import type { CreateTemplate } from '../ast.ts';
import { bodyContext, eachOfBody } from './body.ts';
import { parameterIn, placeholders } from '../scan/placeholders.ts';
import type { Token } from '../tokens/token.ts';
import { createPlaceholderFinder } from './parameters.ts';

/** A parameter's name in a `{{placeholder}}` of its template's body. */
export interface ParameterUse {
  readonly parameter: string;
  readonly span: Span;
}

/** The placeholders of a template's body, in the order of the text; of `{{FieldsAssignments}}` only the parameter's part. */
export function parameterUses(template: CreateTemplate): readonly ParameterUse[] {
  const { file } = template.body;
  const target = createPlaceholderFinder(template);
  const tokens: Token[] = [];
  atOnce(eachOfBody(template, bodyContext(template), (found) => tokens.push(...found.tokens)));
  return tokens
    .flatMap(({ startOffset, endOffset }) => placeholdersIn(file.text.slice(startOffset, endOffset + 1), startOffset))
    .flatMap(({ name, start }): readonly ParameterUse[] => {
      const parameter = target(name)?.parameter;
      if (parameter === undefined || !name.toLowerCase().startsWith(parameter.toLowerCase())) return [];
      return [{ parameter, span: { file, start, end: start + parameter.length } }];
    });
}

function placeholdersIn(text: string, from: number): readonly { readonly name: string; readonly start: number }[] {
  return Array.from(text.matchAll(placeholders), ({ 0: whole, index }) => {
    const name = parameterIn(whole);
    return { name, start: from + index + whole.indexOf(name) };
  });
}
