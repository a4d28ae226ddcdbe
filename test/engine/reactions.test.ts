/** Reactions on an engine: parked tasks stay parked, and a long backlog holds nothing else up. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Domain } from '../../language/contract/domain.ts';
import { createReactingEngine, type ReactingEngineOptions } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { pauseReactions } from '../../runtime/delivery/reaction/pause-reactions.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { collect } from '../contract/accounts.ts';
import { domainOf } from '../kit/domain.ts';
import { sent } from '../kit/engine.ts';
import { until } from '../kit/until.ts';
import { freshFolder } from '../store/fresh-folder.ts';

const base = `
CREATE AGGREGATE Box;
CREATE COMMAND Put (box STRING, weight INT);
CREATE COMMAND Note (box STRING, share INT);
CREATE COMMAND Seal (box STRING);
CREATE EVENT Added (weight INT);
CREATE EVENT Sealed ();
CREATE EVENT Noted (share INT);
CREATE DECISION Putting FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (weight := :weight);
CREATE DECISION Sealing FOR Box ON COMMAND Seal EMIT AS SELECT EVENT Sealed ();
CREATE DECISION Noting FOR Box ON COMMAND Note EMIT AS SELECT EVENT Noted (share := :share);
`;

async function engineOn(store: Store, domain: Domain, more: Partial<ReactingEngineOptions> = {}): Promise<Engine> {
  const engine = await createReactingEngine({
    store,
    domain,
    clock: systemClock,
    randomBytes: createSystemRandom(),
    reactions: 'asked',
    ...more,
  });
  if (store.log.schema().length > 0) return engine;
  await register(engine, domain);
  return engine;
}

async function register(engine: Engine, domain: Domain): Promise<void> {
  const changes = domain.blocks.map(({ kind, name, text }) => ({ change: 'put', block: kind, name, text }) as const);
  await engine.adopt(domain, { kind: 'schema', origin: 'files', changes });
}

const put = (engine: Engine, weight: number, box = 'b'): Promise<unknown> =>
  engine.execute({ command: 'Put', arguments: sent({ box, weight: String(weight) }) });

test('a parked task stays parked when the position that was examined is logged', async () => {
  const domain = await domainOf(`${base}
CREATE REACTION Share ON EVENT Added EXECUTE Note (box := 'n', share := 60 / :weight) WHERE :weight < 5;`);
  const directory = `${freshFolder()}/data`;
  const first = await engineOn(await openEmbeddedStore({ directory, readModel: 'inline' }), domain);
  // Nothing is to be done for the first, the second fails, and both are answered in one turn.
  await Promise.all([put(first, 9), put(first, 0)]);
  await first.reactions.settled();
  const parked = await first.reactions.parked('Share', 10);
  assert.equal(
    parked.map(({ position, branch, error }) => [position, branch, error]),
    [[2, '*', 'R0201 division by zero']],
  );
  // Closing it logs how far the reaction has examined the log: up to the event that failed.
  await first.close();
  const again = await engineOn(await openEmbeddedStore({ directory, readModel: 'inline' }), domain);
  await again.reactions.settled();
  const { examined } = await again.reactions.standing('Share');
  assert.equal([await again.reactions.parked('Share', 10), examined], [parked, 2]);
  // A parked task that is answered again is not touched by what is examined meanwhile.
  await put(again, 9);
  await again.reactions.settled();
  assert.equal(await again.reactions.retry('Share', { position: 2, branch: '*' }), [
    { reaction: 'Share', branch: '1', command: 'Note', outcome: 'parked', events: [], error: 'R0201 division by zero' },
  ]);
  await again.close();
});

test('the reactions of an imported log answer nothing until they are started', async () => {
  const domain = await domainOf(`${base}
CREATE REACTION Copy ON EVENT Added EXECUTE Note (box := 'n', share := :weight);
CREATE REACTION Later ON EVENT Added EXECUTE Note (box := 'l', share := :weight) AFTER 0 SECONDS;`);
  const store = await openMemoryStore();
  const silent = await engineOn(store, domain, { reactions: 'never' });
  await put(silent, 1);
  assert.equal(await silent.reactions.settled(), []);
  const { ready } = await silent.reactions.standing('Copy');
  const { waiting } = await silent.reactions.standing('Later');
  const early = silent.reactions.runNow('Later', { position: 1, branch: '1' });
  const refused = await early.then(() => undefined, String);
  assert.equal(
    [ready, waiting, refused],
    [1, 1, 'Refused: this server answers no events; ask another server of the log'],
  );
  assert.equal(await pauseReactions(store, 'log import'), ['Copy', 'Later']);
  const engine = await engineOn(store, domain);
  assert.equal(await engine.reactions.settled(), []);
  assert.is((await engine.reactions.standing('Later')).stopped, 'paused by log import');
  await engine.reactions.start('Copy', undefined, 'ada');
  await engine.reactions.start('Later', 1, 'ada');
  await put(engine, 2);
  assert.equal(
    (await engine.reactions.settled()).map(({ reaction }) => reaction),
    ['Copy', 'Copy', 'Later'],
  );
  await engine.close();
});

const circle = (step: string, more: string): string => `${base}
CREATE COMMAND Step (box STRING);
CREATE EVENT Stepped ();
CREATE DECISION Stepping FOR Box ON COMMAND Step EMIT AS ${step};
CREATE REACTION Again ON EVENT Stepped EXECUTE Step (box := :stream_id)${more};`;
const once = 'SELECT EVENT Stepped ()';
const twice = `${once} UNION ALL ${once}`;
const limits = { commandsPerEvent: 100 };

/** Counts the commands that followed from one, those parked by code, and the seconds that it took; stops after `seconds`. */
async function followed(
  store: Store,
  domain: Domain,
  seconds: number,
  restart?: () => Promise<Store>,
): Promise<string> {
  let now = 1_700_000_000_000_000n;
  const begun = now;
  const open = (on: Store): Promise<Engine> => engineOn(on, domain, { clock: () => now, limits });
  let engine = await open(store);
  await engine.execute({ command: 'Step', arguments: sent({ box: 'b' }) });
  for (;;) {
    await engine.reactions.settled();
    const due = engine.reactions.nextDue();
    if (due === undefined || due > begun + BigInt(seconds) * 1_000_000n) break;
    now = due;
    if (restart === undefined) continue;
    await engine.close();
    engine = await open(await restart());
  }
  const told: Record<string, number> = { commands: -1 };
  for (const entry of await collect(engine.store.log.read(1))) {
    if (entry.kind !== 'command') continue;
    const kind = entry.command === 'Step' ? 'commands' : entry.cells?.failure?.split(' ')[0];
    if (kind !== undefined) told[kind] = (told[kind] ?? 0) + 1;
  }
  const { waiting, ready } = engine.reactions.totals();
  await engine.close();
  return JSON.stringify({ ...told, waiting, ready, seconds: Number(now - begun) / 1e6 });
}

test('a circle in which each step leads to two is parked when too many commands follow from one event', async () => {
  const domain = await domainOf(circle(twice, ''));
  // 100 commands follow from each of the two first events; all 201 commands emit 402 events.
  assert.equal(
    await followed(await openMemoryStore(), domain, 0),
    '{"commands":200,"R0605":202,"waiting":0,"ready":0,"seconds":0}',
  );
});

test('such a circle ends also when each step waits, in the same way after restarts', async () => {
  const domain = await domainOf(circle(twice, ' AFTER 1 SECOND'));
  const directory = `${freshFolder()}/data`;
  const open = (): Promise<Store> => openEmbeddedStore({ directory, readModel: 'inline' });
  // From each of the two first events follow 1, 2, 4 … 64 commands, 100 of 128, and no answer to what these emitted.
  const wanted = '{"commands":454,"R0605":456,"waiting":0,"ready":0,"seconds":9}';
  assert.equal(await followed(await openMemoryStore(), domain, 60), wanted);
  assert.equal(await followed(await open(), domain, 60, open), wanted);
});

test('a command that is sent again each second, and another one each time, is never too much', async () => {
  const domain = await domainOf(`${circle(once, ' AFTER 1 SECOND')}
CREATE REACTION Tell ON EVENT Stepped EXECUTE Note (box := 'n', share := 1);`);
  assert.equal(
    await followed(await openMemoryStore(), domain, 150),
    '{"commands":150,"waiting":1,"ready":0,"seconds":150}',
  );
});

test('what an operator has answered again begins a count of its own', async () => {
  const domain = await domainOf(circle(twice, ''));
  const engine = await engineOn(await openMemoryStore(), domain, { limits: { commandsPerEvent: 10 } });
  await engine.execute({ command: 'Step', arguments: sent({ box: 'b' }) });
  await engine.reactions.settled();
  const [first] = await engine.reactions.parked('Again', 1);
  assert.is(
    first?.error,
    "R0605 reaction 'Again': more than 10 commands follow from the event at position 1; nothing further that follows from it is answered",
  );
  if (first === undefined) return;
  assert.is((await engine.reactions.retry('Again', first)).length, 1);
  const again = await engine.reactions.settled();
  assert.equal(again.map(({ outcome }) => outcome).filter((outcome) => outcome === 'emitted').length, 10);
  await engine.close();
});

test('events of a stream are answered in their order, also those that are read from the log again', async () => {
  const store = await openEmbeddedStore({ directory: `${freshFolder()}/data`, readModel: 'inline' });
  const engine = await engineOn(store, await domainOf(base));
  const many = 10_600;
  for (let first = 1; first <= many; first += 100)
    await store.turns.exclusively((turn) => {
      for (let seq = first; seq < first + 100; seq += 1) {
        const event = { position: seq, id: `${seq}`, type: 'Added', version: 1, seq, data: `{"weight":${seq}}` };
        const stream = { streamType: 'Box', streamId: 'b' };
        turn.append({ kind: 'command', command: 'Put', ...stream, events: [{ ...event, ...stream }] }, systemClock());
      }
    });
  await register(
    engine,
    await domainOf(`${base}
CREATE REACTION Copy FROM START ON EVENT Added EXECUTE Note (box := 'n', share := :weight);`),
  );
  await engine.reactions.settled();
  const shares = (await collect(store.log.read(1))).flatMap((entry) =>
    entry.kind === 'command' && entry.command === 'Note'
      ? entry.events.map(({ data }) => (JSON.parse(data) as { readonly share: number }).share)
      : [],
  );
  assert.equal(
    shares,
    Array.from({ length: many }, (_, index) => index + 1),
  );
  await engine.close();
});

test('a long backlog of one reaction holds up neither another one nor what is due', async () => {
  const store = await openMemoryStore();
  const plain = await domainOf(base);
  const engine = await engineOn(store, plain, { reactions: 'timers' });
  const backlog = 1_500;
  for (let count = 0; count < backlog; count += 1) await put(engine, 1);
  await engine.execute({ command: 'Seal', arguments: sent({ box: 'b' }) });
  const answer = (box: string, event: string): string =>
    `CREATE REACTION ${box} FROM START ON EVENT ${event} EXECUTE Note (box := '${box}', share := 1)`;
  await register(
    engine,
    await domainOf(`${base}
${answer('All', 'Added')};
${answer('Soon', 'Sealed')};
${answer('Due', 'Sealed')} AFTER 0 SECONDS;`),
  );
  const answers = async (): Promise<readonly string[]> =>
    (await collect(store.log.read(1))).flatMap((entry) =>
      entry.kind === 'command' ? entry.events.flatMap(({ type, streamId }) => (type === 'Noted' ? streamId : [])) : [],
    );
  await until(async () => (await answers()).length === backlog + 2);
  const found = await answers();
  // Both are among the first that are answered together.
  for (const name of ['Soon', 'Due']) assert.ok(found.indexOf(name) < 512, `${name} is number ${found.indexOf(name)}`);
  await engine.close();
});

test.run();
