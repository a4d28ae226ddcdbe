/** CREATE, DROP and APPLY TEMPLATE in a session: definitions are checked and kept, and put in force before a statement that shows them. */
import {
  blockKey,
  expandApplications,
  hasErrors,
  isBlockStatement,
  kindOf,
  type ApplyTemplate,
  type BlockStatement,
  type ChangeResult,
  type CreateTemplate,
  type DropBlock,
  type RegistryChange,
} from '../../../compiler/index.ts';
import { fail, type Failure } from '../../../language/failure/failure.ts';
import type { CompiledPlace } from '../../place/place.ts';
import type { SessionContext, StatementContext } from '../context.ts';
import type { StatementOutcome, StatementResult } from '../outcome.ts';
import { errorOf } from '../problems.ts';
import type { Script } from '../script.ts';

/** CREATE of a registered block. */
export async function runBlock(context: StatementContext, statement: BlockStatement): Promise<StatementResult> {
  const { changes, diagnostics } = await putBlocks(context, [statement]);
  const [created] = hasErrors(diagnostics) ? [] : createdBy(changes);
  return created ?? errorOf(diagnostics);
}

type Created = Extract<StatementResult, { readonly kind: 'create' }>;

function createdBy(changes: ChangeResult['changes']): readonly Created[] {
  return changes.flatMap(({ kind: block, name, change }) =>
    change === 'dropped' ? [] : [{ kind: 'create', block, name, change }],
  );
}

/** APPLY TEMPLATE: all blocks of its expansion, nested applications included, become one change. */
export async function runApply(context: StatementContext, statement: ApplyTemplate): Promise<StatementResult> {
  const registry = context.live.registry();
  const find = (name: string): CreateTemplate | undefined => {
    const tree = registry.tree('template', name);
    return tree?.kind === 'CreateTemplate' ? tree : undefined;
  };
  const known = registry.catalog.blocks.template.map(({ name }) => name);
  const { statements, instances, diagnostics } = expandApplications(statement, find, known);
  if (hasErrors(diagnostics)) return errorOf(diagnostics);
  const blocks = statements.filter((stamped): stamped is BlockStatement => isBlockStatement(stamped));
  const result = await putBlocks(context, blocks, instances);
  if (hasErrors(result.diagnostics)) return errorOf(result.diagnostics);
  const changed = result.changes.filter(({ change }) => change !== 'unchanged');
  const created = changed.map(({ kind: block, name }) => ({ block, name }));
  return { kind: 'apply', template: statement.template.text, created };
}

/** Puts blocks into the registry as one change and reports warnings. */
async function putBlocks(
  context: StatementContext,
  put: readonly BlockStatement[],
  instances: NonNullable<RegistryChange['instances']> = [],
): Promise<ChangeResult> {
  checkWritable(context);
  const { forward, lenientPayload, live } = context;
  const clauses = live.registry().catalog.blocks.event.some(({ upcasts }) => upcasts !== undefined);
  const tried = put.some((block) => readsStored(block) || (clauses && block.kind === 'CreateFunction'));
  // A change whose clauses fail on a stored event does not take earlier ones with it.
  if (tried) await live.adopt();
  const result = await live.change({ put, instances, drop: [], forward, lenientPayload });
  for (const diagnostic of result.diagnostics) if (diagnostic.severity !== 'error') context.warn(diagnostic);
  if (tried) await live.adopt();
  return result;
}

/**
 * Whether a block says how stored events read: it is tried on them at once, so that the statement itself fails if one cannot be read. So is
 * a function, which a clause may call.
 */
function readsStored(block: BlockStatement): boolean {
  return block.kind === 'CreateEvent' && block.upcasts.length > 0;
}

export async function runDrop(context: StatementContext, statement: DropBlock): Promise<StatementResult> {
  checkWritable(context);
  const { block, name } = statement;
  const drop = [{ kind: block, name: name.text, span: name.span }];
  const { lenientPayload } = context;
  const { changes, diagnostics } = await context.live.change({ put: [], drop, forward: [], lenientPayload });
  if (hasErrors(diagnostics)) return errorOf(diagnostics);
  return { kind: 'drop', block, name: changes[0]?.name ?? name.text };
}

/** Blocks go into the session's own registry, which must be writable. */
function checkWritable({ own, reg }: StatementContext): void {
  if (reg !== own) throw readOnlyPlace(reg);
  if (own.engine.readOnly) throw fail('R0109', { what: 'a change of the registry' });
}

/** The failure of a statement that would write while another store is in use. */
export function readOnlyPlace({ store = '', engine }: CompiledPlace): Failure {
  return fail('R0402', { reason: `${store} (${engine.store.location}) is opened read-only` });
}

/**
 * Puts consecutive blocks from statement `from` on into the registry at once, if all are new and none has an error: the result is the same
 * as putting one after the other, but the time grows with their number and not with its square. Gives an outcome for each; none if they
 * must be put one by one.
 */
export async function runNewBlocks(
  { live, engine, lenientPayload }: SessionContext,
  { statements, forward }: Script,
  from: number,
): Promise<readonly StatementOutcome[]> {
  const put: BlockStatement[] = [];
  for (const { statement } of statements.slice(from)) {
    if (statement === undefined || !isBlockStatement(statement) || readsStored(statement)) break;
    put.push(statement);
  }
  // A lenient session gets a note for each payload field that no event carries at that point.
  if (put.length < 2 || lenientPayload || engine.readOnly) return [];
  const registry = live.registry();
  const keys = new Set(put.map((block) => blockKey(kindOf(block), block.name.text)));
  const isKnown = put.some((block) => registry.tree(kindOf(block), block.name.text) !== undefined);
  if (isKnown || keys.size < put.length) return [];
  const { changes, diagnostics } = await live.change({ put, drop: [], forward: forward(from + put.length - 1) });
  if (hasErrors(diagnostics)) return [];
  return createdBy(changes).flatMap((outcome, index): readonly StatementOutcome[] => {
    const span = statements[from + index]?.span;
    if (span === undefined) return [];
    const warnings = diagnostics.filter(({ span: at }) => at.start >= span.start && at.end <= span.end);
    return [{ span, warnings, ...outcome }];
  });
}
