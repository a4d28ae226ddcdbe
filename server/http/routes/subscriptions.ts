import type { Attempt } from '../../../runtime/delivery/webhook/attempt-log.ts';
import { next, type Handed } from '../../operation/hand-out.ts';
import { served } from '../../operation/operate.ts';
import { Problem } from '../wire/problem.ts';
import { closed, text, textOrNull, whole, type JsonSchema } from '../wire/json-schema.ts';
import { json, type Answer, type Call, type Route } from '../route.ts';
import { preferred } from '../wire/accept.ts';
import { jsonObjects } from '../representation/json.ts';
import { flag, positionOrEnd, positions, sentence, token, wholeNumber } from '../request/body-members.ts';
import {
  listing,
  listOf,
  namedBy,
  pauseAndStart,
  posted,
  reading,
  standingRoute,
  taking,
  type Head,
} from './deliveries.ts';

const kind = 'subscription';
const rows = listOf({ type: 'object' });

/** Subscriptions: handing rows out, acknowledgement, and the positions reached (docs/http.md#subscriptions). */
export const subscriptionRoutes: readonly Route[] = [
  standingRoute(kind, 'subscriptions', 'How far the subscriptions that the caller may use or manage have come'),
  standingRoute(kind, 'subscription', 'How far a subscription has come, and what waits', '/{name}'),
  {
    ...consuming('next', 'Hands out the next rows, and waits for the first'),
    schema: closed({ lease: textOrNull, until: textOrNull, rows }),
    asArrow: true,
    ...taking(
      kind,
      { max: wholeNumber(1, 1000), wait_seconds: wholeNumber(0, 60), lease_seconds: wholeNumber(1, 3600) },
      [],
      async (call, name, { max = 100, wait_seconds: waitSeconds = 20, lease_seconds: leaseSeconds }) => {
        const handed = await next(call, name, { max, waitSeconds, leaseSeconds }, call.whenClosed);
        call.log({ rows: handed.table.rows.length });
        return handed;
      },
      handedAnswer,
    ),
  },
  {
    ...consuming('ack', 'Acknowledges rows of a lease: all, or those named'),
    schema: closed({ acknowledged: whole }),
    ...taking(
      kind,
      { lease: token, positions },
      ['lease'],
      (call, name, { lease = '', positions: named }) => served(call.deliveries).acknowledge(name, lease, named),
      ({ lost, acknowledged }) => lostAnswer(lost) ?? json(200, { acknowledged }),
    ),
  },
  {
    ...consuming('nack', 'Says that rows of a lease failed'),
    schema: closed({ given_back: { const: true } }),
    ...taking(
      kind,
      { lease: token, positions, reason: sentence, delay_seconds: wholeNumber(0, 86_400), park: flag, stop: flag },
      ['lease', 'reason'],
      (call, name, { lease = '', positions: named, reason = '', delay_seconds, park = false, stop = false }) => {
        if ([park, stop, delay_seconds !== undefined].filter(Boolean).length > 1)
          throw new Problem('H4005', 'the body takes one of park, stop and delay_seconds');
        const refusal = { reason, park, stop, ...(delay_seconds !== undefined && { delaySeconds: delay_seconds }) };
        return served(call.deliveries).refuse(name, lease, refusal, named);
      },
      ({ lost }) => lostAnswer(lost) ?? json(200, { given_back: true }),
    ),
  },
  {
    ...consuming('extend', 'Gives a consumer more time for its lease'),
    schema: closed({ until: text }),
    ...taking(
      kind,
      { lease: token, lease_seconds: wholeNumber(1, 3600) },
      ['lease', 'lease_seconds'],
      async (call, name, { lease = '', lease_seconds: seconds = 30 }) => ({
        until: new Date(await served(call.deliveries).extend(name, lease, seconds)).toISOString(),
      }),
    ),
  },
  listing(
    reading(kind, 'parked', '/{name}/parked', 'The rows that are parked, with the reason'),
    kind,
    { type: 'object' },
    async (call, name, { limit = mostParked }) =>
      (await served(call.deliveries).parked(name))
        .slice(0, limit)
        .map(({ position, event, key, attempts, reason, at }) => ({
          ...{ position, event_id: event, key, attempts, reason },
          parked_at: new Date(at).toISOString(),
        })),
  ),
  parkedRow('retry', 'retried', 'Delivers a parked row again, out of turn'),
  parkedRow('discard', 'discarded', 'Drops a parked row for good'),
  {
    ...posted(
      kind,
      'parked/retry',
      'Delivers all parked rows again; the number of rows guards against a slip',
      'retry_all_parked',
    ),
    schema: closed({ retried: whole }),
    ...taking(
      kind,
      { all: flag, count: wholeNumber(0, Number.MAX_SAFE_INTEGER) },
      ['all', 'count'],
      async (call, name, { all, count = 0 }) => {
        if (all !== true) throw new Problem('H4005', "the body takes 'all' with the value true");
        await served(call.deliveries).retryAll(name, count);
        return { retried: count };
      },
    ),
  },
  {
    ...posted(kind, 'reset', 'Begins again behind a position; every lease is void'),
    schema: closed({ acknowledged: whole }),
    ...taking(kind, { position: positionOrEnd }, ['position'], async (call, name, { position = 0 }) => ({
      acknowledged: await served(call.deliveries).reset(name, position),
    })),
  },
  ...pauseAndStart(
    kind,
    {
      pause: 'Hands nothing out until start',
      start: 'Goes on after a pause or a stop, perhaps behind another position',
    },
    positionOrEnd,
  ),
  {
    ...posted(kind, 'test', 'Sends the last row to the webhook once more, marked as a test'),
    schema: closed({ attempt: { type: 'object' } }),
    ...taking(kind, {}, [], async (call, name) => {
      served(call.deliveries);
      const tried = await call.deliveries.webhooks?.test(name);
      return { attempt: tried === undefined ? null : attemptJson(tried) };
    }),
  },
  {
    ...reading(kind, 'attempts', '/{name}/attempts', 'The last requests to a webhook, the newest last'),
    schema: closed({ attempts: rows, rows }),
    resolve: (call) => {
      const known = call.deliveries.webhooks?.attempts(namedBy(call, kind));
      return {
        answer: () =>
          json(200, {
            attempts: (known?.recent() ?? []).map(attemptJson),
            rows: Array.from(known?.byRow() ?? [], ([position, attempts]) => ({
              position,
              attempts: attempts.map(attemptJson),
            })),
          }),
      };
    },
  },
];

/** Parked rows of an answer, if the request does not say. */
const mostParked = 1000;

function consuming(action: string, summary: string): Head {
  return { ...posted(kind, action, summary), rights: ['subscribe:{name}'] };
}

function parkedRow(action: 'retry' | 'discard', how: 'retried' | 'discarded', summary: string): Route {
  return {
    ...posted(kind, `parked/{position}/${action}`, summary, `${action}_parked`),
    schema: closed({ position: whole }),
    ...taking(kind, {}, [], async (call, name) => {
      const position = Number(call.path['position']);
      await served(call.deliveries).settleParked(name, position, how);
      return { position };
    }),
  };
}

/** The refusal if the consumer no longer had some of the rows; the others are done. */
function lostAnswer(lost: readonly number[]): Answer | undefined {
  if (lost.length === 0) return undefined;
  return json(409, { error: `the consumer no longer had the rows at ${lost.join(', ')}; the others are done`, lost });
}

function attemptJson({ position, attempt, at, milliseconds, status, error }: Attempt): JsonSchema {
  return {
    ...{ position, attempt, at: new Date(at).toISOString(), milliseconds },
    ...{ status: status ?? null, error: error ?? null },
  };
}

/** The answer as JSON, or as a table in Arrow whose lease is in headers, if `Accept` prefers that. */
function handedAnswer({ lease, until, table }: Handed, call: Call): Answer {
  const end = new Date(until).toISOString();
  if (preferred(call.header('accept'), [jsonType, arrowType], [arrowType]) === arrowType) {
    const headers = lease === undefined ? {} : { 'Schemac-Lease': lease, 'Schemac-Lease-Until': end };
    return { kind: 'bytes', contentType: arrowType, bytes: call.options.arrow.whole(table), headers };
  }
  const parts = [
    `"lease":${JSON.stringify(lease ?? null)}`,
    `"until":${lease === undefined ? 'null' : JSON.stringify(end)}`,
    `"rows":[${table.rows.map(jsonObjects(table.columns)).join(',')}]`,
  ];
  return { kind: 'json', status: 200, text: `{${parts.join(',')}}` };
}

const [jsonType, arrowType] = ['application/json', 'application/vnd.apache.arrow.stream'];
