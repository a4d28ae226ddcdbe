/** The read model in a thread of its own: hands requests to the core, and drains it when none is waiting. */
import { parentPort, workerData } from 'node:worker_threads';
import { systemRandom } from '../disk/node-disk.ts';
import { createCore } from './core.ts';
import type { Reply, Request } from './messages.ts';

const parent = parentPort;
if (parent === null) throw new Error('this is the read model of a store, to be run as its worker');
const { secret } = workerData as { readonly secret: string };

const core = await createCore({
  secret,
  random: systemRandom,
  reply: (reply: Reply) => {
    const image = reply.reply === 'done' ? imageOf(reply.result) : undefined;
    parent.postMessage(reply, image === undefined ? [] : [image]);
  },
});

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

/** What is big enough to be handed over instead of copied. */
function imageOf(result: unknown): ArrayBuffer | undefined {
  if (typeof result !== 'object' || result === null || !('image' in result)) return undefined;
  const { image } = result;
  return image instanceof Uint8Array && image.buffer instanceof ArrayBuffer ? image.buffer : undefined;
}
