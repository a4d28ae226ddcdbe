/** Commands by chance with ALLOW and arguments that are left out to the caller: who may send them, and what the answers show. */
import * as assert from 'uvu/assert';
import type { Chance } from '../crash/chance.ts';
import { pick, truthOf, type Value } from './condition.ts';
import type { Aggregate, TestDomain } from './domain.ts';
import { everything, everyRow, known, seesStream, sentArguments, someValue, streamIds } from './history.ts';
import { jsonRows, type Answer, type Asker, type Cells, type Served } from './served.ts';

interface Attempt {
  readonly aggregate: Aggregate;
  readonly asker: Asker;
  readonly given: Readonly<Record<string, Value>>;
}

let attempts = 0;

function someAttempt(chance: Chance, aggregate: Aggregate, asker: Asker): Attempt {
  const isGiven = (): boolean => chance.below(3) > 0;
  const f0 = someValue(chance, aggregate.fields['f0'] ?? 'INT');
  const f2 = someValue(chance, 'STRING');
  attempts += 1;
  return {
    aggregate,
    asker,
    given: {
      id: pick(chance, streamIds),
      ...(f0 !== null && isGiven() ? { f0 } : {}),
      ...(f2 !== null && isGiven() ? { f2 } : {}),
      n: someValue(chance, 'INT'),
      mark: `try-${attempts}`,
    },
  };
}

/** The status of an attempt, its arguments with those of the caller. */
function statusOf({ aggregate, asker, given }: Attempt): 200 | 400 | 403 {
  const kind = aggregate.fields['f0'] ?? 'INT';
  const whole = { f0: asker.who.claims[kind] ?? null, f2: asker.who.subject, ...given };
  if (whole.f0 === null || whole.f2 === null) return 400;
  return truthOf(aggregate.allow, whole, known(asker, { members: [], states: new Map() })) === true ? 200 : 403;
}

function send(served: Served, { aggregate, asker, given }: Attempt, key: string): Promise<Answer> {
  const path = `/api/aggregates/${aggregate.name}/execute/Try${aggregate.name}`;
  return served.post(asker, path, sentArguments(given, aggregate.fields), { 'Idempotency-Key': key });
}

async function eventsOf(served: Served, { aggregate, given }: Attempt): Promise<readonly Cells[]> {
  const path = `/api/aggregates/${aggregate.name}/events/${encodeURIComponent(String(given['id']))}`;
  return (await everyRow(served, path)) ?? [];
}

/** Sends a command, sends it again, and has another caller send it under the same key. */
export async function checkAttempt(
  chance: Chance,
  served: Served,
  domain: TestDomain,
  askers: readonly Asker[],
): Promise<void> {
  const attempt = someAttempt(chance, pick(chance, domain.aggregates), pick(chance, askers));
  const { aggregate, asker, given } = attempt;
  const key = `try-${attempts}`;
  const about = `${asker.name} Try${aggregate.name} ${JSON.stringify(sentArguments(given, aggregate.fields))}`;
  const before = await eventsOf(served, attempt);
  const first = await send(served, attempt, key);
  const expected = statusOf(attempt);
  assert.is(first.status, expected, `${about}: ${first.body.toString()}`);
  if (expected === 403)
    assert.equal(JSON.parse(first.body.toString()), { error: `Try${aggregate.name}: not this one` }, about);
  const after = await eventsOf(served, attempt);
  assert.is(after.length, before.length + (expected === 200 ? 1 : 0), about);
  if (expected !== 200) return;
  await checkOutcome(served, domain, attempt, first, after, false);
  await checkOutcome(served, domain, attempt, await send(served, attempt, key), after, true);

  const other: Attempt = { ...attempt, asker: pick(chance, askers) };
  const second = await send(served, other, key);
  const isOwn = other.asker.who.subject === asker.who.subject;
  // Equal values are asked for: those that a caller fills in are those of a caller with equal claims.
  const allowed = statusOf(other);
  if (allowed !== 200)
    assert.is(second.status, allowed, `${other.asker.name} after ${about}: ${second.body.toString()}`);
  else if (!isOwn) assert.is(second.status, 422, `${other.asker.name} after ${about}: ${second.body.toString()}`);
}

async function checkOutcome(
  served: Served,
  domain: TestDomain,
  { aggregate, asker, given }: Attempt,
  { status, headers, body }: Answer,
  events: readonly Cells[],
  isReplayed: boolean,
): Promise<void> {
  const every = await everything(served, domain);
  const id = String(given['id']);
  const isSeen = seesStream(aggregate, id, asker, every);
  const last = events.at(-1);
  const about = `${asker.name} ${aggregate.name} ${id} ${isReplayed ? 'again' : 'first'}`;
  assert.is(status, 200, about);
  assert.equal(
    jsonRows(body),
    [
      {
        event_type: `${aggregate.name}Put`,
        stream_id: id,
        seq: isSeen ? (last?.['seq'] ?? null) : null,
        status: 'success',
        fields: isSeen || !isReplayed ? (last?.['data'] ?? null) : null,
      },
    ],
    about,
  );
  assert.is(headers.get('etag'), isSeen ? `"${last?.['seq']}"` : null, about);
  assert.is(headers.get('idempotent-replayed'), isReplayed ? 'true' : null, about);
}
