/** The past and rehearsals: a key AS OF, a projection AS OF half of the history, recorded commands decided again, and what recording costs. */
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { rehearse } from '../../runtime/engine/rehearse.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { accounts, depositMany } from '../accounts.ts';
import { alternate, cpuTimed, median, type Figure } from '../measure.ts';
import { report } from '../report.ts';

type Recorded = 'keyed' | 'emitted';

await report(async ({ folder, quick, rounds }) => {
  const events = quick ? 100_000 : 1_000_000;
  const streams = events / 10;
  const directory = mkdtempSync(join(folder, 'data-'));
  const session = await open(
    await openEmbeddedStore({ directory, readModel: 'inline', maxBytes: Infinity, fsync: false }),
    'emitted',
  );
  await fill(session, events, streams);
  const label = events.toLocaleString('en');

  const one = (asOf: string): Promise<number> =>
    cpuTimed(() => run(session, `SELECT balance FROM Reg."Account$Agg" WHERE id = 'A-7'${asOf};`));
  // Each question is about another moment: a moment that was found before costs less.
  let asked = events / 2;
  const [then, now] = await alternate(
    rounds,
    () => one(` AS OF POSITION ${asked++}`),
    () => one(''),
  );

  // Each on its own: a read model of the past is kept for a while.
  const total = (position: number): Promise<number> =>
    cpuTimed(() => run(session, `SELECT balance, moves FROM Reg."Total" AS OF POSITION ${position};`));
  const whole = await total(events);
  const half = await total(events / 2);

  const { engine } = session;
  const domain = engine.domain();
  let decided = 0;
  const again = await cpuTimed(async () => {
    const options = { before: domain, after: domain };
    for await (const { kind } of rehearse(engine.store, options)) {
      if (kind !== 'same') throw new Error(`a command was decided otherwise: ${kind}`);
      decided += 1;
    }
  });
  await session.close();

  const many = quick ? 5_000 : 50_000;
  const rate = async (recorded: Recorded): Promise<number> => {
    const fresh = await open(await openMemoryStore(), recorded);
    const milliseconds = await cpuTimed(() => fill(fresh, many, many / 10));
    await fresh.close();
    return (milliseconds * 1000) / many;
  };
  const kept: number[] = [];
  const none: number[] = [];
  for (let round = 0; round <= rounds; round++) {
    const [a, b] = [await rate('emitted'), await rate('keyed')];
    if (round === 0) continue;
    kept.push(a);
    none.push(b);
  }
  const recording = [median(kept), median(none)] as const;

  const figures: readonly Figure[] = [
    {
      name: `a state of 10 events AS OF half of ${label} events : live`,
      unit: 'ms CPU more',
      goal: { at: 'most', value: 5 },
      value: then - now,
      sides: [then, now],
    },
    {
      name: `a projection AS OF half of ${label} events : its full replay`,
      unit: 'ratio (ms CPU)',
      goal: { at: 'most', value: 0.7 },
      value: half / whole,
      sides: [half, whole],
    },
    {
      name: `commands decided again, keyed folds, of ${label}`,
      unit: 'a second of processor time',
      goal: { at: 'least', value: 50_000 },
      value: (decided * 1000) / again,
    },
    {
      name: "commands with envelope.commands = 'emitted' : 'keyed'",
      unit: 'ratio (µs CPU a command)',
      goal: { at: 'most', value: 1.1 },
      value: recording[0] / recording[1],
      sides: recording,
    },
  ];
  return figures;
});

async function open(store: Store, recorded: Recorded): Promise<OpenSession> {
  const session = await openSession({ store, version: '0.0.0' });
  await run(
    session,
    `CREATE EVENTSTORE kept WITH (durable.type = 'memory', envelope.commands = '${recorded}'); ${accounts} SELECT 1;`,
  );
  return session;
}

async function run(session: OpenSession, text: string): Promise<void> {
  for await (const outcome of session.run({ name: 'bench', text }))
    if (outcome.kind === 'error') throw new Error(outcome.problems.map(({ message }) => message).join('; '));
}

/** Commands on the streams in turn. */
function fill({ engine }: OpenSession, count: number, streams: number): Promise<number> {
  return depositMany(engine, count, 256, (number) => `A-${number % streams}`);
}
