import type { Steps } from '../../../../language/source/steps.ts';
import { createBlockChecker, type CheckerInput } from '../block-checker.ts';
import type { BlockKey } from '../../../../language/contract/block-kind.ts';
import type { AskKey, Entry } from '../workspace.ts';

/**
 * All entries with a valid check for this version, in the given order. Only entries that depend on a difference are checked, then those
 * that depend on these, until nothing more changes. One step per entry.
 */
export function* checkAll(input: CheckerInput): Steps<ReadonlyMap<BlockKey, Entry>> {
  const checker = createBlockChecker(input);
  const checked = new Map(input.entries);
  const visited = new Set<AskKey>();
  let different: ReadonlySet<AskKey> = input.changed;
  for (let first = true; first || different.size > 0; first = false) {
    const next = new Set<AskKey>();
    for (const entry of input.entries.values()) {
      if (!asksFor(entry, different)) continue;
      const outcome = checker.ensureChecked(entry.key);
      yield;
      if (outcome === undefined) continue;
      checked.set(entry.key, outcome.entry);
      if (outcome.different && !visited.has(entry.key)) next.add(entry.key);
      visited.add(entry.key);
    }
    different = next;
  }
  return checked;
}

/** Whether its check depends on any of these; an unchecked entry depends on all. */
function asksFor({ checked, key }: Entry, different: ReadonlySet<AskKey>): boolean {
  if (checked === undefined || different.has(key)) return true;
  for (const ask of checked.asks) if (different.has(ask)) return true;
  return false;
}

/** Whether a checked entry may be in a registry. */
export function compiles(entry: Entry): boolean {
  return entry.checked?.block !== undefined;
}
