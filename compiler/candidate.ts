import { diagnose } from '../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
import type { Registry, RegistryChange } from './analyse/environment/registry.ts';
import type { Steps } from '../language/source/steps.ts';
import { isBlockStatement, type BlockStatement, type CreateTemplate, type Statement } from './syntax/ast.ts';
import { expandInSteps } from './syntax/expand/expand-applications.ts';

/**
 * The statements of WITH SCHEMA as a change of the registry (docs/language.md#inspections): CREATE replaces, DROP and APPLY TEMPLATE work as
 * in a script, and everything else is an error among `faults`. One step per statement of a template's body.
 */
export function* candidateInSteps(
  statements: readonly Statement[],
  registry: Registry,
): Steps<{ readonly change: Omit<RegistryChange, 'history'>; readonly faults: readonly Diagnostic[] }> {
  const put: BlockStatement[] = [];
  const drop: RegistryChange['drop'][number][] = [];
  const instances: NonNullable<RegistryChange['instances']>[number][] = [];
  const faults: Diagnostic[] = [];
  const written = statements.filter((statement) => statement.kind === 'CreateTemplate');
  const find = (name: string): CreateTemplate | undefined => {
    const own = written.find((template) => template.name.text === name);
    if (own !== undefined) return own;
    const tree = registry.tree('template', name);
    return tree?.kind === 'CreateTemplate' ? tree : undefined;
  };
  for (const statement of statements) {
    if (statement.kind === 'ApplyTemplate') {
      const known = [...written, ...registry.catalog.blocks.template.map((block) => ({ name: { text: block.name } }))];
      const expansion = yield* expandInSteps(
        statement,
        find,
        known.map(({ name }) => name.text),
      );
      faults.push(...expansion.diagnostics);
      put.push(...expansion.statements);
      instances.push(...expansion.instances);
    } else if (statement.kind === 'DropBlock') {
      drop.push({ kind: statement.block, name: statement.name.text, span: statement.name.span });
    } else if (isBlockStatement(statement) && statement.kind !== 'CreateEventStore') {
      put.push(statement);
    } else {
      faults.push(diagnose('E0914', statement.span, {}));
    }
  }
  const replacing = put.map((block) => ({ ...block, orReplace: true }));
  return { change: { put: replacing, drop, instances, mode: 'script', forward: [] }, faults };
}
