import { attemptsOf, chooseRows, doneChanges, hasRowsOfAnother } from '../order.ts';
import { followDefinition, freeRows, readAhead, readLate } from './reading.ts';
import type { Live, Serving } from './serving.ts';
import type { HandedOut, NextRequest, Subscriptions } from './subscriptions.ts';

const longestSleep = 30_000;
/** Time after which a waiting consumer looks for rows that another server has given back. */
const sharedSleep = 250;

/** `soonest`: when a row that waits for another try can be handed out. */
type Taken = HandedOut & { readonly soonest: number | undefined };

/** Hands out rows, at once or when there are some. */
export function createNext(serving: Serving, giveBack: Subscriptions['giveBack']): Subscriptions['next'] {
  const { begun, stateOf, consumers, durableEnd, isClosed, now } = serving;
  return async (name, request) => {
    const end = now() + request.waitSeconds * 1000;
    let wanted = request.max;
    for (;;) {
      const live = await begun(name);
      await readLate(serving, live);
      await followDefinition(serving, live);
      if (!live.changed) await readAhead(serving, live, wanted);
      const seen = live.changes;
      const { soonest, ...handed } = await take(serving, live, request);
      if (handed.lease !== undefined) {
        if (request.signal.aborted) await giveBack(name, handed.lease);
        return handed;
      }
      const time = now();
      if (time >= end || request.signal.aborted || isClosed()) return handed;
      // There may be rows of other keys behind those that wait. Nothing is read before the rows of an earlier definition are back.
      if (!live.changed && !live.reader.isFull() && live.reader.through() < durableEnd()) {
        wanted = freeRows(serving, live) + request.max;
        continue;
      }
      const leaseEnd = Math.min(...[...stateOf(live).out.values()].map(({ until }) => until));
      const longest = consumers.isShared ? sharedSleep : longestSleep;
      const wait = Math.min(end, soonest ?? Infinity, leaseEnd, time + longest) - time;
      if (wait > 0 && seen === live.changes) await sleep(serving, live, Math.max(1, wait), request.signal);
    }
  };
}

function take({ turn, consumers, now, random }: Serving, live: Live, request: NextRequest): Promise<Taken> {
  return turn<Taken>(live, (state) => {
    const { definition, reader, late, by } = live;
    const time = now();
    const nothing = { definition, lease: undefined, until: time, rows: [], soonest: undefined };
    if (state.stopped !== undefined || live.changed || hasRowsOfAnother(state, by)) return { result: () => nothing };
    const waiting = { rows: reader.rows(), late, state, options: definition.options, now: time };
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
    return {
      changes: [
        // Rows whose acknowledgement came to a server that had not read them.
        ...(consumers.isShared ? doneChanges(reader, state) : []),
        { is: 'leased', lease, by, until, rows: rows.map(({ position, event, key }) => ({ position, event, key })) },
      ],
      result: () => ({ definition, lease, until, rows: handed, soonest: undefined }),
    };
  });
}

async function sleep({ tail }: Serving, live: Live, milliseconds: number, signal: AbortSignal): Promise<void> {
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
}
