import {
  expandApplications,
  isBlockStatement,
  type ApplyTemplate,
  type BlockStatement,
  type CreateTemplate,
  hasErrors,
} from '../../../compiler/index.ts';
import type { StatementContext } from '../context.ts';
import type { StatementResult } from '../outcome.ts';
import { errorOf } from '../problems.ts';
import { putBlocks } from './blocks.ts';

/** APPLY TEMPLATE: all blocks of its expansion, nested applications included, become one change. */
export async function runApply(context: StatementContext, statement: ApplyTemplate): Promise<StatementResult> {
  const find = (name: string): CreateTemplate | undefined => {
    const tree = context.live.registry().tree('template', name);
    return tree?.kind === 'CreateTemplate' ? tree : undefined;
  };
  const known = context.live.registry().catalog.blocks.template.map(({ name }) => name);
  const expansion = expandApplications(statement, find, known);
  if (hasErrors(expansion.diagnostics)) return errorOf(expansion.diagnostics);
  const blocks = expansion.statements.filter((stamped): stamped is BlockStatement => isBlockStatement(stamped));
  const result = await putBlocks(context, blocks, expansion.instances);
  if (hasErrors(result.diagnostics)) return errorOf(result.diagnostics);
  const created = result.changes
    .filter((change) => change.change !== 'unchanged')
    .map((change) => ({ block: change.kind, name: change.name }));
  return { kind: 'apply', template: statement.template.text, created };
}
