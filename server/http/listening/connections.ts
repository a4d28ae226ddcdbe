import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** A server's connections by activity. Node's own list of idle connections omits those that never sent a request. */
export interface Connections {
  /** Requests that this connection's peer waits for. */
  readonly underWay: (socket: Socket) => number;
  /** From now on every answer whose head is not yet sent announces that its connection closes, so that no peer sends another request on it. */
  readonly announceClose: () => void;
  readonly closeIdle: () => void;
}

export function trackConnections(server: Server): Connections {
  const open = new Map<Socket, Set<ServerResponse>>();
  let closing = false;
  server.on('connection', (socket: Socket) => {
    open.set(socket, new Set());
    socket.once('close', () => open.delete(socket));
  });
  const begin = ({ socket }: IncomingMessage, response: ServerResponse): void => {
    if (closing) response.shouldKeepAlive = false;
    const answers = open.get(socket);
    answers?.add(response);
    response.on('close', () => answers?.delete(response));
  };
  // Before the request handler, which may answer at once.
  server.prependListener('request', begin);
  server.prependListener('checkExpectation', begin);
  server.prependListener('checkContinue', begin);
  return {
    underWay: (socket) => open.get(socket)?.size ?? 0,
    announceClose: () => {
      closing = true;
      for (const answers of open.values()) for (const response of answers) response.shouldKeepAlive = false;
    },
    closeIdle: () => {
      for (const [socket, answers] of open) if (answers.size === 0) socket.destroySoon();
    },
  };
}

/**
 * Cuts connections whose peer has read no byte of an answer for this long. Node's own socket timeout does not fire while bytes move, so a
 * timeout with bytes waiting is a stall; without, the answer is still being computed.
 */
export function cutStalled(server: Server, connections: Connections, milliseconds: number): void {
  server.setTimeout(milliseconds, (socket: Socket) => {
    const computing = socket.writableLength === 0 && connections.underWay(socket) > 0;
    if (computing) socket.setTimeout(milliseconds);
    else socket.destroy();
  });
}
