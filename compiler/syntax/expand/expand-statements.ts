import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import {
  isBlockStatement,
  type ApplyTemplate,
  type BlockStatement,
  type CreateTemplate,
  type Statement,
} from '../ast.ts';
import type { LostBlocks } from '../grammar/lost-blocks.ts';
import { expandApplications, type TemplateInstance } from './expand-applications.ts';

export interface ExpandedStatements {
  readonly blocks: readonly BlockStatement[];
  readonly instances: readonly TemplateInstance[];
  readonly diagnostics: readonly Diagnostic[];
  /** Includes the blocks that applications of broken templates would have created. */
  readonly lost: LostBlocks;
}

/** Blocks in the order of the text, each APPLY replaced by its expansion. */
export function expandStatements(statements: readonly Statement[], lost: LostBlocks): ExpandedStatements {
  const templates = new Map<string, CreateTemplate>();
  for (const statement of statements)
    if (statement.kind === 'CreateTemplate' && (statement.orReplace || !templates.has(statement.name.text)))
      templates.set(statement.name.text, statement);
  const broken = new Set(lost.named.flatMap(({ kind, name }) => (kind === 'template' ? [name] : [])));
  const find = (name: string): CreateTemplate | 'broken' | undefined =>
    templates.get(name) ?? (broken.has(name) ? 'broken' : undefined);
  let others = lost.others;
  const diagnostics: Diagnostic[] = [];
  const instances: TemplateInstance[] = [];
  const applied = (statement: ApplyTemplate): readonly BlockStatement[] => {
    const expansion = expandApplications(statement, find, templates.keys());
    diagnostics.push(...expansion.diagnostics);
    instances.push(...expansion.instances);
    others ||= !expansion.whole;
    return expansion.statements.filter(isBlockStatement);
  };
  const blocks = statements.flatMap((statement): readonly BlockStatement[] => {
    if (isBlockStatement(statement)) return [statement];
    return statement.kind === 'ApplyTemplate' ? applied(statement) : [];
  });
  return { blocks, instances, diagnostics, lost: { ...lost, others } };
}
