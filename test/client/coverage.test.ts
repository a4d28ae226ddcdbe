/**
 * Compares the inputs of the routes with those of the generated client: a new parameter or member is offered, or named here with the
 * reason.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { routeTable } from '../../server/http/routes/route-table.ts';
import type { Route } from '../../server/http/route.ts';
import { events } from '../../client/events.ts';
import { execute } from '../../client/execute.ts';
import { follow } from '../../client/follow.ts';
import { inspect, rehearse } from '../../client/inspect.ts';
import { rows } from '../../client/rows.ts';
import { subscribed } from '../../client/subscription.ts';
import { scripted, type Reply, type Scripted } from './scripted.ts';

type Call = (on: Scripted) => PromiseLike<unknown>;
const types = { events: {}, state: {}, command: {} };
const read = { limit: 1, offset: 1, asOf: 1, where: { 'a column': 1 } } as const;
const handed: Reply = { body: '{"lease":"l","until":"2026-01-01T00:00:00Z","rows":[]}' };
const done: Reply = { body: '{}' };
const count: Reply = { body: '[]', headers: { 'schemac-total': '0' } };

async function all(items: AsyncIterable<unknown>): Promise<void> {
  for await (const item of items) assert.ok(item);
}

/** Every call with all its options, by the route that it asks. */
const calls: Readonly<Record<string, readonly (readonly [replies: readonly Reply[], call: Call])[]>> = {
  execute: [[[done], (on) => execute(on.connection, '/x', types, {}, { explain: true })]],
  projection: [
    [[done], (on) => rows(on.connection, '/x', {}, { ...read, order: ['a'] })],
    [[count], (on) => rows(on.connection, '/x', {}, read).count()],
  ],
  events: [
    [[done], (on) => events(on.connection, '/x', {}, { ...read, after: 1, tags: { field: 'v' } })],
    [[count], (on) => events(on.connection, '/x', {}, read).count()],
    [
      [{ body: '{"control":"end","reason":"until","global_position":1}\n' }],
      (on) => all(follow(on.connection, '/x', {}, { limit: 1, after: 1, tags: { field: 'v' } }).until(1)),
    ],
  ],
  run_inspection: [
    [[{ body: '[]' }], (on) => inspect(on.connection, 'D', types)([], { asOf: 1, schema: '', into: 't' })],
    [
      [{ body: '[]' }],
      (on) => inspect(on.connection, 'D', types).each({ since: 1, limit: 1, schema: '', where: { outcome: 'failed' } }),
    ],
    [[done], (on) => rehearse(on.connection, { schema: '', decision: 'D', since: 1 })],
  ],
  subscription_next: [
    [[handed], (on) => subscribed(on.connection, 'S', {}).next({ max: 1, waitSeconds: 1, leaseSeconds: 1 })],
  ],
  subscription_ack: [[[handed, done], async (on) => (await subscribed(on.connection, 'S', {}).next())?.ack([1])]],
  subscription_nack: [
    [
      [handed, done],
      async (on) =>
        (await subscribed(on.connection, 'S', {}).next())?.nack(
          { reason: 'r', delaySeconds: 1, park: true, stop: true },
          [1],
        ),
    ],
  ],
  subscription_extend: [[[handed, done], async (on) => (await subscribed(on.connection, 'S', {}).next())?.extend(1)]],
};

/** Inputs of these routes that the client does not send, with the reason. */
const withheld: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  projection: { select: 'a row has all columns of its type' },
  events: {
    order: 'events come in the order of the log',
    select: 'an event has all columns of its type',
    heartbeat: 'the client takes any silence, up to its timeout',
    names: 'of another form than the one it reads',
  },
  run_inspection: {
    projection: 'the rows of a candidate have columns that no generated type knows',
    branches: 'a rejection has its guards, an event its branch',
  },
};

/** Routes with the same parameters as one of those. */
const alike: Readonly<Record<string, string>> = {
  aggregate: 'projection',
  state: 'projection',
  stream_state: 'projection',
  stream_events: 'events',
  all_events: 'events',
};

/** Routes for operators, people and other programs, by the beginning of their paths. */
const notOffered =
  /^\/($|docs|health|ready|metrics|info|openapi|api$|api\/(access|reg|lang|query|console|archive|reactions|operation|info|log)\b|api\/subscriptions($|\/\{name\}($|\/(parked|reset|pause|start|test|attempts)))|api\/aggregates(\/\{agg\}\/(commands|inspect)|$))/;

function taken({ query, members = {} }: Route): readonly string[] {
  return [...query.filter((part) => part !== 'filters' && part !== 'count'), ...Object.keys(members)];
}

function sentBy({ url, body }: Scripted['sent'][number]): readonly string[] {
  const names = [...new URL(url).searchParams.keys()].filter((name) => !name.startsWith('.'));
  return [...names, ...(body === undefined ? [] : Object.keys(JSON.parse(body) as object))];
}

for (const [name, given] of Object.entries(calls))
  test(`the client sends what ${name} takes`, async () => {
    const sent = new Set<string>();
    for (const [replies, call] of given) {
      const on = scripted(replies, { format: 'json', attempts: 1 });
      // The answers are none of these calls.
      await Promise.resolve(call(on)).catch(() => undefined);
      for (const part of sentBy(on.sent.at(-1) ?? { url: '', method: '', headers: {} })) sent.add(part);
    }
    const routes = routeTable.filter((route) => route.name === name || alike[route.name] === name);
    assert.ok(routes.length > 0);
    const known = new Set(routes.flatMap(taken));
    const reasons = Object.keys(withheld[name] ?? {});
    assert.equal([...known].filter((part) => !sent.has(part)).sort(), reasons.sort());
    assert.equal(
      [...sent].filter((part) => !known.has(part)),
      [],
    );
  });

test('every other route is one for operators, people or other programs', () => {
  const missing = routeTable.filter(
    ({ name, path }) => calls[name] === undefined && alike[name] === undefined && !notOffered.test(path),
  );
  assert.equal(
    missing.map(({ name, path }) => `${name} ${path}`),
    [],
  );
});

test.run();
