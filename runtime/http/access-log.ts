import type { Context, Middleware } from 'koa';
import type { Metrics } from './metrics/metrics.ts';
import type { HttpOptions } from './options.ts';
import { requestId } from './request-id.ts';
import type { RequestState } from './request-state.ts';

/**
 * Gives each request its id and, when its answer is over, one log line and its numbers. Paths are logged without their query
 * string; a denied or mutating call is marked with its subject.
 */
export function accessLog(options: HttpOptions, metrics: Metrics): Middleware {
  const { log, time } = options;
  return async (context, next) => {
    const state: RequestState = {
      requestId: requestId(context.get('X-Request-Id') || undefined, options.randomBytes),
      notes: {},
    };
    context.state = state;
    context.set('X-Request-Id', state.requestId);
    const start = time.monotonic();
    metrics.began();
    context.res.once('close', () => {
      const milliseconds = time.monotonic() - start;
      const complete = context.res.writableFinished;
      const line = {
        ...lineOf(context, state),
        ms: Math.round(milliseconds * 10) / 10,
        ...(complete ? {} : { cut: true }),
      };
      log.info(line, isAudited(context, state) ? 'audit' : 'request');
      metrics.ended({
        route: state.route?.name ?? 'none',
        method: knownMethods.includes(context.method) ? context.method : 'other',
        status: context.status,
        seconds: milliseconds / 1000,
        ...(typeof state.notes['outcome'] === 'string' ? { outcome: state.notes['outcome'] } : {}),
      });
    });
    await next();
  };
}

const knownMethods: readonly string[] = ['GET', 'HEAD', 'POST', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'];

function lineOf(context: Context, state: RequestState): Readonly<Record<string, unknown>> {
  return {
    request_id: state.requestId,
    method: context.method,
    path: context.path.slice(0, 512),
    route: state.route?.name,
    status: context.status,
    bytes: context.response.length,
    subject: state.caller?.subject,
    ...state.notes,
  };
}

/** What somebody who asks "who did that, who tried" must find. */
function isAudited(context: Context, state: RequestState): boolean {
  return context.status === 401 || context.status === 403 || state.route?.mutates === true;
}
