import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { CreateTemplate } from '../ast.ts';

/** The target of a placeholder: a parameter, or, with the suffix `Assignments`, the assignments of a list of fields. */
export interface PlaceholderTarget {
  /** As declared. */
  readonly parameter: string;
  readonly assignments: boolean;
}

/** Finds the target of a placeholder of this template: by exact name, else by a unique match in another case. */
export function createPlaceholderFinder(template: CreateTemplate): (name: string) => PlaceholderTarget | undefined {
  const declared = template.parameters.map(({ name }) => name.text);
  const targets = new Map<string, PlaceholderTarget>();
  for (const parameter of declared) {
    targets.set(`${parameter}Assignments`, { parameter, assignments: true });
    if (parameter.toLowerCase() === 'fields') targets.set('FieldAssignments', { parameter, assignments: true });
  }
  for (const parameter of declared) targets.set(parameter, { parameter, assignments: false });
  const folded = new Map<string, PlaceholderTarget>();
  for (const [name, target] of targets) folded.set(name.toLowerCase(), target);
  return (name) => targets.get(name) ?? folded.get(name.toLowerCase());
}

/** The declared parameter of that name, by the same rule. */
export function findParameter(
  template: CreateTemplate,
  name: string,
): CreateTemplate['parameters'][number] | undefined {
  const wanted = name.toLowerCase();
  return (
    template.parameters.find((parameter) => parameter.name.text === name) ??
    template.parameters.find((parameter) => parameter.name.text.toLowerCase() === wanted)
  );
}

/** Parameters with names close to an unknown one. */
export function nearestParameters(template: CreateTemplate, name: string): readonly string[] {
  return nearestNames(
    name,
    template.parameters.map((parameter) => parameter.name.text),
  );
}
