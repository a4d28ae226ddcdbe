import { settledBatches, type Batch, type JournalEnd } from '../journal.ts';

/**
 * The end of a log that only this process appends to, one batch after the other, and the outcome of the newest batches.
 */
export interface BatchEnds {
  readonly end: () => JournalEnd;
  /** Whether the batch follows the end. */
  readonly isNext: (batch: Batch) => boolean;
  /** Records a durable batch, which is the end now. */
  readonly keep: (batch: Batch) => void;
  readonly settle: (batch: string) => 'kept' | 'never';
}

export function createBatchEnds(start: JournalEnd): BatchEnds {
  let end = start;
  let fences = 0;
  const kept: string[] = [];
  return {
    end: () => end,
    isNext: ({ after }) => after.entry === end.entry && after.batch === end.batch,
    keep: ({ id, lines }) => {
      end = { entry: end.entry + lines.length, batch: id };
      kept.push(id);
      if (kept.length > settledBatches) kept.shift();
    },
    settle: (batch) => {
      if (kept.includes(batch)) return 'kept';
      fences += 1;
      end = { entry: end.entry, batch: `fence ${fences} after ${end.batch.replace(/^fence \d+ after /, '')}` };
      return 'never';
    },
  };
}
