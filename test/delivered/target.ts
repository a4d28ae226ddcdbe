import { startReceiver, type Receiver } from '../webhook/receiver.ts';
import type { Push } from './world.ts';

/** A receiver of webhooks for runs, each of which has a path of its own. */
export interface Targets {
  readonly receiver: Receiver;
  readonly push: (path: string) => Push;
  readonly stop: () => Promise<void>;
}

export async function startTargets(): Promise<Targets> {
  const receiver = await startReceiver();
  const SECRET = `whsec_${Buffer.from('a'.repeat(32)).toString('base64')}`;
  return {
    receiver,
    push: (path) => ({ host: `127.0.0.1:${receiver.port}`, environment: { RECEIVER: receiver.url(path), SECRET } }),
    stop: receiver.stop,
  };
}
