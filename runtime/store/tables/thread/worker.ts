/** The read model in a thread of its own: passes requests to the core, and drains it when none is waiting. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemRandom } from '../../disk/node-disk.ts';
import { lowerPriority } from '../../disk/lower-priority.ts';
import { createCore, type ReadModelCore } from './core.ts';
import { createReaderCore } from './reader-core.ts';
import { sqliteMemory } from '../core/sqlite.ts';
import type { Reply, Request } from '../core/messages.ts';
import type { WorkerData } from './port.ts';
import { createProgress } from './progress.ts';
import type { ThreadOrder, ThreadState } from './resting-thread.ts';
import type { ColumnBatch } from '../../../../language/contract/column-bytes.ts';

const parent = parentPort;
if (parent === null) throw new Error('this is the read model of a store, to be run as its worker');
const { background, role, file, ...first } = workerData as WorkerData;
if (background) lowerPriority();
let progress = createProgress(first.progress);
const replies = createReplies((gathered, buffers) => parent.postMessage(gathered, buffers));

const options = {
  random: systemRandom,
  reply: replies.add,
  begun: (id: number): (() => boolean) => progress.begun(id),
};
const create = (secret: string): Promise<ReadModelCore> =>
  role === 'reader' && file !== undefined
    ? createReaderCore({ ...options, file })
    : createCore({ ...options, secret, ...(file !== undefined && { file }) });
const say = (state: ThreadState): void => parent.postMessage(state);

let core: ReadModelCore | undefined = role === 'resting' ? undefined : await create(first.secret);
const memory = await sqliteMemory();
let memoryAtFirst = core === undefined ? undefined : memory();

const takeOrder = (order: ThreadOrder): void => {
  if (order.do === 'rest') {
    core?.close();
    core = undefined;
    replies.send();
    say(memory() > (memoryAtFirst ?? 0) ? 'too large' : 'resting');
    return;
  }
  progress = createProgress(order.progress);
  void create(order.secret).then((next) => {
    core = next;
    memoryAtFirst ??= memory();
    say('ready');
  });
};

let draining = false;
const drainSoon = (): void => {
  if (draining) return;
  draining = true;
  setImmediate(() => {
    draining = false;
    core?.drain();
    replies.send();
  });
};

parent.on('message', (message: readonly Request[] | ThreadOrder) => {
  if ('do' in message) {
    takeOrder(message);
    return;
  }
  for (const request of message) {
    const mayTakeLong = !isShort(request);
    if (mayTakeLong) replies.send();
    const quick = isQuick(request);
    if (quick && request.slow !== undefined && request.slow !== progress.slow())
      replies.add({ reply: 'given back', id: request.id });
    else core?.handle(request);
    progress.ended(quick);
    // Mostly a command waits for it, and all other commands for that one.
    if (mayTakeLong) replies.send();
    if (request.do === 'apply') drainSoon();
  }
  replies.send();
});
if (core !== undefined) say('ready');

/** Whether replies before this request can wait until it is answered. */
function isShort(request: Request): boolean {
  return isQuick(request) || request.do === 'apply' || request.do === 'forget' || request.do === 'confirm';
}

function isQuick(request: Request): request is Extract<Request, { do: 'query' }> {
  return request.do === 'query' && request.limits.quick === true;
}

/** Replies that leave a thread together: each message would wake the other thread by itself. */
interface Replies {
  readonly add: (reply: Reply) => void;
  /** Sends the replies that were added since. */
  readonly send: () => void;
}

/** `post` gets the replies in order, and the buffers in them that are transferred instead of copied. */
function createReplies(post: (replies: readonly Reply[], buffers: readonly ArrayBuffer[]) => void): Replies {
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
