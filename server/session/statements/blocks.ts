import { hasErrors } from '../../../compiler/index.ts';
import type { BlockStatement, ChangeResult, DropBlock, RegistryChange } from '../../../compiler/index.ts';
import { fail } from '../../../language/failure/failure.ts';
import type { StatementContext } from '../context.ts';
import type { StatementResult } from '../outcome.ts';
import { errorOf } from '../problems.ts';
import { readOnlyPlace } from './read-only-place.ts';

/** CREATE of a registered block. */
export async function runBlock(context: StatementContext, statement: BlockStatement): Promise<StatementResult> {
  const result = await putBlocks(context, [statement]);
  const change = result.changes[0];
  if (hasErrors(result.diagnostics) || change === undefined || change.change === 'dropped')
    return errorOf(result.diagnostics);
  return { kind: 'create', block: change.kind, name: change.name, change: change.change };
}

/** Puts blocks into the registry as one change and reports warnings. */
export async function putBlocks(
  context: StatementContext,
  put: readonly BlockStatement[],
  instances: NonNullable<RegistryChange['instances']> = [],
): Promise<ChangeResult> {
  checkWritable(context);
  const clauses = context.live.registry().catalog.blocks.event.some(({ upcasts }) => upcasts !== undefined);
  const tried = put.some((block) => readsStored(block) || (clauses && block.kind === 'CreateFunction'));
  // Changes that were kept before must not be lost with a change whose clauses fail on a stored event.
  if (tried) await context.live.adopt();
  const result = await context.live.change({
    put,
    instances,
    drop: [],
    forward: context.forward,
    lenientPayload: context.lenientPayload,
  });
  for (const diagnostic of result.diagnostics) if (diagnostic.severity !== 'error') context.warn(diagnostic);
  if (tried) await context.live.adopt();
  return result;
}

/**
 * Whether a block says how stored events read: it is tried on them at once, so that the statement itself fails if one cannot be read. So is
 * a function, which a clause may call.
 */
export function readsStored(block: BlockStatement): boolean {
  return block.kind === 'CreateEvent' && block.upcasts.length > 0;
}

export async function runDrop(context: StatementContext, statement: DropBlock): Promise<StatementResult> {
  checkWritable(context);
  const drop = [{ kind: statement.block, name: statement.name.text, span: statement.name.span }];
  const result = await context.live.change({ put: [], drop, forward: [], lenientPayload: context.lenientPayload });
  if (hasErrors(result.diagnostics)) return errorOf(result.diagnostics);
  return { kind: 'drop', block: statement.block, name: result.changes[0]?.name ?? statement.name.text };
}

/** Blocks go into the session's own registry, which must be writable. */
function checkWritable({ own, reg }: StatementContext): void {
  if (reg !== own) throw readOnlyPlace(reg);
  if (own.engine.readOnly) throw fail('R0109', { what: 'a change of the registry' });
}
