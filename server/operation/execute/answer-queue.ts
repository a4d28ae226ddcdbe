import { rowBytes } from '../../../language/values/value-bytes.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { Busy } from '../room/busy.ts';
import type { Lease } from '../room/held-results.ts';

/** Bytes of answer, as values, that wait for the caller before reading stops. */
const mostWaiting = 8 * 1024 * 1024;
/** The lease is changed in steps of this number of bytes. */
const chargedStep = 128 * 1024;
/** Rows of one piece of the answer. */
const pieceRows = 1024;

/** A line in the order of answers; its rows, once it has them. */
export interface Place {
  rows: readonly Row[] | undefined;
}

/** The rows of lines in the order of the lines, however their commands end. They are charged to the lease until they are taken. */
export interface AnswerQueue {
  /** The next line. */
  readonly reserve: (place: Place) => void;
  /** The rows of a line. They are ready once all lines before it have theirs. */
  readonly put: (place: Place, rows: readonly Row[]) => void;
  /** The next rows, if some are ready. */
  readonly take: () => readonly Row[] | undefined;
  readonly hasReady: () => boolean;
  /** No line waits for its rows. */
  readonly isEmpty: () => boolean;
  /** False while the unsent answers are so large, or the rest of the results' budget is so small, that no line may begin. */
  readonly hasRoom: () => boolean;
}

/** `moved` is called when rows get ready or are taken. */
export function createAnswerQueue(lease: Pick<Lease, 'holds'>, moved: () => void): AnswerQueue {
  let order: Place[] = [];
  /** Places of `order` that are answered: removing each by itself would copy all others. */
  let gone = 0;
  let ready: Row[] = [];
  let readyBytes = 0;
  let charged = 0;
  let isRefused = false;

  const charge = (): void => {
    if (readyBytes > 0 && Math.abs(readyBytes - charged) < chargedStep) return;
    charged = readyBytes;
    try {
      lease.holds(readyBytes);
      isRefused = false;
    } catch (error) {
      if (!(error instanceof Busy)) throw error;
      isRefused = true;
    }
  };

  return {
    reserve: (place) => {
      order.push(place);
    },
    put: (place, rows) => {
      place.rows = rows;
      const before = gone;
      for (let known = order[gone]?.rows; known !== undefined; known = order[gone]?.rows) {
        gone += 1;
        for (const row of known) {
          ready.push(row);
          readyBytes += rowBytes(row);
        }
      }
      if (gone === before) return;
      if (gone * 2 >= order.length) {
        order = order.slice(gone);
        gone = 0;
      }
      charge();
      moved();
    },
    take: () => {
      if (ready.length === 0) return undefined;
      const piece = ready.slice(0, pieceRows);
      ready = ready.slice(pieceRows);
      readyBytes = ready.length === 0 ? 0 : readyBytes - piece.reduce((bytes, row) => bytes + rowBytes(row), 0);
      charge();
      moved();
      return piece;
    },
    hasReady: () => ready.length > 0,
    isEmpty: () => order.length === gone,
    hasRoom: () => readyBytes < mostWaiting && (!isRefused || readyBytes === 0),
  };
}
