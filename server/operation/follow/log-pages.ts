import { failures } from '../../../language/failure/catalogue.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { raw } from '../../../runtime/engine/raw.ts';
import { Overtaken, type Row } from '../../../runtime/store/store.ts';
import type { EventsRead } from '../read/events.ts';
import type { Reader } from '../read/reader.ts';
import { ownTurn } from '../room/loop-turns.ts';
import { pulled } from '../room/pulled.ts';
import { shownTable } from '../shown.ts';
import type { EventSource } from './source.ts';

const largestPage = 8_192;
const firstPage = 1_024;
const pageBudget = 1024 * 1024;

/**
 * The events of all aggregates up to a position, page by page. The first page is read before the answer begins, so that an early failure
 * gets its status.
 */
export async function readLog(
  reader: Reader,
  source: EventSource,
  { after = 0n, until, limit = Infinity }: { readonly after?: bigint; readonly until: bigint; readonly limit?: number },
): Promise<EventsRead> {
  let position = after;
  let window = firstPage;
  let left = limit;

  const page = async (isFirst: boolean): Promise<readonly Row[]> => {
    await reader.lease.forPart(pageBudget, { patient: !isFirst });
    for (;;) {
      const through = min(until, position + BigInt(window));
      const budget = window > 1 ? { bytes: pageBudget } : {};
      let bytes = 0;
      const takes = (more: number): void => void (bytes += more);
      try {
        const { rows } = await source.read(reader, { after: position, until: through }, { ...budget, takes });
        reader.lease.holds(bytes);
        position = through;
        window = Math.min(largestPage, window * 2);
        const shown = rows.length > left ? rows.slice(0, left) : rows;
        left -= shown.length;
        return shown;
      } catch (error) {
        if (!(error instanceof Failure) || failures[error.code].kind !== 'budget' || window === 1) {
          reader.lease.holds(0);
          throw error;
        }
        window = Math.max(1, Math.floor(window / 4));
      }
    }
  };
  const isOver = (): boolean => position >= until || left <= 0;
  const columns = source.columns(reader.domain) ?? [];
  const first = isOver() ? [] : await page(true);
  if (isOver()) return { kind: 'table', table: shownTable(raw({ columns, rows: first }), reader.caller) };
  let before: readonly Row[] | undefined = first;
  return {
    kind: 'batches',
    columns,
    batches: pulled(
      async () => {
        const read = before;
        before = undefined;
        if (read !== undefined) return read;
        if (isOver()) return undefined;
        await ownTurn();
        try {
          return await page(false);
        } catch (error) {
          // The rows of a changed registry would not be those of the answer's columns: the client continues after its last row.
          if (error instanceof Overtaken) throw new Error('the registry changed under the answer', { cause: error });
          throw error;
        }
      },
      () => reader.lease.holds(0),
    ),
  };
}

function min(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}
