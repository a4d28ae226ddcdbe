import type { Context } from 'koa';
import { Failure } from '../../../language/failure/failure.ts';
import type { Soon } from '../../../language/failure/soon.ts';
import { RightMissing } from '../../operation/allow.ts';
import { TextRefused } from '../../operation/text-refused.ts';
import { Busy, HungUp } from '../../operation/room/busy.ts';
import { Unauthenticated } from '../auth/authenticate.ts';
import { acceptsProblem, problemType, refusalOf, refusalText } from '../wire/refusal.ts';
import { setHeaders, type RequestState } from './request-state.ts';
import { sendWhole } from './send.ts';

/** The only place that turns a thrown error into an answer, without details of internal faults. */
export function errorAnswers(
  log: (state: RequestState, error: unknown) => void,
): (context: Context, state: RequestState, error: unknown) => Soon<void> {
  return (context, state, error) => {
    // The result it was about to hold will not be held.
    state.lease?.holds(0);
    if (error instanceof HungUp) {
      context.respond = false;
      return undefined;
    }
    if (error instanceof RightMissing) state.logFields['denied'] = error.right;
    if (error instanceof TextRefused && error.denied !== undefined) state.logFields['denied'] = error.denied;
    if (error instanceof Unauthenticated) state.logFields['reason'] = error.reason;
    const refusal = refusalOf(error, state.route?.body === 'query' ? 'console' : 'elsewhere');
    // Headers prepared for the failed answer must not be sent with the error.
    delete state.headers['ETag'];
    state.isPage = false;
    state.headers['Cache-Control'] = 'no-store';
    setHeaders(state, refusal.headers);
    if (state.closesOnError === true) state.headers['Connection'] = 'close';
    if (refusal.status >= 500 && !isBusy(error)) log(state, error);
    const asProblem = acceptsProblem(context.req.headers.accept) && !tooLargeToRead.includes(refusal.status);
    const type = asProblem ? problemType : 'application/json';
    return sendWhole(context, refusal.status, type, refusalText(refusal, asProblem));
  };
}

/** Nothing is read of a URL or headers that are too large, whether the parser of HTTP notices it or this server. */
const tooLargeToRead: readonly number[] = [414, 431];

const busyCodes: readonly string[] = ['R0401', 'R0413', 'R0414'];

/** A refusal because of load, or while the log is away or the read model is built, is not a fault of the program, and comes by the thousand. */
function isBusy(error: unknown): boolean {
  return error instanceof Busy || (error instanceof Failure && busyCodes.includes(error.code));
}
