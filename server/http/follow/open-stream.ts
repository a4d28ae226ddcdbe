import type { Fault } from '../../../language/failure/faults.ts';
import { sentenceOf } from '../../../language/failure/faults.ts';
import { follow } from '../../operation/follow/follow.ts';
import type { EventSource } from '../../operation/follow/source.ts';
import { Problem } from '../wire/problem.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import type { Answer, Call, Route } from '../route.ts';
import { preferred } from '../wire/accept.ts';
import { prefersCount } from '../request/prefer.ts';
import { parseQueryString } from '../request/query-string.ts';
import { quoted } from '../request/quoted.ts';
import {
  arrowStreamType,
  eventStreamType,
  followedArrowForm,
  followedLines,
  linesType,
  serverSentEvents,
  type FollowedForm,
} from './followed-form.ts';

/** Seconds without an event until a mark is sent, if the request does not say. */
const usualHeartbeat = 15;

/** Whether a request asks for a stream: by its parameter, or by the form that only a stream has. */
export function asksToFollow(route: Route, accept: string | undefined, querystring: string): boolean {
  if (!route.query.includes('follow')) return false;
  const given = parseQueryString(querystring).find(({ name }) => name === 'follow');
  if (given !== undefined) return given.value === 'true';
  const others = ['application/vnd.apache.arrow.stream', 'application/json', 'text/csv', 'text/html'];
  return preferred(accept, [...others, eventStreamType], [eventStreamType]) === eventStreamType;
}

/** The form of a stream; 406 when `Accept` names none. */
export function formOf(call: Pick<Call, 'options'>, accept: string | undefined, names: boolean): FollowedForm {
  const offers = [arrowStreamType, eventStreamType, linesType];
  switch (preferred(accept, offers)) {
    case arrowStreamType:
      return followedArrowForm(call.options.arrow.followed);
    case eventStreamType:
      return serverSentEvents(names);
    case linesType:
      return followedLines;
    default:
      throw new Problem('H4061', `events are followed as ${offers.join(', ')}; Accept names none of them`);
  }
}

/** Refuses parameters that only a read with an end has, or only a stream. */
export function checkStreamParameters(parameters: ReadParameters, call: Pick<Call, 'header'>, follows: boolean): void {
  const faults: Fault[] = [];
  const refuse = (field: string, message: string): void => void faults.push({ field, message });
  if (follows) {
    if (parameters.offset !== undefined) refuse('offset', 'a stream has no offset; it begins after a position');
    if (parameters.order.length > 0) refuse('order', 'a stream is in the order of the log');
    if (parameters.select?.includes('global_position') === false)
      refuse('select', 'a stream needs the column global_position, by which it is continued');
    if (parameters.asOf !== undefined) refuse('as_of', 'a stream has no moment; it ends after a position with until');
    if (prefersCount(call.header('prefer'))) refuse('Prefer', 'the rows of a stream cannot be counted');
  } else {
    if (parameters.afterEnd === true) refuse('after', "parameter 'after' takes end only with follow=true");
    if (parameters.heartbeat !== undefined) refuse('heartbeat', "parameter 'heartbeat' belongs to follow=true");
    if (parameters.names !== undefined) refuse('names', "parameter 'names' belongs to follow=true");
  }
  if (faults.length === 0) return;
  const message = sentenceOf(faults, (count) => `${count} parameters are wrong`);
  throw new Problem('H4003', message, {}, faults);
}

/** Takes a place among the followers and gives the stream, which begins where the caller says. */
export async function openStream(
  call: Call,
  source: EventSource,
  { until: end, after, afterEnd, limit, heartbeat = usualHeartbeat }: ReadParameters,
  form: FollowedForm,
): Promise<Answer> {
  const seen = lastSeen(call);
  const until = end === undefined ? undefined : Number(end);
  // A page whose stream has ended asks again from where it is; it must learn that there is nothing more.
  if (seen !== undefined && until !== undefined && seen >= until) return { kind: 'nothing' };
  const begin: number | 'end' = seen ?? (afterEnd === true ? 'end' : Number(after ?? 0n));
  const asked = { source, form, until, limit, heartbeat: heartbeat * 1000 };
  const pieces = await follow(call, { ...asked, after: begin }, call.whenClosed);
  return { kind: 'stream', contentType: form.contentType, pieces };
}

/** `Last-Event-ID`, which a browser sends when it connects again. */
function lastSeen(call: Call): number | undefined {
  const sent = call.header('last-event-id');
  if (sent === undefined) return undefined;
  const position = /^\d{1,16}$/.test(sent) ? Number(sent) : NaN;
  if (!Number.isSafeInteger(position))
    throw new Problem('H4004', `Last-Event-ID takes a global_position, not ${quoted(sent)}`);
  return position;
}
