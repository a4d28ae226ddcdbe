/**
 * Expands one APPLY TEMPLATE to statements (docs/language.md#templates). Works on tokens: a value is never text that
 * is parsed again, so no value can be more than one name, literal or list of declarations.
 */
import type { Diagnostic, Report } from '../../../language/diagnostics/diagnostic.ts';
import type { TemplateStamp } from '../../../language/catalog/template-stamp.ts';
import type { Steps } from '../../../language/source/steps.ts';
import type { ApplyTemplate, CreateTemplate, TemplateArgument, TemplateValue } from '../ast.ts';
import { printTemplateValue } from '../print.ts';
import type { Token } from '../tokens/token.ts';
import { bodyContext, eachOfBody, parseBodyStatement, type BodyStatement } from './body.ts';
import { fillToken, type FillContext } from './fill-token.ts';
import { createPlaceholderFinder, findParameter, nearestParameters } from './parameters.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { printType } from '../print/words.ts';
import { describeValue } from './describe-value.ts';
import { fitValue } from './parameter-type.ts';

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
  yield* eachOfBody(template, context, (found) => {
    const result = parseBodyStatement(found, context, fill);
    if ('code' in result) report(result);
    else statements.push(result.kind === 'ApplyTemplate' ? result : { ...result, stamp });
  });
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

/** The value of each parameter of a template, under its declared name; values that do not fit are reported. */
function bindArguments(
  template: CreateTemplate,
  application: ApplyTemplate,
  report: Report,
): ReadonlyMap<string, TemplateValue> {
  const values = new Map<string, TemplateValue>();
  for (const given of application.arguments) bindArgument(template, given, values, report);
  for (const { name } of template.parameters) {
    if (values.has(name.text)) continue;
    report(diagnose('E0503', application.span, { template: template.name.text, name: name.text }));
  }
  return values;
}

function bindArgument(
  template: CreateTemplate,
  given: TemplateArgument,
  values: Map<string, TemplateValue>,
  report: Report,
): void {
  const name = given.name.text;
  const parameter = findParameter(template, name);
  if (parameter === undefined) {
    const nearest = nearestParameters(template, name);
    report(diagnose('E0504', given.name.span, { template: template.name.text, name, nearest }));
    return;
  }
  const declared = parameter.name.text;
  if (values.has(declared)) report(diagnose('E0505', given.name.span, { name: declared }));
  const value = parameter.type === undefined ? given.value : fitValue(given.value, parameter.type);
  if (value === undefined && parameter.type !== undefined) {
    const found = describeGiven(given.value);
    report(diagnose('E0506', given.span, { name: declared, type: printType(parameter.type), found }));
  }
  values.set(declared, value ?? given.value);
}

function describeGiven(value: TemplateValue): string {
  const what = describeValue(value);
  if (value.type === 'number') return `${what} ${value.text.slice(0, 40)}`;
  return value.type === 'string' ? `${what} '${value.text.slice(0, 40)}'` : what;
}
