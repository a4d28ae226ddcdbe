import type { WaitingBlock } from '../../../language/catalog/waiting-block.ts';
import type { BlockKey } from '../../../language/contract/block-kind.ts';
import { answersOf, type Entry, type Workspace } from './workspace.ts';

/** The waiting blocks of a workspace, in order of creation. */
export function waitingBlocks(workspace: Workspace): readonly WaitingBlock[] {
  return Array.from(workspace.waiting.values()).flatMap((entry) => {
    const block = entry.checked?.block;
    return block === undefined ? [] : [{ block, waitsFor: awaited(entry, workspace) }];
  });
}

/** The blocks that an entry waits for, in words: those that it names, else later blocks that its check depends on. */
export function awaited(entry: Entry, { entries, waiting, forward }: Workspace): readonly string[] {
  const { missing = new Set<BlockKey>(), asks = new Set() } = entry.checked ?? {};
  const lacking = Array.from(missing).filter((key) => !entries.has(key));
  // Another waiting block itself waits for the same blocks as this one.
  const uncreated = lacking.filter((key) => !waiting.has(key));
  const named = uncreated.length > 0 ? uncreated : lacking;
  if (named.length > 0) return named.map((key) => wordsOf(key, forward?.get(key)));
  const further = Array.from(forward?.values() ?? []).filter(({ key }) => key !== entry.key && !entries.has(key));
  return further
    .filter((other) => answersOf(other).some((key) => asks.has(key)))
    .map((other) => wordsOf(other.key, other));
}

/** `projection 'Levels'`; a key holds the name in lower case, so the later block gives the spelling. */
function wordsOf(key: string, forward: Entry | undefined): string {
  const at = key.indexOf(':');
  return `${key.slice(0, at)} '${forward?.name ?? key.slice(at + 1)}'`;
}
