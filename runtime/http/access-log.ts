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
    const id = requestId(context.get('X-Request-Id') || undefined, options.randomBytes);
    const state: RequestState = {
      requestId: id,
      headers: { 'X-Request-Id': id, ...securityHeaders },
      notes: {},
    };
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
        ...(typeof outcome === 'string' ? { outcome } : {}),
      });
    });
    await next();
    if (context.respond !== false) context.set(state.headers);
  };
}

const knownMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'];

function lineOf(context: Context, state: RequestState, milliseconds: number): Readonly<Record<string, unknown>> {
  return {
    request_id: state.requestId,
    method: context.method,
    path: context.path.slice(0, 512),
    route: state.route?.name,
    status: context.status,
    bytes: state.bytes ?? context.response.length,
    subject: state.caller?.subject,
    ...state.notes,
    ms: Math.round(milliseconds * 10) / 10,
    ...(context.res.writableFinished ? {} : { cut: true }),
  };
}

/** What somebody who asks "who did that, who tried" must find. */
function isAudited(context: Context, state: RequestState): boolean {
  return context.status === 401 || context.status === 403 || state.route?.mutates === true;
}
