import type { Domain } from '../../../language/contract/domain.ts';
import type { SubscriptionDefinition } from '../../../language/contract/subscription.ts';
import { valueBytes } from '../../../language/values/value-bytes.ts';
import type { Engine } from '../../engine/engine.ts';
import { readRows, type DeliveredRow, type FaultyEvent } from './delivered-row.ts';

/** The rows of one subscription behind its acknowledged position, as far as they were read ahead. */
export interface RowReader {
  readonly rows: () => readonly DeliveredRow[];
  /** Every event up to here was looked at. */
  readonly through: () => number;
  /** Whether reading ahead waits until some rows are acknowledged. */
  readonly isFull: () => boolean;
  /** Reads on, up to this event at most; gives the events whose rows fail. */
  readonly readOn: (end: number) => Promise<readonly FaultyEvent[]>;
  /** Drops the rows up to a position. */
  readonly passed: (position: number) => void;
  /** Reads again from a position on, perhaps by another definition. */
  readonly restart: (position: number) => void;
}

/** Rows that are read ahead, and their memory. */
const mostRows = 10_000;
const mostBytes = 32 * 1024 * 1024;
/** Events that one reading looks at: few at first, so that the first rows come early. */
const smallestRange = 1000;
const largestRange = 20_000;

export function createRowReader(
  engine: Pick<Engine, 'query'>,
  current: () => { readonly domain: Domain; readonly definition: SubscriptionDefinition },
): RowReader {
  let rows: DeliveredRow[] = [];
  let bytes = 0;
  let through = 0;
  let range = smallestRange;
  let reading: Promise<readonly FaultyEvent[]> | undefined;
  let restarts = 0;

  const isFull = (): boolean => rows.length >= mostRows || bytes >= mostBytes;
  const readPage = async (end: number): Promise<readonly FaultyEvent[]> => {
    const began = restarts;
    const { domain, definition } = current();
    const until = Math.min(end, through + range);
    const page = await readRows(engine, domain, definition, { after: through, until });
    if (began !== restarts) return [];
    rows.push(...page.rows);
    bytes += page.rows.reduce((sum, row) => sum + bytesOf(row), 0);
    through = page.through;
    range = Math.min(largestRange, range * 2);
    return page.faulty;
  };
  return {
    rows: () => rows,
    through: () => through,
    isFull,
    readOn: (end) => {
      reading ??= readPage(end).finally(() => {
        reading = undefined;
      });
      return reading;
    },
    passed: (position) => {
      const left = rows.findIndex((row) => row.position > position);
      const gone = rows.splice(0, left < 0 ? rows.length : left);
      bytes -= gone.reduce((sum, row) => sum + bytesOf(row), 0);
    },
    restart: (position) => {
      restarts += 1;
      rows = [];
      bytes = 0;
      through = position;
      range = smallestRange;
    },
  };
}

function bytesOf({ values }: DeliveredRow): number {
  return values.reduce<number>((sum, value) => sum + valueBytes(value), 200);
}
