import { Problem } from '../answers/problem.ts';
import { subscriptionOf } from '../answers/registered.ts';
import { closed, text, textOrNull, whole, type JsonSchema } from '../openapi/json-schema.ts';
import { standingTable } from '../../../runtime/standing/standings.ts';
import { may, mayKnow } from '../../operation/caller.ts';
import { raw } from '../../../runtime/engine/raw.ts';
import { shownTable } from '../../operation/shown.ts';
import { pageOf } from '../answers/meta-table.ts';
import { takes } from '../parameters/parameter-table.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import { json, type Answer, type Call, type Route } from '../pipeline/route.ts';
import { preferred } from '../representation/accept.ts';
import { jsonObjects } from '../representation/json.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Answered, HandedOut, Subscriptions } from '../../../runtime/subscription/subscriptions.ts';
import type { Attempt } from '../../../runtime/webhook/attempt-log.ts';
import {
  bodyMembers,
  flag,
  positionOrEnd,
  positions,
  sentence,
  token,
  wholeNumber,
  type Members,
} from '../request/body-members.ts';

/** Subscriptions: handing rows out, acknowledgement, and the positions reached (docs/http.md#subscriptions). */
export const subscriptionRoutes: readonly Route[] = [
  {
    ...standing(
      'subscriptions',
      '/api/subscriptions',
      'How far the subscriptions that the caller may use or manage have come',
    ),
    resolve: (call) => ({
      answer: async (parameters) => standingAnswer(call, () => true, parameters),
    }),
  },
  {
    ...standing('subscription', '/api/subscriptions/{name}', 'How far a subscription has come, and what waits'),
    resolve: (call) => {
      const { name } = subscriptionOf(call.domain, call.path['name']);
      const isConsumer = may(call.caller, `subscribe:${name}`);
      return {
        needs: isConsumer ? [] : [`manage:${name}`],
        answer: (parameters) => standingAnswer(call, (each) => each === name, parameters),
      };
    },
  },
  {
    ...posted('next', 'subscribe', 'Hands out the next rows, and waits for the first'),
    schema: closed({ lease: textOrNull, until: textOrNull, rows: { type: 'array', items: { type: 'object' } } }),
    asArrow: true,
    ...taking(
      { max: wholeNumber(1, 1000), wait_seconds: wholeNumber(0, 60), lease_seconds: wholeNumber(1, 3600) },
      [],
      async (call, name, { max = 100, wait_seconds: waitSeconds = 20, lease_seconds: leaseSeconds }) => {
        refuseWebhook(call, name);
        const gone = new AbortController();
        const taken: { lease?: string | undefined } = {};
        call.whenClosed((isSent) => {
          gone.abort();
          // A lease that its consumer never got is given back untried.
          if (!isSent && taken.lease !== undefined)
            kept(call)
              .giveBack(name, taken.lease)
              .catch(() => undefined); // it runs out
        });
        const handed = await kept(call).next(name, { max, waitSeconds, leaseSeconds, signal: gone.signal });
        taken.lease = handed.lease;
        call.log({ rows: handed.rows.length });
        return handedAnswer(call, handed);
      },
    ),
  },
  {
    ...posted('ack', 'subscribe', 'Acknowledges rows of a lease: all, or those named'),
    schema: closed({ acknowledged: whole }),
    ...taking({ lease: token, positions }, ['lease'], async (call, name, { lease = '', positions: named }) => {
      const answered = await kept(call).acknowledge(name, lease, named);
      return lostAnswer(answered, lease) ?? json(200, { acknowledged: answered.acknowledged });
    }),
  },
  {
    ...posted('nack', 'subscribe', 'Says that rows of a lease failed'),
    schema: closed({ given_back: { const: true } }),
    ...taking(
      { lease: token, positions, reason: sentence, delay_seconds: wholeNumber(0, 86_400), park: flag, stop: flag },
      ['lease', 'reason'],
      async (call, name, { lease = '', positions: named, reason = '', delay_seconds, park = false, stop = false }) => {
        if ([park, stop, delay_seconds !== undefined].filter(Boolean).length > 1)
          throw new Problem('H4005', 'the body takes one of park, stop and delay_seconds');
        const refusal = { reason, park, stop, ...(delay_seconds !== undefined && { delaySeconds: delay_seconds }) };
        const lost = lostAnswer(await kept(call).refuse(name, lease, refusal, named), lease);
        return lost ?? json(200, { given_back: true });
      },
    ),
  },
  {
    ...posted('extend', 'subscribe', 'Gives a consumer more time for its lease'),
    schema: closed({ until: text }),
    ...taking(
      { lease: token, lease_seconds: wholeNumber(1, 3600) },
      ['lease', 'lease_seconds'],
      async (call, name, { lease = '', lease_seconds: seconds = 30 }) => {
        const until = await kept(call).extend(name, lease, seconds);
        if (until === undefined) throw noLease(lease);
        return json(200, { until: new Date(until).toISOString() });
      },
    ),
  },
  {
    ...reading('parked', '/api/subscriptions/{name}/parked', 'The rows that are parked, with the reason'),
    rights: ['manage:{name}'],
    query: ['limit'],
    schema: closed({ parked: { type: 'array', items: { type: 'object' } } }),
    resolve: (call) => {
      const { name } = subscriptionOf(call.domain, call.path['name']);
      return {
        answer: async ({ limit = mostParked }) =>
          json(200, {
            parked: (await kept(call).parked(name))
              .slice(0, limit)
              .map(({ position, event, key, attempts, reason, at }) => ({
                ...{ position, event_id: event, key, attempts, reason },
                parked_at: new Date(at).toISOString(),
              })),
          }),
      };
    },
  },
  parkedRow('retry', 'retried', 'Delivers a parked row again, out of turn'),
  parkedRow('discard', 'discarded', 'Drops a parked row for good'),
  {
    ...posted('parked/retry', 'manage', 'Delivers all parked rows again; the number of rows guards against a slip'),
    name: 'retry_all_parked',
    schema: closed({ retried: whole }),
    ...taking(
      { all: flag, count: wholeNumber(0, Number.MAX_SAFE_INTEGER) },
      ['all', 'count'],
      async (call, name, { all, count = 0 }) => {
        if (all !== true) throw new Problem('H4005', "the body takes 'all' with the value true");
        const { parked, done } = await kept(call).retryAll(name, count);
        if (!done) throw new Problem('H4092', `${parked} rows are parked, not ${count}; nothing was changed`);
        return json(200, { retried: parked });
      },
    ),
  },
  {
    ...posted('reset', 'manage', 'Begins again behind a position; every lease is void'),
    schema: closed({ acknowledged: whole }),
    ...taking({ position: positionOrEnd }, ['position'], async (call, name, { position = 0 }) =>
      json(200, { acknowledged: await moveTo(call, name, position, 'reset') }),
    ),
  },
  {
    ...posted('pause', 'manage', 'Hands nothing out until start'),
    schema: closed({ state: text }),
    ...taking({}, [], async (call, name) => {
      await kept(call).stop(name, 'paused');
      return json(200, { state: 'stopped' });
    }),
  },
  {
    ...posted('start', 'manage', 'Goes on after a pause or a stop, perhaps behind another position'),
    schema: closed({ state: text }),
    ...taking({ position: positionOrEnd }, [], async (call, name, { position }) => {
      if (position === undefined) await kept(call).start(name);
      else await moveTo(call, name, position, 'startAt');
      return json(200, { state: 'running' });
    }),
  },
  {
    ...posted('test', 'manage', 'Sends the last row to the webhook once more, marked as a test'),
    schema: closed({ attempt: { type: 'object' } }),
    ...taking({}, [], async (call, name) => {
      kept(call);
      const tried = await call.webhooks?.test(name);
      if (tried === undefined) throw new Problem('H4045', `'${name}' has no row among the last events`);
      if ('problem' in tried) throw new Problem('H4094', `'${name}' cannot be tested: ${tried.problem}`);
      return json(200, { attempt: attemptJson(tried) });
    }),
  },
  {
    ...reading('attempts', '/api/subscriptions/{name}/attempts', 'The last requests to a webhook, the newest last'),
    rights: ['manage:{name}'],
    schema: closed({
      attempts: { type: 'array', items: { type: 'object' } },
      rows: { type: 'array', items: { type: 'object' } },
    }),
    resolve: (call) => {
      const { name } = subscriptionOf(call.domain, call.path['name']);
      return {
        answer: () => {
          const known = call.webhooks?.attempts(name);
          const rows = Array.from(known?.byRow() ?? [], ([position, attempts]) => ({
            position,
            attempts: attempts.map(attemptJson),
          }));
          return json(200, { attempts: (known?.recent() ?? []).map(attemptJson), rows });
        },
      };
    },
  },
];

/** Parked rows of an answer, if the request does not say. */
const mostParked = 1000;

type Head = Omit<Route, 'resolve'>;

function reading(name: string, path: string, summary: string): Head {
  return {
    ...{ name, method: 'GET', path, summary, rights: [], answers: 'status', statuses: [409, 503] },
    ...{ query: [], freshness: 'never' },
  };
}

function standing(name: string, path: string, summary: string): Head {
  return { ...reading(name, path, summary), answers: 'table', rows: 'subscriptions', query: takes.page };
}

function posted(action: string, right: 'subscribe' | 'manage', summary: string): Head {
  return {
    ...{ name: `subscription_${action}`, method: 'POST', path: `/api/subscriptions/{name}/${action}`, summary },
    ...{ rights: [`${right}:{name}`], answers: 'status', statuses: [409, 413, 415, 503], query: [] },
    ...{ freshness: 'never', mutates: true, body: 'members' },
  };
}

function parkedRow(action: 'retry' | 'discard', how: 'retried' | 'discarded', summary: string): Route {
  return {
    ...posted(`parked/{position}/${action}`, 'manage', summary),
    name: `${action}_parked`,
    schema: closed({ position: whole }),
    ...taking({}, [], async (call, name) => {
      const position = Number(call.path['position']);
      if (!(await kept(call).settleParked(name, position, how)))
        throw new Problem('H4044', `no row of '${name}' is parked at position ${position}`);
      return json(200, { position });
    }),
  };
}

/** The members of a body as the routes here name them. */
interface Given {
  readonly max?: number;
  readonly wait_seconds?: number;
  readonly lease_seconds?: number;
  readonly lease?: string;
  readonly positions?: readonly number[];
  readonly reason?: string;
  readonly delay_seconds?: number;
  readonly park?: boolean;
  readonly stop?: boolean;
  readonly all?: boolean;
  readonly count?: number;
  readonly position?: number | 'end';
}

/** A route with a body that has these members. */
function taking(
  members: Members,
  required: readonly string[],
  answer: (call: Call, name: string, given: Given) => Promise<Answer>,
): Pick<Route, 'members' | 'required' | 'resolve'> {
  return {
    members,
    required,
    resolve: (call) => {
      const { name } = subscriptionOf(call.domain, call.path['name']);
      return {
        answer: async () => {
          const { commandBytes: bytes, stringBytes } = call.options.settings.limits;
          const sent = await call.body({ bytes, stringBytes });
          return answer(call, name, bodyMembers(sent, { members, required }));
        },
      };
    },
  };
}

/** Positions are kept beside the log, so a server that only reads has none. */
function kept({ subscriptions }: Call): Subscriptions {
  if (subscriptions !== undefined) return subscriptions;
  throw new Problem(
    'H4093',
    'this server only reads, and handing out rows writes positions; ask another server of the log',
  );
}

/** Gives the position, which `end` names too. */
async function moveTo(call: Call, name: string, position: number | 'end', how: 'reset' | 'startAt'): Promise<number> {
  const wanted = position === 'end' ? (await call.options.engine.store.freshPosition()).event : position;
  const { end, done } = await kept(call)[how](name, wanted);
  if (!done) throw new Problem('H4091', `the log ends at global_position ${end}, before ${wanted}`);
  return wanted;
}

/** The refusal if the consumer no longer had some of the rows; the others are done. */
function lostAnswer({ known, lost }: Answered, lease: string): Answer | undefined {
  if (!known) throw noLease(lease);
  if (lost.length === 0) return undefined;
  return json(409, { error: `the consumer no longer had the rows at ${lost.join(', ')}; the others are done`, lost });
}

function noLease(lease: string): Problem {
  return new Problem('H4092', `there is no lease '${lease.slice(0, 64)}': it was answered, or it ended long ago`);
}

async function standingAnswer(
  call: Call,
  isAsked: (name: string) => boolean,
  parameters: ReadParameters,
): Promise<Answer> {
  kept(call);
  const relation = 'meta_subscriptions';
  const found = await call.standings(relation, (name) => isAsked(name) && mayKnow(call.caller, relation, name));
  return {
    kind: 'table',
    table: shownTable(raw(pageOf(standingTable(relation, found, call.domain.subscriptions), parameters)), call.caller),
  };
}

/** Rows that go to an address are not handed out to others as well. */
function refuseWebhook({ domain }: Call, name: string): void {
  if (subscriptionOf(domain, name).webhook === undefined) return;
  throw new Problem('H4094', `'${name}' is delivered to a webhook, so its rows are not handed out`);
}

function attemptJson({ position, attempt, at, milliseconds, status, error }: Attempt): JsonSchema {
  return {
    ...{ position, attempt, at: new Date(at).toISOString(), milliseconds },
    ...{ status: status ?? null, error: error ?? null },
  };
}

/** The facts of each row before its columns. */
const handedFacts: readonly Column[] = [
  { name: 'position', type: { kind: 'BIGINT' }, nullable: false, sensitive: false },
  { name: 'attempt', type: { kind: 'INT' }, nullable: false, sensitive: false },
  { name: 'late', type: { kind: 'BOOLEAN' }, nullable: false, sensitive: false },
];

/** One JSON text, or a table in Arrow whose lease is in headers, if `Accept` prefers that. */
function handedAnswer(call: Call, { definition, lease, until, rows }: HandedOut): Answer {
  const columns = [...handedFacts, ...definition.columns];
  const table = {
    columns,
    rows: rows.map(({ position, attempt, late, values }) => [BigInt(position), attempt, late, ...values]),
  };
  const shown = shownTable(raw(table), call.caller);
  const end = new Date(until).toISOString();
  if (preferred(call.header('accept'), [jsonType, arrowType], [arrowType]) === arrowType) {
    const headers = lease === undefined ? {} : { 'Schemac-Lease': lease, 'Schemac-Lease-Until': end };
    return { kind: 'bytes', contentType: arrowType, bytes: call.options.arrow.whole(shown), headers };
  }
  const print = jsonObjects(columns);
  const parts = [
    `"lease":${JSON.stringify(lease ?? null)}`,
    `"until":${lease === undefined ? 'null' : JSON.stringify(end)}`,
    `"rows":[${shown.rows.map(print).join(',')}]`,
  ];
  return { kind: 'json', status: 200, text: `{${parts.join(',')}}` };
}

const [jsonType, arrowType] = ['application/json', 'application/vnd.apache.arrow.stream'];
