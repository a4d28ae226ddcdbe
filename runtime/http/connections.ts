import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** A server's connections by what they are doing. Node's own idea of an idle one leaves out those that never asked for anything. */
export interface Connections {
  /** Requests that this connection's peer waits for. */
  readonly underWay: (socket: Socket) => number;
  readonly closeIdle: () => void;
}

export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, number>();
  const change = (socket: Socket, by: number): void => {
    const count = open.get(socket);
    if (count !== undefined) open.set(socket, count + by);
  };
  server.on('connection', (socket: Socket) => {
    open.set(socket, 0);
    socket.once('close', () => open.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    change(socket, 1);
    response.once('close', () => change(socket, -1));
  });
  return {
    underWay: (socket) => open.get(socket) ?? 0,
    closeIdle: () => {
      for (const [socket, count] of open) if (count === 0) socket.destroySoon();
    },
  };
}

/**
 * Cuts connections whose peer has taken no byte of an answer for so long. Node's own socket timeout does not fire while bytes
 * move, so one that fires with bytes waiting is a stall; with none waiting, the answer is still being computed.
 */
export function cutStalled(server: Server, connections: Connections, milliseconds: number): void {
  server.setTimeout(milliseconds, (socket: Socket) => {
    const computing = socket.writableLength === 0 && connections.underWay(socket) > 0;
    if (computing) socket.setTimeout(milliseconds);
    else socket.destroy();
  });
}
