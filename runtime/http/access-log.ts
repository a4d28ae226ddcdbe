import type { Context, Middleware } from 'koa';
import { securityHeaders } from './guard/security-headers.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { HttpOptions } from './options.ts';
import { requestId } from './request-id.ts';
import type { RequestState } from './request-state.ts';

/**
 * Gives each request its state and, when its answer is over, one log line and its numbers. Paths are logged without their query
 * string; a denied or mutating call is marked with its subject. What the layers below left to Koa goes out with their headers.
 */
export function accessLog(options: HttpOptions, metrics: Metrics): Middleware {
  const { log, time } = options;
  return async (context, next) => {
    const sent = context.req.headers['x-request-id'];
    const id = requestId(typeof sent === 'string' ? sent : undefined, options.randomBytes);
    const state: RequestState = { requestId: id, headers: new Map([['X-Request-Id', id]]), notes: {} };
    context.state = state;
    const start = time.monotonic();
    metrics.began();
    context.res.once('close', () => {
      const milliseconds = time.monotonic() - start;
      log.info(lineOf(context, state, milliseconds), isAudited(context, state) ? 'audit' : 'request');
      const { outcome } = state.notes;
      metrics.ended({
        route: state.route?.name ?? 'none',
        method: knownMethods.includes(context.method) ? context.method : 'other',
        status: context.status,
        seconds: milliseconds / 1000,
        outcome: typeof outcome === 'string' ? outcome : undefined,
      });
    });
    await next();
    if (context.respond !== false) context.set({ ...securityHeaders, ...Object.fromEntries(state.headers) });
  };
}

const knownMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'];

function lineOf(context: Context, state: RequestState, milliseconds: number): Readonly<Record<string, unknown>> {
  const line: Record<string, unknown> = {
    request_id: state.requestId,
    method: context.method,
    path: context.path.slice(0, 512),
    route: state.route?.name,
    status: context.status,
    bytes: state.bytes ?? context.response.length,
    subject: state.caller?.subject,
  };
  for (const name in state.notes) line[name] = state.notes[name];
  line['ms'] = Math.round(milliseconds * 10) / 10;
  if (!context.res.writableFinished) line['cut'] = true;
  return line;
}

/** What somebody who asks "who did that, who tried" must find. */
function isAudited(context: Context, state: RequestState): boolean {
  return context.status === 401 || context.status === 403 || state.route?.mutates === true;
}
