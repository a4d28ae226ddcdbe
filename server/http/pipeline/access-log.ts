import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { securityHeadersOf } from '../guard/security-headers.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { HttpOptions } from '../options.ts';
import { targetOf } from '../request/target.ts';
import { requestId } from './request-id.ts';
import type { RequestState } from './request-state.ts';

/**
 * Gives each request its state and, when its answer ends, writes one log line and updates the metrics. Paths are logged without their query
 * string; a denied or mutating call is logged with its subject.
 */
export function accessLog(options: HttpOptions, metrics: Metrics): (context: Context) => RequestState {
  const { log, time } = options;
  return (context) => {
    const { req, res } = context;
    const sent = req.headers['x-request-id'];
    const id = requestId(typeof sent === 'string' ? sent : undefined, options.randomBytes);
    const target = targetOf(req.url ?? '');
    const state: RequestState = { requestId: id, target, headers: { 'X-Request-Id': id }, logFields: {} };
    context.state = state;
    const start = time.monotonic();
    metrics.began();
    res.on('close', () => {
      state.lease?.release();
      state.whenClosed?.(res.writableFinished);
      const milliseconds = time.monotonic() - start;
      const status = res.headersSent ? res.statusCode : hungUp;
      log.info(lineOf(context, state, status, milliseconds), isAudited(status, state) ? 'audit' : 'request');
      const { outcome } = state.logFields;
      const { method = '' } = req;
      metrics.ended({
        route: state.route?.name ?? 'none',
        method: knownMethods.includes(method) ? method : 'other',
        status,
        seconds: milliseconds / 1000,
        outcome: typeof outcome === 'string' ? outcome : undefined,
      });
    });
    return state;
  };
}

/** Gives an answer that is left to Koa its headers. */
export function completeHead(context: Context, state: RequestState): void {
  if (context.respond === false) return;
  if (context.writable) context.set({ ...securityHeadersOf(state.isPage === true), ...state.headers });
  // Koa would end the answer to a lost connection, and it would count as complete.
  else {
    context.respond = false;
    if (context.body instanceof Readable) context.body.destroy();
  }
}

/** Logged if the caller hung up before the answer, as nginx does. */
const hungUp = 499;
const knownMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'];

function lineOf(
  context: Context,
  state: RequestState,
  status: number,
  milliseconds: number,
): Readonly<Record<string, unknown>> {
  const { req, res } = context;
  const line: Record<string, unknown> = {
    request_id: state.requestId,
    method: req.method,
    path: state.target.path.slice(0, 512),
    route: state.route?.name,
    status,
    bytes: state.bytes ?? context.response.length,
    subject: state.caller?.subject ?? undefined,
  };
  for (const name in state.logFields) line[name] = state.logFields[name];
  line['ms'] = Math.round(milliseconds * 10) / 10;
  if (!res.headersSent || !res.writableFinished) line['cut'] = true;
  return line;
}

/** Whether an audit ("who did that, who tried") must find the request. */
function isAudited(status: number, state: RequestState): boolean {
  const { denied, recorded } = state.logFields;
  const writes = state.route?.mutates === true || recorded !== undefined;
  return status === 401 || status === 403 || denied !== undefined || writes;
}
