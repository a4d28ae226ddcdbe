/** The read model in a thread of its own: passes requests to the core, and drains it when none is waiting. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ColumnBatch } from '../../../../language/contract/column-bytes.ts';
import { systemRandom } from '../../disk/node-disk.ts';
import { stepBack } from '../../disk/step-back.ts';
import { createCore, type ReadModelCore } from '../core/core.ts';
import { createReaderCore } from '../core/reader-core.ts';
import { sqliteMemory } from '../core/sqlite.ts';
import type { Reply, Request } from './messages.ts';
import type { WorkerData } from './port.ts';
import type { ThreadOrder, ThreadState } from './resting-thread.ts';

const parent = parentPort;
if (parent === null) throw new Error('this is the read model of a store, to be run as its worker');
const { background, role, file, ...first } = workerData as WorkerData;
if (background) stepBack();

const options = {
  random: systemRandom,
  reply: (reply: Reply): void => {
    parent.postMessage(reply, reply.reply === 'done' ? buffersOf(reply.result) : []);
  },
};
const create = (secret: string): Promise<ReadModelCore> =>
  role === 'reader' && file !== undefined
    ? createReaderCore({ ...options, file })
    : createCore({ ...options, secret, ...(file !== undefined && { file }) });
const say = (state: ThreadState): void => parent.postMessage(state);

let core: ReadModelCore | undefined = await create(first.secret);
const memory = await sqliteMemory();
const memoryAtFirst = memory();

let draining = false;
parent.on('message', (request: Request | ThreadOrder) => {
  if (request.do === 'rest') {
    core?.close();
    core = undefined;
    say(memory() > memoryAtFirst ? 'too large' : 'resting');
    return;
  }
  if (request.do === 'begin') {
    void create(request.secret).then((next) => {
      core = next;
      say('ready');
    });
    return;
  }
  core?.handle(request);
  if (request.do !== 'apply' || draining) return;
  draining = true;
  setImmediate(() => {
    draining = false;
    core?.drain();
  });
});
say('ready');

/** Buffers large enough to be transferred instead of copied. */
function buffersOf(result: unknown): readonly ArrayBuffer[] {
  if (typeof result !== 'object' || result === null) return [];
  const { image, columns } = result as { readonly image?: Uint8Array; readonly columns?: ColumnBatch['columns'] };
  // The columns of a batch share one buffer.
  const { buffer } = image ?? columns?.[0]?.present ?? {};
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}
