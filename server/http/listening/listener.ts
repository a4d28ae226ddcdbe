import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Handle } from '../pipeline/one-at-a-time.ts';
import { createHttpServer, drain, idOf, listen, portOf, type ServerParts } from './http-server.ts';
import { Problem } from '../wire/problem.ts';
import { acceptsProblem, problemType, refusalOf, refusalText } from '../wire/refusal.ts';
import { askedHost, createHostCheck } from '../guard/hosts.ts';
import { checkRequestHead } from '../guard/request-head.ts';
import { securityHeaders } from '../guard/security-headers.ts';

/** A port that is open before the store is: until there is an application, only `/health` answers with success. */
export interface Listener {
  readonly host: string;
  /** The port that it listens on, even if 0 was requested. */
  readonly port: number;
  /** Every request that comes after this is answered by `handle`. */
  readonly serve: (handle: Handle) => void;
  /** Refuses new connections, lets running requests finish for at most this long, then cuts the rest. */
  readonly stop: (milliseconds: number) => Promise<void>;
}

/** Rejects with Node's own error (`code` EADDRINUSE and the like) when it cannot listen. */
export async function openListener(
  parts: ServerParts,
  { host, port }: { readonly host: string; readonly port: number },
  /** The work that the start waits for, as a clause. */
  starting: () => string | undefined = () => undefined,
): Promise<Listener> {
  let handle = answersWhileStarting(parts, starting);
  const { server, connections } = createHttpServer(
    parts,
    (request, response) => handle(request, response),
    'GET, HEAD, POST, OPTIONS',
  );
  await listen(server, port, host);
  return {
    host,
    port: portOf(server),
    serve: (application) => {
      handle = application;
    },
    stop: (milliseconds) => drain(server, connections, milliseconds),
  };
}

/**
 * The answers before the store is open: `/health` says that the process is running, every other request is refused with 503 and may be sent
 * again; both say what the start waits for, as `starting` has it. Needs none of the modules that take long to load.
 */
function answersWhileStarting(parts: ServerParts, starting: () => string | undefined): Handle {
  const { settings, log } = parts;
  const checkHost = createHostCheck(settings.allowedHosts);
  const check = (request: IncomingMessage): void => {
    checkRequestHead(request, settings.limits);
    checkHost(askedHost(request));
    const asksForHealth = request.url === '/health' && (request.method === 'GET' || request.method === 'HEAD');
    if (asksForHealth) return;
    const work = starting();
    throw new Problem('H5032', `the server is starting${work === undefined ? '' : `: ${work}`}`, {
      'Retry-After': '1',
    });
  };
  return (request, response) => {
    const id = idOf(request, parts);
    const { method, url = '' } = request;
    const status = answer(request, response, id, () => check(request), starting);
    log.info({ request_id: id, method, path: url.split('?', 1)[0]?.slice(0, 512), status }, 'request');
  };
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  id: string,
  check: () => void,
  starting: () => string | undefined,
): number {
  const common = { 'X-Request-Id': id, ...securityHeaders, 'Cache-Control': 'no-store' };
  const send = (status: number, type: string, text: string, headers: Readonly<Record<string, string>>): number => {
    const described = { 'Content-Type': `${type}; charset=utf-8`, 'Content-Length': Buffer.byteLength(text) };
    response.writeHead(status, { ...common, ...described, ...headers });
    response.end(request.method === 'HEAD' ? undefined : text);
    return status;
  };
  try {
    check();
  } catch (error) {
    const refusal = refusalOf(error, 'elsewhere');
    const asProblem = acceptsProblem(request.headers.accept);
    // Its body is not read, so the place of the next request is unknown.
    const headers = { ...refusal.headers, Connection: 'close' };
    return send(refusal.status, asProblem ? problemType : 'application/json', refusalText(refusal, asProblem), headers);
  }
  return send(200, 'application/json', `${JSON.stringify({ status: 'ok', starting: starting() })}\n`, {});
}
