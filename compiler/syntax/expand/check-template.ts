import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { Steps } from '../../../language/source/steps.ts';
import type { CreateTemplate } from '../ast.ts';
import type { Token } from '../tokens/token.ts';
import type { ParseContext } from '../parse-statement.ts';
import type { StatementLimits, StatementTokens } from '../scan/split.ts';
import { bodyContext, eachOfBody, parseBodyStatement, type BodyStatement } from './body.ts';
import { findUnknown } from './fill-token.ts';
import { createPlaceholderFinder, nearestParameters } from './parameters.ts';
import { parameterTypes } from './parameter-type.ts';

/**
 * The errors of a template for any arguments; placeholders are wildcards. One error for each statement of its body, which is a step; `most` is
 * the maximum for one.
 */
export function* checkTemplate(template: CreateTemplate, most: StatementLimits): Steps<readonly Diagnostic[]> {
  return [...checkParameters(template), ...(yield* checkBody(template, most))];
}

function checkParameters({ parameters }: CreateTemplate): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  const seen = new Set<string>();
  for (const { name, type } of parameters) {
    const folded = name.text.toLowerCase();
    if (seen.has(folded)) faults.push(diagnose('E0505', name.span, { name: name.text }));
    seen.add(folded);
    if (type === undefined || parameterTypes.includes(type.name)) continue;
    faults.push(diagnose('E0514', type.span, { type: type.name, nearest: nearestNames(type.name, parameterTypes) }));
  }
  return faults;
}

function* checkBody(template: CreateTemplate, most: StatementLimits): Steps<readonly Diagnostic[]> {
  const faults: Diagnostic[] = [];
  const context = bodyContext(template);
  const find = createPlaceholderFinder(template);
  const check = (token: Token): Token | Diagnostic => {
    const name = token.parts && findUnknown(token.parts, { find });
    if (name === undefined) return token;
    const span = context.spanAt(token.startOffset, token.endOffset + 1);
    return diagnose('E0502', span, { name, nearest: nearestParameters(template, name) });
  };
  let swallowed: Diagnostic | undefined;
  const take = (found: StatementTokens): void => {
    const result = parseBodyStatement(found, context, check);
    if ('code' in result) faults.push(result);
    const isForeign = found.tokens.every((token) => token.parts === undefined) || appliesItself(result, template);
    if (isForeign && hasOpenBody(template)) swallowed ??= swallowedAt(found, template, context);
  };
  yield* eachOfBody(template, context, take, most);
  return swallowed === undefined ? faults : [...faults, swallowed];
}

/** Whether the body continues to the end of the text, because nothing ends it. */
function hasOpenBody({ body, span }: CreateTemplate): boolean {
  return span.end <= body.end;
}

function appliesItself(result: BodyStatement | Diagnostic, template: CreateTemplate): boolean {
  if ('code' in result || result.kind !== 'ApplyTemplate') return false;
  return result.template.text.toLowerCase() === template.name.text.toLowerCase();
}

/** A statement that uses nothing of the template probably belongs after it. */
function swallowedAt(found: StatementTokens, template: CreateTemplate, { spanAt }: ParseContext): Diagnostic {
  const start = found.tokens[0]?.startOffset ?? found.last.startOffset;
  const fix = { title: 'end the template here', span: spanAt(start, start), replacement: 'END TEMPLATE;\n' };
  return diagnose('E0515', spanAt(start, found.last.endOffset + 1), { template: template.name.text }, { fix });
}
