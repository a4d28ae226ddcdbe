import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { nearestNames } from '../../diagnostics/suggestion.ts';
import type { CreateTemplate } from '../ast.ts';
import type { Token } from '../tokens/token.ts';
import { bodyContext, bodyStatements, parseBodyStatement } from './body.ts';
import { findUnknown } from './fill-token.ts';
import { createPlaceholderFinder, nearestParameters } from './parameters.ts';
import { parameterTypes } from './parameter-type.ts';

/** What is wrong with a template whatever it is applied to; placeholders are wildcards. One fault for each statement of its body. */
export function checkTemplate(template: CreateTemplate): readonly Diagnostic[] {
  return [...checkParameters(template), ...checkBody(template)];
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

function checkBody(template: CreateTemplate): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  const context = bodyContext(template);
  const find = createPlaceholderFinder(template);
  const check = (token: Token): Token | Diagnostic => {
    const name = token.parts && findUnknown(token.parts, { find });
    if (name === undefined) return token;
    const span = context.spanAt(token.startOffset, token.endOffset + 1);
    return diagnose('E0502', span, { name, nearest: nearestParameters(template, name) });
  };
  for (const found of bodyStatements(template, context)) {
    const result = parseBodyStatement(found, context, check);
    if ('code' in result) faults.push(result);
  }
  return faults;
}
