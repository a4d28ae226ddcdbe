/** The read model in a thread of its own: passes requests to the core, and drains it when none is waiting. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ColumnBatch } from '../../../../language/contract/column-bytes.ts';
import { systemRandom } from '../../disk/node-disk.ts';
import { stepBack } from '../../disk/step-back.ts';
import { createCore } from '../core/core.ts';
import { createReaderCore } from '../core/reader-core.ts';
import type { Reply, Request } from './messages.ts';
import type { WorkerData } from './port.ts';

const parent = parentPort;
if (parent === null) throw new Error('this is the read model of a store, to be run as its worker');
const { secret, background, role, file } = workerData as WorkerData;
if (background) stepBack();

const options = {
  random: systemRandom,
  reply: (reply: Reply): void => {
    parent.postMessage(reply, reply.reply === 'done' ? buffersOf(reply.result) : []);
  },
};
const core =
  role === 'reader' && file !== undefined
    ? await createReaderCore({ ...options, file })
    : await createCore({ ...options, secret, ...(file !== undefined && { file }) });

let draining = false;
parent.on('message', (request: Request) => {
  core.handle(request);
  if (request.do !== 'apply' || draining) return;
  draining = true;
  setImmediate(() => {
    draining = false;
    core.drain();
  });
});
parent.postMessage('ready');

/** Buffers large enough to be transferred instead of copied. */
function buffersOf(result: unknown): readonly ArrayBuffer[] {
  if (typeof result !== 'object' || result === null) return [];
  const { image, columns } = result as { readonly image?: Uint8Array; readonly columns?: ColumnBatch['columns'] };
  // The columns of a batch share one buffer.
  const { buffer } = image ?? columns?.[0]?.present ?? {};
  return buffer instanceof ArrayBuffer ? [buffer] : [];
}
