import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';

const keeping = new WeakSet<Socket>();

/**
 * From now until its body has come, a request's time is not that of the server, which counts from its first byte: its reader limits the time of
 * each line instead, however many there are.
 */
export function keepOwnTime(request: IncomingMessage): void {
  const { socket } = request;
  keeping.add(socket);
  request.once('close', () => keeping.delete(socket));
}

export function keepsOwnTime(socket: Socket): boolean {
  return keeping.has(socket);
}

/** Whether the client waits for a `100 Continue` before it sends the body. */
export function expectsInvitation({ headers, httpVersionMinor }: IncomingMessage): boolean {
  return headers.expect !== undefined && httpVersionMinor >= 1 && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect);
}
