import type { Steps } from '../../../../language/source/steps.ts';
import { createCheckSession, type SessionInput } from '../check-session.ts';
import type { AskKey, BlockKey, Entry } from '../workspace.ts';

/**
 * Every entry with a check that holds in this version, in the order given. Only entries that asked for something that is different are
 * looked at, then those that asked for these, until nothing more changes. A step for each entry.
 */
export function* checkAll(input: SessionInput): Steps<ReadonlyMap<BlockKey, Entry>> {
  const session = createCheckSession(input);
  const checked = new Map(input.entries);
  const told = new Set<AskKey>();
  let different: ReadonlySet<AskKey> = input.changed;
  for (let first = true; first || different.size > 0; first = false) {
    const next = new Set<AskKey>();
    for (const entry of input.entries.values()) {
      if (!asksFor(entry, different)) continue;
      const brought = session.bring(entry.key);
      yield;
      if (brought === undefined) continue;
      checked.set(entry.key, brought.entry);
      if (brought.different && !told.has(entry.key)) next.add(entry.key);
      told.add(entry.key);
    }
    different = next;
  }
  return checked;
}

/** Whether its check rests on any of these; one that was never checked rests on all. */
function asksFor({ checked, key }: Entry, different: ReadonlySet<AskKey>): boolean {
  if (checked === undefined || different.has(key)) return true;
  for (const ask of checked.asks) if (different.has(ask)) return true;
  return false;
}

/** Whether a checked entry may stand in a registry. */
export function compiles(entry: Entry): boolean {
  return entry.checked?.block !== undefined;
}
