import type { ConsumerState } from '../store/consumers/consumer-state.ts';
import { readRows } from './delivered-row.ts';
import { doneChanges } from './done.ts';
import type { Live, Lives } from './live.ts';
import type { SubscriptionsOptions } from './subscriptions.ts';

/** Reads the rows that can be handed out, and writes down what reading shows. */
export interface ReadAhead {
  /** Until there are as many free rows as wanted, if the log has them. */
  readonly readAhead: (live: Live, wanted: number) => Promise<void>;
  /** As long as the rows are wanted, and there is room for them. */
  readonly readWhile: (live: Live, isWanted: () => boolean) => Promise<void>;
  /** Rows that were parked and are delivered again. */
  readonly readLate: (live: Live) => Promise<void>;
  readonly freeRows: (live: Live) => number;
}

export function createReadAhead(
  { engine, consumers, now }: Pick<SubscriptionsOptions, 'engine' | 'consumers' | 'now'>,
  { turn, durableEnd, isClosed }: Lives,
): ReadAhead {
  const stateOf = (live: Live): ConsumerState => consumers.stateOf(live.definition.name);
  const freeRows = (live: Live): number => {
    const { done, failed, out } = stateOf(live);
    return live.reader.rows().length - out.size - done.size - failed.size;
  };
  const readWhile = async (live: Live, isWanted: () => boolean): Promise<void> => {
    const { reader } = live;
    const end = durableEnd();
    while (!reader.isFull() && reader.through() < end && isWanted() && !isClosed()) {
      const faulty = await reader.readOn(end);
      const at = now();
      if (faulty.length > 0)
        await turn(live, () => ({
          changes: faulty.map(({ position, reason }) => ({
            is: 'parked',
            row: { position, event: '', key: null, attempts: 0, reason, at },
          })),
          result: () => undefined,
        }));
      // A long run of events without rows is remembered now and then.
      const { acknowledged = 0 } = stateOf(live);
      if (reader.rows().length === 0 && reader.through() > acknowledged + farBehind)
        await turn(live, (state) => ({ changes: doneChanges(live.reader, state, []), result: () => undefined }));
    }
  };
  return {
    freeRows,
    readWhile,
    readAhead: (live, wanted) => readWhile(live, () => freeRows(live) < wanted),
    readLate: async (live) => {
      const { late } = stateOf(live);
      live.late = live.late.filter(({ position }) => late.has(position));
      const missing = [...late.keys()].filter((position) => !live.late.some((row) => row.position === position));
      for (const position of missing.slice(0, mostLate)) {
        const range = { after: position - 1, until: position };
        const [row] = (await readRows(engine, live.domain, live.definition, range)).rows;
        if (row !== undefined) live.late.push(row);
        // The definition leaves it out by now.
        else await turn(live, () => ({ changes: [{ is: 'done', positions: [position] }], result: () => undefined }));
      }
    },
  };
}

/** Events without a row after which the place is kept. */
const farBehind = 10_000;
/** Parked rows that are read for one request. */
const mostLate = 100;
