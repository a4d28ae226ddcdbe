import type { ConsumerChange, ConsumerState } from '../store/consumers/consumer-state.ts';
import type { DeliveredRow } from './delivered-row.ts';
import type { RowReader } from './reader.ts';

/** The changes after which these rows are done; without rows, those by which the acknowledged position moves on. */
export function doneChanges(
  reader: Pick<RowReader, 'rows' | 'through'>,
  state: ConsumerState,
  positions: readonly number[],
): readonly ConsumerChange[] {
  const { to, last } = reachedBy(reader, state, new Set(positions));
  const beyond = positions.filter((position) => position > to || state.late.has(position));
  const moves = to > (state.acknowledged ?? 0);
  if (positions.length === 0 && !moves) return [];
  return [
    {
      is: 'done',
      positions: beyond,
      ...(moves && { to }),
      ...(moves && last !== undefined && { last: { position: last.position, event: last.event } }),
    },
  ];
}

/** How far a subscription is done: the last position before a row that is neither acknowledged nor parked. */
function reachedBy(
  reader: Pick<RowReader, 'rows' | 'through'>,
  state: ConsumerState,
  done: ReadonlySet<number>,
): { readonly to: number; readonly last: DeliveredRow | undefined } {
  let last: DeliveredRow | undefined;
  for (const row of reader.rows()) {
    const { position } = row;
    if (
      position > (state.acknowledged ?? 0) &&
      !done.has(position) &&
      !state.done.has(position) &&
      !state.parked.has(position)
    )
      return { to: Math.max(last?.position ?? 0, state.acknowledged ?? 0), last };
    last = row;
  }
  return { to: Math.max(reader.through(), state.acknowledged ?? 0), last };
}
