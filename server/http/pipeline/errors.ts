import type { Middleware } from 'koa';
import { failures } from '../../../language/failure/catalogue.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { Busy, HungUp, Problem } from '../answers/problem.ts';
import { statusOfFailure } from '../answers/status-of-failure.ts';
import { setHeaders, type RequestState } from './request-state.ts';
import { sendWhole } from './send.ts';
import { withoutPaths } from '../answers/without-paths.ts';

/** The only place that turns a thrown error into an answer: exactly `{"error": "…"}`, without details of internal faults. */
export function errorLayer(log: (state: RequestState, error: unknown) => void): Middleware {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      const state = context.state as RequestState;
      // The result it was about to hold will not be held.
      state.lease?.holds(0);
      if (error instanceof HungUp) {
        context.respond = false;
        return;
      }
      const problem = problemOf(error, state);
      // Headers prepared for the failed answer must not be sent with the error.
      state.headers.delete('ETag');
      state.headers.set('Cache-Control', 'no-store');
      setHeaders(state, problem.headers);
      if (problem.status >= 500 && !isBusy(error)) log(state, error);
      await sendWhole(context, problem.status, 'application/json', `${JSON.stringify({ error: problem.message })}\n`);
    }
  };
}

/** A refusal because of load, or while the log is away, is not a fault of the program, and comes by the thousand. */
function isBusy(error: unknown): boolean {
  return error instanceof Busy || (error instanceof Failure && (error.code === 'R0401' || error.code === 'R0413'));
}

function problemOf(error: unknown, state: RequestState): Problem {
  if (error instanceof Problem) return error;
  if (isShortage(error)) return new Problem(503, shortage, { 'Retry-After': '1' });
  if (!(error instanceof Failure)) return new Problem(500, 'internal error');
  const { kind } = failures[error.code];
  const status = statusOfFailure(kind, state.route?.body === 'query' ? 'console' : 'elsewhere');
  const message = kind === 'store' ? withoutPaths(error.message) : error.message;
  return new Problem(status, message, kind === 'busy' ? { 'Retry-After': '1' } : {});
}

const shortage = 'too many files and connections are open now; try again';

/** A file, a connection or a thread that the system refused; a moment later it may succeed. */
function isShortage(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof Failure) return false;
  return ['EMFILE', 'ENFILE', 'ERR_WORKER_INIT_FAILED'].includes((error as NodeJS.ErrnoException).code ?? '');
}
