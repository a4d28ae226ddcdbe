import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Cuts connections whose peer has taken no byte of an answer for so long. Node's own socket timeout does not fire while bytes
 * move, so one that fires with bytes waiting is a stall; with none waiting, the answer is still being computed.
 */
export function createStallGuard(server: Server, milliseconds: number): void {
  const underWay = new WeakMap<Socket, number>();
  server.on('request', (request, response) => {
    const { socket } = request;
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.once('close', () => underWay.set(socket, (underWay.get(socket) ?? 1) - 1));
  });
  server.setTimeout(milliseconds, (socket: Socket) => {
    const computing = socket.writableLength === 0 && (underWay.get(socket) ?? 0) > 0;
    if (computing) socket.setTimeout(milliseconds);
    else socket.destroy();
  });
}
