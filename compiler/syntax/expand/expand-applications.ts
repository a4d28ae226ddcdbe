import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import { atOnce, type Steps } from '../../../language/source/steps.ts';
import type { ApplyTemplate, BlockStatement, CreateTemplate } from '../ast.ts';
import { printTemplateArguments } from '../print.ts';
import { expandTemplate } from './expand-template.ts';

/** docs/language.md#templates. */
const maximumDepth = 16;
const maximumSize = 1024 * 1024;

/** An application of a template, including those inside bodies. */
export interface TemplateInstance {
  readonly template: string;
  /** The value of the first parameter. */
  readonly name: string;
  /** Its arguments, printed: `Entity = 'Parcel', Fields = (weight INT)`. */
  readonly parameters: string;
}

export interface ExpandedApplication {
  /** The blocks in the order of the bodies, each with its innermost template. Empty when there are diagnostics. */
  readonly statements: readonly BlockStatement[];
  /** Outer before inner, each once. Empty when there are diagnostics. */
  readonly instances: readonly TemplateInstance[];
  readonly diagnostics: readonly Diagnostic[];
  /** False if there is an error here or in a template that `find` calls broken: then there are no blocks. */
  readonly whole: boolean;
}

/**
 * The blocks of an APPLY TEMPLATE, including those of templates applied in bodies. `find` gives a template by the name as written (matching
 * another case is the caller's task), or `broken` if its errors are already reported; `known` gives the existing names, for a suggestion.
 */
export function expandApplications(...given: Parameters<typeof expandInSteps>): ExpandedApplication {
  return atOnce(expandInSteps(...given));
}

/** `expandApplications` in steps of one statement of a body. */
export function* expandInSteps(
  application: ApplyTemplate,
  find: (name: string) => CreateTemplate | 'broken' | undefined,
  known: Iterable<string> = [],
): Steps<ExpandedApplication> {
  const statements: BlockStatement[] = [];
  const instances = new Map<string, TemplateInstance>();
  const diagnostics: Diagnostic[] = [];
  let size = 0;
  let stopped = false;
  let broken = 0;
  yield* apply(application, 1);
  if (broken + diagnostics.length > 0) return { statements: [], instances: [], diagnostics, whole: false };
  return { statements, instances: [...instances.values()], diagnostics, whole: true };

  function* apply(current: ApplyTemplate, depth: number): Steps<void> {
    const name = current.template.text;
    const template = find(name);
    if (template === undefined) {
      const nearest = nearestNames(name, known);
      diagnostics.push(diagnose('E0201', current.template.span, { kind: 'template', name, nearest }));
      return;
    }
    if (template === 'broken') {
      broken += 1;
      return;
    }
    if (depth > maximumDepth) {
      stop(diagnose('E0509', current.span, { template: name, limit: maximumDepth }));
      return;
    }
    const expansion = yield* expandTemplate(template, current);
    size += expansion.size;
    if (size > maximumSize) {
      stop(diagnose('E0510', current.span, { template: name, limit: '1 MiB' }));
      return;
    }
    diagnostics.push(...expansion.diagnostics);
    remember(template, current, expansion.instance);
    for (const statement of expansion.statements) {
      if (stopped) return;
      if (statement.kind === 'ApplyTemplate') yield* apply(statement, depth + 1);
      else statements.push(statement);
    }
  }
  /** Past a limit, all further diagnostics would repeat it. */
  function stop(fault: Diagnostic): void {
    stopped = true;
    diagnostics.push(fault);
  }
  function remember(template: CreateTemplate, current: ApplyTemplate, name: string): void {
    const key = JSON.stringify([template.name.text, name]);
    if (instances.has(key)) return;
    instances.set(key, { template: template.name.text, name, parameters: printTemplateArguments(current.arguments) });
  }
}
