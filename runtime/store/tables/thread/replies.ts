import type { ColumnBatch } from '../../../../language/contract/column-bytes.ts';
import type { Reply } from '../core/messages.ts';

/** Replies that leave a thread together: each message would wake the other thread by itself. */
export interface Replies {
  readonly add: (reply: Reply) => void;
  /** Sends the replies that were added since. */
  readonly send: () => void;
}

/** `post` gets the replies in order, and the buffers in them that are transferred instead of copied. */
export function createReplies(post: (replies: readonly Reply[], buffers: readonly ArrayBuffer[]) => void): Replies {
  let replies: Reply[] = [];
  const send = (): void => {
    if (replies.length === 0) return;
    const sent = replies;
    replies = [];
    post(
      sent,
      sent.flatMap((reply) => (reply.reply === 'done' ? buffersOf(reply.result) : [])),
    );
  };
  return {
    add: (reply) => {
      replies.push(reply);
      // The other thread can work on the first rows of a long answer, or find out that nothing more comes. A file is settled by a timer, after
      // which no request may come for long.
      if (reply.reply === 'rows' || reply.reply === 'broken' || reply.reply === 'settled') send();
    },
    send,
  };
}

/** Buffers large enough to be transferred instead of copied. */
function buffersOf(result: unknown): readonly ArrayBuffer[] {
  if (typeof result !== 'object' || result === null) return [];
  const { image, columns } = result as { readonly image?: Uint8Array; readonly columns?: ColumnBatch['columns'] };
  // The columns of a batch share one buffer.
  const { buffer } = image ?? columns?.[0]?.present ?? {};
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}
