import { diagnose } from '../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
import type { Registry, RegistryChange } from './analyse/environment/registry.ts';
import type { Steps } from '../language/source/steps.ts';
import { isBlockStatement, type BlockStatement, type CreateTemplate, type Statement } from './syntax/ast.ts';
import { expandInSteps } from './syntax/expand/expand-applications.ts';

/**
 * The statements of WITH SCHEMA as a change of the registry (docs/language.md#inspections): CREATE replaces, DROP and APPLY TEMPLATE work as
 * in a script, and everything else is an error among `faults`. A step for each statement, and for each of a template's body.
 */
export function* candidateInSteps(
  statements: readonly Statement[],
  registry: Registry,
): Steps<{ readonly change: Omit<RegistryChange, 'history'>; readonly faults: readonly Diagnostic[] }> {
  const put: BlockStatement[] = [];
  const drop: RegistryChange['drop'][number][] = [];
  const instances: NonNullable<RegistryChange['instances']>[number][] = [];
  const faults: Diagnostic[] = [];
  const written = new Map<string, CreateTemplate>();
  for (const statement of statements)
    if (statement.kind === 'CreateTemplate' && !written.has(statement.name.text))
      written.set(statement.name.text, statement);
  const known = new Set([...written.keys(), ...registry.catalog.blocks.template.map(({ name }) => name)]);
  const find = (name: string): CreateTemplate | undefined => {
    const own = written.get(name);
    if (own !== undefined) return own;
    const tree = registry.tree('template', name);
    return tree?.kind === 'CreateTemplate' ? tree : undefined;
  };
  for (const statement of statements) {
    if (statement.kind === 'ApplyTemplate') {
      const expansion = yield* expandInSteps(statement, find, known);
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
    yield;
  }
  const replacing = put.map((block) => ({ ...block, orReplace: true }));
  return { change: { put: replacing, drop, instances, mode: 'script', forward: [] }, faults };
}
