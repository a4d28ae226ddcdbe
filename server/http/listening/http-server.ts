/**
 * Node's HTTP server with this server's limits of connections, time and size, which Node itself enforces, and a stop that lets running requests
 * finish. Which requests are answered how is not decided here.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { connectionTaken } from '../../operation/room/loop-turns.ts';
import type { HttpOptions } from '../options.ts';
import { oneAtATime, type Handle } from '../pipeline/one-at-a-time.ts';
import { keepsOwnTime } from '../pipeline/own-time.ts';
import { requestId } from '../pipeline/request-id.ts';
import { answerClientError, endWithError, type ClientError } from './client-error.ts';
import { cutStalled, trackConnections, type Connections } from './connections.ts';
import { paceReading } from './paced-reading.ts';

export type ServerParts = Pick<HttpOptions, 'settings' | 'log' | 'randomBytes'>;

/** `methods` are those that any path accepts, named when a request has no path. */
export function createHttpServer(
  options: ServerParts,
  handle: Handle,
  methods: string,
): { server: Server; connections: Connections } {
  const { limits } = options.settings;
  const lines = oneAtATime(handle, {
    // Not inside the parser, which calls these.
    waits: (socket) => queueMicrotask(() => paced.pace(socket)),
    sentAhead: () => queueMicrotask(() => paced.begin()),
    answered: (socket) => paced.answered(socket),
    isPaced: (socket) => paced.isPaced(socket),
  });
  const server = createServer(
    {
      // Above the sum of the limits of URL and headers, so that our own checks can tell which was too large.
      maxHeaderSize: limits.urlBytes + 2 * limits.headerBytes,
      headersTimeout: limits.headerMilliseconds,
      requestTimeout: limits.requestMilliseconds,
      keepAliveTimeout: limits.idleMilliseconds,
      connectionsCheckingInterval: 1_000,
      // Our own check answers in the form of every other error.
      requireHostHeader: false,
    },
    lines.handle,
  );
  // Their total size is limited. Past a count Node would silently drop the rest.
  server.maxHeadersCount = 0;
  server.maxConnections = limits.connections;
  server.on('clientError', (error: ClientError, socket: Socket) => {
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && keepsOwnTime(socket)) return;
    const answer = (): void => {
      const id = requestId(undefined, options.randomBytes);
      const status = answerClientError(error, socket, limits, id);
      if (status !== undefined) options.log.info({ request_id: id, status, code: error.code }, 'malformed request');
    };
    // Complete requests that came earlier are answered first; a lost connection is released at once.
    if (error.code === 'ECONNRESET') answer();
    else lines.afterWhole(socket, answer);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    lines.afterWhole(socket, () =>
      endWithError(socket, 'H4051', 'CONNECT is not allowed', idOf(request, options), { Allow: methods }),
    );
  });
  // An expectation other than 100-continue may be ignored; the request itself is then answered.
  server.on('checkExpectation', lines.handle);
  // 100-continue is answered when the body is read, after the request is checked.
  server.on('checkContinue', lines.handle);
  server.on('connection', connectionTaken);
  const paced = paceReading(server, lines.wantedBy);
  const connections = trackConnections(server);
  cutStalled(server, connections, limits.stallMilliseconds);
  return { server, connections };
}

/** The request's id, before anything else is known of it. */
export function idOf({ headers }: IncomingMessage, { randomBytes }: ServerParts): string {
  const sent = headers['x-request-id'];
  return requestId(typeof sent === 'string' ? sent : undefined, randomBytes);
}

/** Connections that the system keeps until they are taken. One more would try again only after a second. The system may allow fewer. */
const backlog = 4_096;

/** Rejects with Node's own error (`code` EADDRINUSE and the like) when it cannot listen. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** The port that it listens on, even if 0 was requested. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('an HTTP server listens on a port');
  return address.port;
}

/** The part of that time in which idle connections wait for a request that is already on its way. */
const partForIdle = 1 / 40;

/**
 * Refuses new connections at once; busy ones close after their answer, which announces it, and the rest when time is up. Idle ones stay
 * briefly: their peer may already have sent a request, and learns from the answer that it was the last.
 */
export async function drain(server: Server, connections: Connections, milliseconds: number): Promise<void> {
  connections.announceClose();
  // The HTTP server's own `close` cuts idle connections, even with a request on its way.
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  let idle: NodeJS.Timeout | undefined;
  const moment = setTimeout(() => {
    connections.closeIdle();
    idle = setInterval(connections.closeIdle, 50);
  }, milliseconds * partForIdle);
  const cut = setTimeout(() => server.closeAllConnections(), milliseconds);
  await closed;
  clearTimeout(moment);
  clearInterval(idle);
  clearTimeout(cut);
  // Releases the timer that looks for late requests; nothing is left to close.
  server.close(() => undefined);
}
