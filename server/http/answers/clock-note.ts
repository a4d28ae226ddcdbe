import type { Store } from '../../../runtime/store/store.ts';

/** Seconds by which the time of the log may be ahead of the clock of this server without a note. */
const allowedSeconds = 60n;

/**
 * A sentence if the last entry is later than the clock says: events have that time until the clock has caught up, while
 * commands of reactions follow the clock. `now` in ms since 1970.
 */
export function clockNote(store: Pick<Store, 'turns'>, now: number): string | undefined {
  const ahead = (store.turns.position().at - BigInt(Math.trunc(now)) * 1_000n) / 1_000_000n;
  if (ahead <= allowedSeconds) return undefined;
  return `the last entry of the log is ${ahead} s ahead of the clock of this server; new events get its time until the clock has caught up`;
}
