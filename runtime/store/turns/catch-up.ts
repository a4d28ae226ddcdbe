import type { Journal, JournalEnd } from '../journal.ts';
import { readEntry } from '../read-entry.ts';
import type { StoreFollower } from './turn.ts';
import type { Commits } from './commits.ts';
import type { Ledger } from './ledger.ts';
import type { Pending } from './open-turn.ts';

export interface CatchUpParts {
  readonly journal: Journal;
  readonly ledger: Ledger;
  readonly commits: Commits;
  readonly follower: () => StoreFollower | undefined;
  /** The log ends before entries that are durable here. */
  readonly onEndGone: (end: JournalEnd) => void;
}

/** Takes in the entries that others have appended to a shared log, up to this end. Nothing is ahead, and no turn runs. */
export async function catchUp(parts: CatchUpParts, to: JournalEnd): Promise<void> {
  const { journal, commits } = parts;
  const had = commits.position().entry;
  if (to.entry < had) {
    parts.onEndGone(to);
    return;
  }
  commits.endMoved(); // until all of it is there
  if (to.entry > had) {
    for await (const lines of journal.read(had + 1, to.entry)) await applyLines(parts, lines);
  }
  commits.caughtUp(to);
}

/** A schema entry is in force before anything after it is taken in, and before a reader learns of it. */
async function applyLines(
  { journal, ledger, commits, follower }: CatchUpParts,
  lines: readonly string[],
): Promise<void> {
  let taken: Pending[] = [];
  const settle = (): void => {
    if (taken.length === 0) return;
    follower()?.appended(taken.map(({ entry }) => entry));
    commits.advance(ledger.position(), '', taken);
    taken = [];
  };
  for (const line of lines) {
    const entry = readEntry(line, journal.holder);
    if (entry.kind === 'schema') settle();
    // The ledger has the entry if the adoption of this schema entry failed before.
    if (entry.number > ledger.entry()) ledger.replay(entry);
    taken.push({ entry, line });
    if (entry.kind !== 'schema') continue;
    await follower()?.adopt(entry);
    settle();
  }
  settle();
}
