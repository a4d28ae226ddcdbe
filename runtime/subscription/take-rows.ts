import type { ChangedDefinition } from './changed-definition.ts';
import { doneChanges } from './done.ts';
import { chooseRows } from './hand-out.ts';
import { attemptsOf, hasRowsOfAnother } from './lease.ts';
import type { Live, Lives } from './live.ts';
import type { ReadAhead } from './read-ahead.ts';
import type { HandedOut, NextRequest, Subscriptions, SubscriptionsOptions } from './subscriptions.ts';

const longestSleep = 30_000;
/** How long a consumer waits until it looks for rows that another server has given back. */
const sharedSleep = 250;

/** Hands out rows, at once or when there are some. */
export function createNext(
  { consumers, tail, now, random }: Pick<SubscriptionsOptions, 'consumers' | 'tail' | 'now' | 'random'>,
  { begun, turn, durableEnd, isClosed }: Lives,
  { readAhead, readLate, freeRows }: ReadAhead,
  followDefinition: ChangedDefinition['follow'],
  giveBack: Subscriptions['giveBack'],
): Subscriptions['next'] {
  /** `soonest`: when a row that waits for another try can be handed out. */
  const take = (live: Live, request: NextRequest): Promise<HandedOut & { readonly soonest: number | undefined }> =>
    turn<HandedOut & { readonly soonest: number | undefined }>(live, (state) => {
      const { definition } = live;
      const time = now();
      const nothing = { definition, lease: undefined, until: time, rows: [], soonest: undefined };
      if (state.stopped !== undefined || live.changed || hasRowsOfAnother(state, live.by))
        return { result: () => nothing };
      const waiting = {
        ...{ rows: live.reader.rows(), late: live.late, state, options: definition.options, now: time },
        isOut: (position: number) => state.out.has(position),
      };
      const { rows, heldBy, soonest } = chooseRows(waiting, request.max);
      live.heldBy = heldBy ?? rows[0]?.position;
      if (rows.length === 0) return { result: () => ({ ...nothing, soonest }) };
      const seconds = request.leaseSeconds ?? definition.options.leaseSeconds;
      const lease = Buffer.from(random(16)).toString('hex');
      const until = time + seconds * 1000;
      const handed = rows.map((row) => ({
        ...row,
        attempt: attemptsOf(state, row.position) + 1,
        late: state.late.has(row.position),
      }));
      const leased = rows.map(({ position, event, key }) => ({ position, event, key }));
      return {
        changes: [
          // Rows whose acknowledgement came to a server that had not read them.
          ...(consumers.isShared ? doneChanges(live.reader, state, []) : []),
          { is: 'leased', lease, by: live.by, until, rows: leased },
        ],
        result: () => ({ definition, lease, until, rows: handed, soonest: undefined }),
      };
    });

  const sleep = async (live: Live, milliseconds: number, signal: AbortSignal): Promise<void> => {
    let resume = (): void => undefined;
    const slept = tail.change(milliseconds, (awaken) => {
      resume = awaken;
      live.sleepers.add(resume);
      signal.addEventListener('abort', resume, { once: true });
    });
    if (signal.aborted) resume();
    await slept;
    live.sleepers.delete(resume);
    signal.removeEventListener('abort', resume);
  };

  return async (name, request) => {
    const end = now() + request.waitSeconds * 1000;
    let wanted = request.max;
    for (;;) {
      const live = await begun(name);
      await readLate(live);
      await followDefinition(live);
      if (!live.changed) await readAhead(live, wanted);
      const seen = live.changes;
      const { soonest, ...handed } = await take(live, request);
      if (handed.lease !== undefined) {
        if (request.signal.aborted) await giveBack(name, handed.lease);
        return handed;
      }
      const time = now();
      if (time >= end || request.signal.aborted || isClosed()) return handed;
      // There may be rows of other keys behind those that wait.
      if (!live.reader.isFull() && live.reader.through() < durableEnd()) {
        wanted = freeRows(live) + request.max;
        continue;
      }
      const leaseEnd = Math.min(...[...consumers.stateOf(name).out.values()].map(({ until }) => until));
      const longest = consumers.isShared ? sharedSleep : longestSleep;
      const wait = Math.min(end, soonest ?? Infinity, leaseEnd, time + longest) - time;
      if (wait > 0 && seen === live.changes) await sleep(live, Math.max(1, wait), request.signal);
    }
  };
}
