import type { Row } from '../../../runtime/store/store.ts';
import type { Value } from '../../../language/values/type.ts';
import { ownTurn } from '../../operation/room/loop-turns.ts';

/** Values written in one go without delaying other requests; a long text counts once more per this many characters. */
const sliceCost = 16_384;
const costlyCharacters = 16;
/** Rows of the largest record batch. */
const sliceRows = 8192;

/** End of the first slice that begins at `from`. */
export function sliceEnd(rows: readonly Row[], from: number): number {
  const last = Math.min(rows.length, from + sliceRows);
  let cost = 0;
  for (let at = from; at < last; at++) {
    cost += costOf(rows[at] ?? []);
    if (cost > sliceCost) return at + 1;
  }
  return last;
}

/** The rows in slices, each in its own turn of the event loop. */
export async function* slices(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  for (let from = 0, to; from < rows.length; from = to) {
    await ownTurn();
    to = sliceEnd(rows, from);
    yield rows.slice(from, to);
  }
}

function costOf(value: Value): number {
  if (typeof value === 'string') return 1 + value.length / costlyCharacters;
  const parts = Array.isArray(value)
    ? (value as readonly Value[])
    : value instanceof Map
      ? (value as ReadonlyMap<string, Value>).values()
      : undefined;
  if (parts === undefined) return 1;
  let cost = 1;
  for (const part of parts) cost += costOf(part);
  return cost;
}
