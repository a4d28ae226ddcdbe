/**
 * Expands one APPLY TEMPLATE to statements (docs/language.md#templates). Works on tokens: a value is never text that
 * is parsed again, so no value can be more than one name, literal or list of declarations.
 */
import type { Diagnostic, Report } from '../../../language/diagnostics/diagnostic.ts';
import type { TemplateStamp } from '../../../language/catalog/template-stamp.ts';
import type { Steps } from '../../../language/source/steps.ts';
import type { ApplyTemplate, CreateTemplate, TemplateValue } from '../ast.ts';
import { printTemplateValue } from '../print.ts';
import type { Token } from '../tokens/token.ts';
import { bindArguments } from './bind-arguments.ts';
import { bodyContext, bodyStatements, parseBodyStatement, type BodyStatement } from './body.ts';
import { fillToken, type FillContext } from './fill-token.ts';
import { createPlaceholderFinder, nearestParameters } from './parameters.ts';

export interface Expansion {
  /** In the order of the body; blocks carry their template instance. Empty when there are diagnostics. */
  readonly statements: readonly BodyStatement[];
  readonly diagnostics: readonly Diagnostic[];
  /** The value of the first parameter. */
  readonly instance: string;
  /** Size of the expansion, in UTF-16 units of text. */
  readonly size: number;
}

/** Takes one step per statement of the body. */
export function* expandTemplate(template: CreateTemplate, application: ApplyTemplate): Steps<Expansion> {
  const diagnostics: Diagnostic[] = [];
  const values = bindArguments(template, application, (fault) => diagnostics.push(fault));
  const instance = instanceName(values.get(template.parameters[0]?.name.text ?? ''));
  if (diagnostics.length > 0) return { statements: [], diagnostics, instance, size: 0 };

  const context = bodyContext(template, application.span);
  const filling: FillContext = {
    find: createPlaceholderFinder(template),
    nearest: (name) => nearestParameters(template, name),
    values,
    spanOf: (token) => context.spanAt(token.startOffset, token.endOffset + 1),
  };
  const stamp: TemplateStamp = { template: template.name.text, instance };
  const statements: BodyStatement[] = [];
  let size = template.body.end - template.body.start;
  const fill = (token: Token): Token | Diagnostic => {
    const filled = fillToken(token, filling);
    if ('tokenType' in filled && filled !== token) size += lengthOf(filled);
    return filled;
  };
  const report = withoutRepetition((fault) => diagnostics.push(fault));
  for (const found of bodyStatements(template, context)) {
    const result = parseBodyStatement(found, context, fill);
    if ('code' in result) report(result);
    else statements.push(result.kind === 'ApplyTemplate' ? result : { ...result, stamp });
    yield;
  }
  return { statements: diagnostics.length === 0 ? statements : [], diagnostics, instance, size };
}

/** A value that is not a valid name is invalid everywhere: each diagnostic about a parameter is reported once. */
function withoutRepetition(report: Report): Report {
  const said = new Set<string>();
  return (fault) => {
    const about = /parameter '.*?'/.exec(fault.message)?.[0];
    const key = `${fault.code} ${about}`;
    if (about === undefined || !said.has(key)) report(fault);
    said.add(key);
  };
}

/** The name of an instance: the text of a string, the printed form of any other value. */
function instanceName(value: TemplateValue | undefined): string {
  if (value === undefined) return '';
  return value.type === 'string' ? value.text : printTemplateValue(value);
}

function lengthOf({ text, filling, doc = '' }: Token): number {
  if (text !== undefined) return text.length + doc.length;
  return doc.length + (filling === undefined ? 0 : printTemplateValue(filling.value).length);
}
