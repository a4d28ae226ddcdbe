import { createHash } from 'node:crypto';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommandOptions } from '../../client/options.ts';
import { fullPayment } from './purse.ts';
import { withServedClient } from './served-client.ts';
import { firstRow } from '../kit/first-row.ts';

const { purse_id: purseId, ...payment } = fullPayment;
const nothing = Object.fromEntries(Object.keys(payment).map((name) => [name, null]));
const paid = { ...payment, rate: '1.25', pin: '****', receipt: null };
const none = { ...nothing, receipt: null };

test('what commands would do, and why one was rejected, in exact values', () =>
  withServedClient(async ({ createClient }) => {
    const client = createClient();
    await client.commands.Pay(fullPayment);
    const small = { purse_id: purseId, amount: '-9.99' };
    const terms = [
      { term: 'balance + :amount >= 0', value: false, operands: { balance: fullPayment.amount, ':amount': '-9.99' } },
    ];
    const rejection = {
      decision: 'Pays',
      guards: [{ branch: 'Enough', guard: 'balance + :amount >= 0', terms }],
      state: { balance: fullPayment.amount, moves: 1n },
      command: { ...nothing, purse_id: purseId, amount: '-9.99' },
    };
    assert.equal(await client.commands.Pay(small, { explain: true }), {
      outcome: 'rejected',
      replayed: false,
      rejection,
    });
    const emitted = { event_type: 'Paid', stream_id: purseId, seq: 1n, fields: paid };
    assert.equal(await client.inspect.Pay([fullPayment, small]), [
      emitted,
      { event_type: null, stream_id: purseId, seq: null, rejection },
    ]);
    assert.equal(await client.inspect.Pay([fullPayment], { asOf: 0n }), [emitted]);
    const error: unknown = await client.inspect.Pay([{}]).catch((failure: unknown) => failure);
    assert.equal((error as { kind: string; status: number }).status, 400);
  }));

test('recorded commands again, and under other definitions', () =>
  withServedClient(async ({ createClient }) => {
    const client = createClient();
    const pay = { purse_id: 'p', amount: '0.10' };
    await client.commands.Pay(pay);
    await client.commands.Pay({ ...pay, amount: '-5' });
    await client.commands.Pay({ ...pay, amount: '3' });
    const emitted = (seq: bigint, amount: string): object => ({
      event_type: 'Paid',
      stream_id: 'p',
      seq,
      fields: { ...nothing, amount, receipt: null },
    });
    const shown = await client.inspect.Pay.each();
    assert.equal([shown[0], shown[2]], [emitted(1n, '0.10'), emitted(2n, '3.00')]);
    assert.equal(await client.inspect.Pay.each({ where: { outcome: 'emitted' }, since: 1n }), [emitted(2n, '3.00')]);
    const schema = `CREATE DECISION Pays FOR Purse ON COMMAND Pay EMIT AS SELECT EVENT Paid (amount := :amount) WHERE :amount < 1;`;
    const { differences, ...rest } = await client.rehearse({ schema, decision: 'Pays' });
    assert.equal(rest.decisions, [
      { decision: 'Pays', same: 1, other_events: 0, now_rejected: 1, now_accepted: 1, failed: 0 },
    ]);
    assert.equal(
      differences.map(({ entry, kind }) => [entry, kind]),
      [
        [3, 'now_accepted'],
        [4, 'now_rejected'],
      ],
    );
    const [failed] = await client.inspect.Pay.each({
      limit: 1,
      schema:
        'CREATE DECISION Pays FOR Purse ON COMMAND Pay EMIT AS SELECT EVENT Paid (amount := 1 / (:amount - 0.1));',
    });
    assert.equal(Object.keys(failed ?? {}), ['event_type', 'stream_id', 'seq', 'failure']);
    assert.equal(await client.state.Purse({ asOf: 1, where: { moves: 1n } }).count(), 1);
    assert.equal((await client.events.Purse({ asOf: 1n })).length, 1);
  }));

for (const format of ['arrow', 'json'] as const) {
  test(`every type comes back exactly, and the same in any format: ${format}`, () =>
    withServedClient(async ({ createClient }) => {
      const client = createClient({ format });
      assert.equal(await client.commands.Pay(fullPayment), {
        outcome: 'emitted',
        replayed: false,
        events: [{ event_type: 'Paid', stream_id: purseId, seq: 1n, fields: { ...paid, receipt: 'thanks' } }],
      });
      await client.commands.Pay({ purse_id: purseId, amount: 5, at: '0001-01-01T00:00:00.000001Z' });
      await client.commands.Close({ purse_id: purseId });
      assert.equal(await client.commands.Pay({ purse_id: purseId, amount: '-9.99' }), {
        outcome: 'rejected',
        replayed: false,
        rejection: {
          decision: 'Pays',
          guards: [{ branch: 'Enough', guard: 'balance + :amount >= 0' }],
          state: { balance: '5.23', moves: 3n },
          command: { ...nothing, purse_id: purseId, amount: '-9.99' },
        },
      });
      assert.equal(await client.state.Purse({ where: { purse_id: purseId, moves: 3n } }), [
        {
          aggregate_id: purseId,
          purse_id: purseId,
          balance: '5.23',
          moves: 3n,
          seen: '0001-01-01T00:00:00.000001Z',
          open: true,
        },
      ]);
      const events = (await client.events.Purse({ after: 0 })) as readonly { readonly occurred_at: string }[];
      const head = { stream_type: 'Purse', stream_id: purseId };
      assert.equal(
        events.map((event) => without(event, 'event_id', 'occurred_at')),
        [
          { ...head, seq: 1n, event_type: 'Paid', data: paid, global_position: 1n },
          {
            ...head,
            seq: 2n,
            event_type: 'Paid',
            data: { ...none, amount: '5.00', at: '0001-01-01T00:00:00.000001Z' },
            global_position: 2n,
          },
          { ...head, seq: 3n, event_type: 'Closed', data: { amount: '0.1250', limit: 'none' }, global_position: 3n },
        ],
      );
      assert.match(events[0]?.occurred_at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      assert.equal(await client.projections.Totals(), [
        {
          purse: purseId,
          total: '5.2250',
          amounts: ['0.1000', '5.0000', '0.1250'],
          day: '1969-12-31',
          ref: 2n ** 63n - 1n,
          times: [payment.at, '0001-01-01T00:00:00.000001Z', null],
        },
      ]);
      assert.equal(await client.projections.Payloads({ offset: 2, limit: 1 }), [
        { data: { ...none, amount: '0.1250', limit: 'none' }, tags: [], event_type: 'Closed' },
      ]);
      assert.equal(await client.state.Purse({ where: { purse_id: 'nobody' } }), []);
    }));
}

test('a sort key that is not selected is not in the answer', () =>
  withServedClient(async ({ url, createClient }) => {
    await createClient().commands.Close({ purse_id: 'p' });
    const headers = { accept: 'application/json' };
    const [row] = (await (await fetch(`${url}/api/projections/Payloads/query`, { headers })).json()) as readonly [
      object,
    ];
    assert.equal(Object.keys(row), ['data', 'tags', 'event_type']);
  }));

for (const format of ['arrow', 'json'] as const) {
  test(`events are read in pages, and each comes once: ${format}`, () =>
    withServedClient(async ({ createClient }) => {
      const { commands, events } = createClient({ format });
      await Promise.all(Array.from({ length: 130 }, () => commands.Pay({ purse_id: 'p', amount: '0.01' })));
      const seen: number[] = [];
      for await (const event of events.Purse({ pageSize: 50 })) seen.push(Number((event as { seq: bigint }).seq));
      assert.equal(
        seen,
        Array.from({ length: 130 }, (_, index) => index + 1),
      );
      assert.is((await events.Purse({ after: 100, limit: 7, pageSize: 3 })).length, 7);
    }));
}

test('a repeated key has one effect, a wrong expected seq none, and a refusal is an error with its status', () =>
  withServedClient(async ({ createClient }) => {
    const { commands, state } = createClient();
    const pay = (amount: string, given: CommandOptions) => outcomeOf(commands.Pay({ purse_id: 'p', amount }, given));
    assert.equal(await pay('1', { idempotencyKey: 'k', expectedSeq: 0 }), 'emitted');
    assert.equal(await pay('1', { idempotencyKey: 'k' }), 'emitted again');
    assert.equal(await pay('2', { idempotencyKey: 'k' }), 422);
    assert.equal(await pay('1', { expectedSeq: 0n }), 412);
    assert.equal(await pay('1', { expectedSeq: 1n }), 'emitted');
    assert.equal(await pay('0.001', {}), 400);
    assert.equal(await pay('-5', {}), 'rejected');
    assert.equal(await outcomeOf(state.Purse({ where: { nope: 1 } })), 400);
  }));

test('a command whose answer is lost has its effect exactly once', () =>
  withServedClient(async ({ createClient }) => {
    let lost = 0;
    const { commands, state } = createClient({
      fetch: async (url, init) => {
        const answer = await fetch(url, init);
        if (lost++ > 0) return answer;
        await answer.text();
        throw new TypeError('fetch failed');
      },
      sleep: (milliseconds, signal) =>
        new Promise((resolve) =>
          milliseconds < 1000 ? resolve() : signal?.addEventListener('abort', () => resolve()),
        ),
    });
    assert.equal(await outcomeOf(commands.Pay({ purse_id: 'p', amount: '1' })), 'emitted again');
    assert.equal(await state.Purse(), [
      { aggregate_id: 'p', purse_id: 'p', balance: '1.00', moves: 1n, seen: null, open: null },
    ]);
  }));

test('a token gives the rights of its roles', () => {
  const sha256 = createHash('sha256').update('secret').digest('hex');
  const auth = { tokens: [{ sha256, subject: 'clerk', roles: ['clerk'] }], roles: { clerk: ['execute:Purse.*'] } };
  return withServedClient(
    async ({ createClient }) => {
      const command = { purse_id: 'p', amount: '1' };
      assert.equal(await outcomeOf(createClient().commands.Pay(command)), 401);
      const { commands, state } = createClient({ token: () => 'secret' });
      assert.equal(await outcomeOf(commands.Pay(command)), 'emitted');
      assert.equal(await outcomeOf(state.Purse()), 403);
    },
    { auth },
  );
});

function without(row: object, ...names: readonly string[]): object {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

/** The outcome, `again` if it is an earlier one, or the status of the error. */
async function outcomeOf(call: PromiseLike<object>): Promise<unknown> {
  try {
    const { outcome, replayed } = (await call) as { readonly outcome?: string; readonly replayed?: boolean };
    return replayed === true ? `${outcome} again` : outcome;
  } catch (error) {
    return (error as { readonly status?: number }).status;
  }
}

test('a client follows events, typed, from the beginning or from now on', () =>
  withServedClient(async ({ createClient }) => {
    const client = createClient();
    for (const amount of [1, 2, 3]) await client.commands.Pay({ purse_id: 'p', amount });
    const amounts: unknown[] = [];
    for await (const { data, global_position: at } of client.follow.Purse().until(3))
      amounts.push([at, (data as { amount: string }).amount]);
    assert.equal(amounts, [
      [1n, '1.00'],
      [2n, '2.00'],
      [3n, '3.00'],
    ]);
    const next = client.commands.Pay({ purse_id: 'p', amount: 4 });
    for await (const event of client.follow.Purse({ after: 3 })) {
      assert.is(event.global_position, 4n);
      break;
    }
    await next;
  }));

test('a client follows the events of all aggregates', () =>
  withServedClient(async ({ createClient }) => {
    const client = createClient();
    await client.commands.Pay({ purse_id: 'p', amount: '1.5' });
    await client.commands.Close({ purse_id: 'q' });
    const seen: unknown[] = [];
    for await (const { stream_id: stream, event_type: type, data } of client.follow.$all().until(2))
      seen.push([stream, type, (data as { amount: string }).amount]);
    assert.equal(seen, [
      ['p', 'Paid', '1.50'],
      ['q', 'Closed', '0.1250'],
    ]);
  }));

test('a client takes the rows of a subscription, acknowledges, refuses and stops', () =>
  withServedClient(async ({ url, createClient }) => {
    const { commands, subscriptions } = createClient();
    const { Payments } = subscriptions;
    assert.is(await Payments.next({ waitSeconds: 0 }), undefined);
    const waiting = Payments.next({ max: 1 });
    await commands.Pay(fullPayment);
    const first = await waiting;
    const { ref, day, doc } = paid;
    // With the digits that the amounts of all events of the aggregate share.
    const row = { purse: purseId, amount: '0.1000', ref, day, doc, pin: '****', position: 1n, attempt: 1, late: false };
    assert.equal(first?.rows, [row]);
    assert.ok(Date.parse((await first?.extend(60)) ?? '') > Date.parse(first?.until ?? ''));
    await first?.nack({ reason: 'not now', delaySeconds: 0 });
    for (const _ of [2, 3]) await commands.Pay({ purse_id: 'p', amount: '1' });
    const again = await Payments.next();
    assert.equal(
      again?.rows.map(({ position, attempt }) => [position, attempt]),
      [
        [1n, 2],
        [2n, 1],
        [3n, 1],
      ],
    );
    await again?.ack([1n, 2]);
    assert.is(await failure(again?.ack([2n])), undefined);
    await again?.nack({ reason: 'the disk is full', stop: true });
    assert.is(await failure(again?.ack()), 409);
    assert.is(await Payments.next({ waitSeconds: 0 }), undefined);
    const shown = await firstRow(`${url}/api/subscriptions/Payments`);
    assert.equal([shown['state'], shown['reason'], shown['acknowledged']], ['stopped', 'the disk is full', 2]);
    await fetch(`${url}/api/subscriptions/Payments/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    const last = await Payments.next();
    assert.equal(
      last?.rows.map(({ position, attempt }) => [position, attempt]),
      [[3n, 1]],
    );
    await last?.nack({ reason: 'never', park: true });
    assert.is(await Payments.next({ waitSeconds: 0 }), undefined);
  }));

/** The status of the error, if there is one. */
async function failure(call: Promise<void> | undefined): Promise<number | undefined> {
  try {
    await call;
    return undefined;
  } catch (error) {
    return (error as { readonly status?: number }).status;
  }
}

test.run();
