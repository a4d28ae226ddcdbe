/** Reads the rows that can be handed out, and writes down what reading shows. */
import type { ConsumerChange } from '../../store/side/consumer-state.ts';
import { doneChanges, hasRowsOfAnother } from '../order.ts';
import { readRow, readRows } from './delivered-row.ts';
import type { Live, Serving } from './serving.ts';

/** Events without a row after which the place is kept. */
const farBehind = 10_000;
/** Parked rows that are read for one request. */
const mostLate = 100;

/** Rows that were read, and are neither handed out nor done. */
export function freeRows({ stateOf }: Serving, live: Live): number {
  const { done, failed, out } = stateOf(live);
  return live.reader.rows().length - out.size - done.size - failed.size;
}

/** Reads until there are as many free rows as wanted, if the log has them. */
export function readAhead(serving: Serving, live: Live, wanted: number): Promise<void> {
  return readWhile(serving, live, () => freeRows(serving, live) < wanted);
}

/** Reads as long as the rows are wanted, and there is room for them. */
export async function readWhile(serving: Serving, live: Live, isWanted: () => boolean): Promise<void> {
  const { stateOf, turn, now, isClosed } = serving;
  const { reader } = live;
  const end = serving.durableEnd();
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
      await turn(live, (state) => ({ changes: doneChanges(reader, state), result: () => undefined }));
  }
}

/** Reads rows that were parked and are delivered again. */
export async function readLate({ engine, stateOf, turn }: Serving, live: Live): Promise<void> {
  const { late } = stateOf(live);
  live.late = live.late.filter(({ position }) => late.has(position));
  const missing = [...late.keys()].filter((position) => !live.late.some((row) => row.position === position));
  for (const position of missing.slice(0, mostLate)) {
    const row = await readRow(engine, live, position);
    if (row !== undefined) live.late.push(row);
    // The definition leaves it out by now.
    else await turn(live, () => ({ changes: [{ is: 'done', positions: [position] }], result: () => undefined }));
  }
}

/** Begins to read rows by the present definition, once the rows of an earlier one are back. Parked rows that it leaves out are discarded. */
export async function followDefinition({ engine, stateOf, turn, counts }: Serving, live: Live): Promise<void> {
  const { by, domain, definition } = live;
  const state = stateOf(live);
  if (live.changed && !hasRowsOfAnother(state, by)) {
    live.changed = false;
    live.late = [];
    live.reader.restart(state.acknowledged ?? 0);
  }
  if (live.changed || live.parkedBy === by) return;
  const gone: number[] = [];
  for (const position of [...state.parked.keys()]) {
    const { rows, faulty } = await readRows(engine, domain, definition, { after: position - 1, until: position });
    if (rows.length + faulty.length === 0) gone.push(position);
  }
  if (gone.length > 0)
    await turn(live, ({ parked }) => {
      const changes = gone.flatMap((position): ConsumerChange[] =>
        parked.has(position) ? [{ is: 'discarded', position }] : [],
      );
      return { changes, frees: true, result: () => (counts.leftOut += changes.length) };
    });
  live.parkedBy = by;
}
