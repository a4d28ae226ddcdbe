import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../answers/problem.ts';
import { acceptsProblem, problemType, refusalOf, refusalText } from '../answers/refusal.ts';
import { askedHost, createHostCheck } from '../guard/hosts.ts';
import { checkRequestHead } from '../guard/request-head.ts';
import { securityHeaders } from '../guard/security-headers.ts';
import type { Handle } from '../pipeline/one-at-a-time.ts';
import { idOf, type ServerParts } from './http-server.ts';

/**
 * The answers before the store is open: `/health` says that the process is running, every other request is refused with 503 and may be sent
 * again; both say what the start waits for, as `starting` has it. Needs none of the modules that take long to load.
 */
export function answersWhileStarting(parts: ServerParts, starting: () => string | undefined): Handle {
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
