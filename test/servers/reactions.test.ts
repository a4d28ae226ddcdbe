/** Reactions on a log of several servers: each effect happens once, also when one of them stops or is cut off. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { collect } from '../contract/accounts.ts';
import { createChance, seedOf } from '../crash/chance.ts';
import { sent, tell } from '../kit/engine.ts';
import { effects, reactionSchema, wrongEffects } from '../kit/reaction-schema.ts';
import { until } from '../kit/until.ts';
import { severalEngines, type Server, type SeveralEngines } from './several-engines.ts';

async function eventsOf({ engine }: Pick<Server, 'engine'>): Promise<Parameters<typeof wrongEffects>[0]> {
  const entries = await collect(engine.store.log.read(1));
  return entries.flatMap((entry) => (entry.kind === 'command' ? entry.events : []));
}

/** Effects, once they are the wanted ones, and their faults. */
async function untilDone(server: Server, wanted: readonly string[]): Promise<readonly string[]> {
  for (let tries = 0; ; tries += 1) {
    await server.engine.store.turns.fresh().catch(() => undefined);
    const events = await eventsOf(server);
    const found = effects(events);
    if (found.join() === wanted.join() || tries === 400) return [...found, ...wrongEffects(events)];
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

const tickets = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `t${index + 10}`);
/** Sends a command until a server has answered it. */
async function open({ engine }: Server, ticket: string): Promise<void> {
  for (;;) {
    const told = await tell(engine, 'Open', { ticket });
    if (!told.startsWith('R')) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Each Opened and each part of it leads to two parts. */
const splitting = `
CREATE AGGREGATE Ticket;
CREATE COMMAND Open (ticket STRING);
CREATE COMMAND Split (ticket STRING);
CREATE EVENT Opened ();
CREATE DECISION Opening FOR Ticket ON COMMAND Open EMIT AS SELECT EVENT Opened ();
CREATE DECISION Splitting FOR Ticket ON COMMAND Split EMIT AS SELECT EVENT Opened () UNION ALL SELECT EVENT Opened ();
CREATE REACTION Again ON EVENT Opened EXECUTE Split (ticket := :stream_id);
`;

async function run(
  work: (several: SeveralEngines) => Promise<void>,
  schema = reactionSchema,
  chance?: () => number,
): Promise<void> {
  const several = await severalEngines(schema, chance, { reactions: 'timers', step: 10_000_000n });
  try {
    await work(several);
  } finally {
    await several.close();
  }
}

test('an event that is overtaken before it is durable is answered where it is in the log at last', () =>
  run(async ({ add }) => {
    const first = await add('first');
    const other = await add(undefined, { reactions: 'never' });
    const release = first.journal.holdAppends();
    const opening = open(first, 't10');
    await until(() => first.journal.asked.append > 1);
    // Takes the position of the event that the first server is about to append.
    await open(other, 't11');
    release();
    await opening;
    const wanted = ['t10 1 1 1', 't11 1 1 1'];
    assert.equal(await untilDone(first, wanted), wanted);
  }));

test('a mark closes the task of the event that it names, not of another one at the position', () =>
  run(async ({ add }) => {
    const { engine } = await add('first', { reactions: 'never' });
    await engine.execute({ command: 'Open', arguments: sent({ ticket: 't10' }) });
    const [opened] = await eventsOf({ engine });
    const standings: string[] = [];
    for (const causationId of ['of an event that was not kept', opened?.id ?? '']) {
      for (const branch of [{}, { branch: 'Later' }])
        await engine.store.turns.exclusively((turn) =>
          turn.append(
            {
              kind: 'command',
              command: '',
              streamType: '',
              streamId: '',
              events: [],
              causationId,
              cells: { reaction: { name: 'Serve', generation: 1, position: 1, ...branch } },
            },
            0n,
          ),
        );
      const { ready, waiting } = await engine.reactions.standing('Serve');
      standings.push(`${ready} ready, ${waiting} waiting`);
    }
    assert.equal(standings, ['1 ready, 1 waiting', '0 ready, 0 waiting']);
  }));

test('two servers answer each event once, without a lease', () =>
  run(async ({ add }) => {
    const servers = [await add('first'), await add()];
    const all = tickets(30);
    await Promise.all(all.map((ticket, index) => open(servers[index % 2] as Server, ticket)));
    const wanted = all.map((ticket) => `${ticket} 1 1 1`);
    for (const server of servers) assert.equal(await untilDone(server, wanted), wanted);
  }));

test('several servers count alike what follows from one event', () =>
  run(async ({ add }) => {
    const limits = { commandsPerEvent: 60 };
    const shakes = { delay: 2, cutAfter: 0.05, cutBefore: 0.05, away: 5 };
    const servers = [await add('first', { limits }), await add(shakes, { limits }), await add(shakes, { limits })];
    await open(servers[0] as Server, 't10');
    const told = async (): Promise<readonly number[]> => {
      const entries = await collect((servers[0] as Server).engine.store.log.read(1));
      const commands = entries.filter((entry) => entry.kind === 'command' && entry.command === 'Split');
      const parked = entries.filter((entry) => entry.kind === 'command' && entry.cells?.failure !== undefined);
      return [commands.length, parked.length];
    };
    // 60 commands emit 120 events; with the first one 61 are not answered.
    await until(async () => (await told()).join() === '60,61' || (await told()).some((count) => count > 61));
    assert.equal(await told(), [60, 61]);
  }, splitting));

test('a command whose event cannot be read at its time is executed once the log is back', () =>
  run(async ({ add }) => {
    const faults: unknown[] = [];
    // Tasks that wait for long have no event in memory: it is read from the log.
    let now = 1_800_000_000_000_000n;
    const { engine, journal } = await add('first', {
      reactions: 'asked',
      clock: () => now,
      onFault: (error) => faults.push(error),
    });
    const all = tickets(6);
    for (const ticket of all) await engine.execute({ command: 'Open', arguments: sent({ ticket }) });
    await engine.reactions.settled();
    now += 60_000_000n;
    journal.goAway();
    await engine.reactions.settled();
    journal.comeBack();
    await until(async () => {
      await engine.reactions.settled();
      return wrongEffects(await eventsOf({ engine })).length === 0;
    }, 20_000);
    assert.equal(faults, []);
  }));

test('a server that stops dead is replaced by the others; nothing is lost and nothing is done twice', () => {
  const chance = createChance(seedOf('reactions'));
  const fraction = (): number => chance.below(1_000_000) / 1_000_000;
  return run(
    async ({ add }) => {
      const first = await add('first');
      const lost = await add({ delay: 3, cutAfter: 0.1, cutBefore: 0.1, away: 20 });
      const third = await add({ delay: 3, cutAfter: 0.05, cutBefore: 0.05, away: 10 });
      const all = tickets(24);
      const opening = all.map((ticket, index) => open(index % 2 === 0 ? first : third, ticket));
      await new Promise((resolve) => setTimeout(resolve, 60));
      lost.journal.freeze();
      await Promise.all(opening);
      const wanted = all.map((ticket) => `${ticket} 1 1 1`);
      assert.equal(await untilDone(first, wanted), wanted);
    },
    reactionSchema,
    fraction,
  );
});

test('a server that starts late finds in the log what is still to do', () =>
  run(async (several) => {
    const first = await several.add('first');
    first.journal.shake({ delay: 0, cutAfter: 0, cutBefore: 0, away: 0 });
    await first.engine.execute({ command: 'Open', arguments: sent({ ticket: 't10' }) });
    first.journal.freeze();
    const second = await several.add();
    assert.equal(await untilDone(second, ['t10 1 1 1']), ['t10 1 1 1']);
  }));

test.run();
