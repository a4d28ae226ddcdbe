import {
  blockKey,
  hasErrors,
  isBlockStatement,
  kindOf,
  type BlockKey,
  type BlockStatement,
  type ParsedStatement,
} from '../../../compiler/index.ts';
import type { SessionContext } from '../context.ts';
import type { StatementOutcome } from '../outcome.ts';
import type { Script } from '../script.ts';
import { readsStored } from './blocks.ts';

/**
 * Puts consecutive blocks from statement `from` on into the registry at once, if all are new and none has an error: the result is the same
 * as putting one after the other, but the time grows with their number and not with its square. Gives an outcome for each; none if they
 * must be put one by one.
 */
export async function runNewBlocks(
  { live, engine, lenientPayload }: SessionContext,
  script: Script,
  from: number,
): Promise<readonly StatementOutcome[]> {
  const created = blocksFrom(script, from);
  // A lenient session gets a note for each payload field that no event carries at that point.
  if (created.length < 2 || lenientPayload || engine.readOnly) return [];
  const registry = live.registry();
  const keys = new Set<BlockKey>();
  for (const { block } of created) {
    const kind = kindOf(block);
    const key = blockKey(kind, block.name.text);
    if (keys.has(key) || registry.tree(kind, block.name.text) !== undefined) return [];
    keys.add(key);
  }
  const put = created.map(({ block }) => block);
  const { changes, diagnostics } = await live.change({ put, drop: [], forward: script.forward(from + put.length - 1) });
  if (hasErrors(diagnostics)) return [];
  return created.flatMap(({ parsed: { span } }, index): StatementOutcome[] => {
    const change = changes[index];
    if (change === undefined || change.change === 'dropped') return [];
    const warnings = diagnostics.filter(({ span: at }) => at.start >= span.start && at.end <= span.end);
    return [{ span, warnings, kind: 'create', block: change.kind, name: change.name, change: change.change }];
  });
}

interface Created {
  readonly parsed: ParsedStatement;
  readonly block: BlockStatement;
}

function blocksFrom({ statements }: Script, from: number): readonly Created[] {
  const found: Created[] = [];
  for (const parsed of statements.slice(from)) {
    if (parsed.statement === undefined || !isBlockStatement(parsed.statement) || readsStored(parsed.statement)) break;
    found.push({ parsed, block: parsed.statement });
  }
  return found;
}
