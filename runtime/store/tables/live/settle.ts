/** Makes the tables in a file durable, so that readers of the file and the next start find them. */
import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../../../../language/failure/failure.ts';
import type { Live } from './live-database.ts';

/** Readers of the file hold its lock for a second at most. */
const [attempts, pauseMilliseconds] = [300, 10];

/** Everything that was sent is in the file; gives the last of these entries. R0414 when its readers hold it for too long. */
export async function settleNow({ talk, feed }: Live): Promise<number> {
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    feed.forget();
    const entry = feed.position();
    if ((await talk.ask({ do: 'settle' })) === true) return entry;
    await pause(pauseMilliseconds);
  }
  throw fail('R0414', { reason: 'the read model on disk waits for its readers' });
}

/** So that the next start has nothing to read again. A crash would have the same effect as a failure here. */
export async function settleBeforeEnd({ talk, feed }: Pick<Live, 'talk' | 'feed'>): Promise<void> {
  feed.forget();
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const settled = await talk.ask({ do: 'settle' }).catch(() => true);
    if (settled === true) return;
    await pause(pauseMilliseconds);
  }
}
