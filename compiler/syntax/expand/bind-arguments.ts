import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { ApplyTemplate, CreateTemplate, TemplateArgument, TemplateValue } from '../ast.ts';
import { printType } from '../print/words.ts';
import { describeValue } from './describe-value.ts';
import { findParameter, nearestParameters } from './parameters.ts';
import { fitValue } from './parameter-type.ts';

/** The value of each parameter of a template, under its declared name; values that do not fit are reported. */
export function bindArguments(
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
