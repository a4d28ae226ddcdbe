import { pulled } from '../../operation/room/pulled.ts';
import type { Row } from '../../../runtime/store/store.ts';

/** Writes batches of rows as text: the text before them, each batch, and the text after the last. */
export interface TextForm {
  readonly head: string;
  readonly batch: (rows: readonly Row[], isFirst: boolean) => string;
  readonly tail: () => string;
}

/**
 * The text of rows as they are read, one piece per batch; a batch's rows are released once they are text (a generator would hold them while
 * it waits). If the source fails, so does the stream, before its end text.
 */
export function textStream(form: TextForm, batches: AsyncIterable<readonly Row[]>): AsyncIterableIterator<string> {
  const source = batches[Symbol.asyncIterator]();
  let before = form.head;
  let isFirst = true;
  let ended = false;
  return pulled(
    async () => {
      while (!ended) {
        const step = await source.next();
        if (step.done === true) {
          ended = true;
          return before + form.tail();
        }
        if (step.value.length === 0) continue;
        const piece = before + form.batch(step.value, isFirst);
        before = '';
        isFirst = false;
        return piece;
      }
      return undefined;
    },
    async () => {
      await source.return?.();
    },
  );
}
