/**
 * Figures of the store on this machine: `node --conditions=schemac-source --import tsx test/store/measure.ts [events] [folder]`.
 * Appends per second in groups that share a sync, time to open and to replay, memory of the read model per event, time of
 * queries and of finding recorded command ids.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import type { Store } from '../../runtime/store/store.ts';
import { createCommandHash, createCommandIndex } from '../../runtime/store/turns/command-index.ts';
import { accounts, balances, bigint, column, command, count, query, text } from '../contract/accounts.ts';

const events = Number(process.argv[2] ?? 200_000);
const folder = mkdtempSync(join(process.argv[3] ?? tmpdir(), 'schemac-measure-'));
const now = 1_700_000_000_000_000n;

function say(what: string, figure: string): void {
  console.log(`${what.padEnd(58)} ${figure.padStart(16)}`);
}
const perSecond = (many: number, milliseconds: number): string =>
  `${Math.round((many / milliseconds) * 1000).toLocaleString('en')}/s`;
const rounded = (figure: number, unit: string): string =>
  `${figure >= 10 ? Math.round(figure) : figure.toFixed(2)} ${unit}`;

async function timed<T>(work: () => Promise<T>): Promise<readonly [result: T, milliseconds: number]> {
  const started = performance.now();
  const result = await work();
  return [result, performance.now() - started];
}

async function append(store: Store, stream: number, id: string): Promise<void> {
  await store.turns.exclusively(async (turn) => {
    const to = `ACC-${stream}`;
    if ((await turn.recorded('Account', to, id)) !== undefined) return;
    const payload = { amount: '12.50', balance: '1234.50' };
    turn.append(await command(turn, 'Deposit', to, [['Deposited', payload]], id), now);
  });
}

async function appendAll(store: Store, many: number, clients: number, label: string): Promise<number> {
  let next = 0;
  const [, milliseconds] = await timed(() =>
    Promise.all(
      Array.from({ length: clients }, async () => {
        for (let number = next++; number < many; number = next++)
          await append(store, number % 10_000, `${label}-${number}`);
      }),
    ),
  );
  return milliseconds;
}

try {
  const directory = join(folder, 'data');
  const options = { directory, readModel: 'worker', maxBytes: Infinity } as const;
  let store = await openEmbeddedStore(options);
  await store.tables.adopt(accounts);
  for (const clients of [1, 32, 64, 256]) {
    const many = clients === 1 ? 2000 : Math.max(10_000, Math.round(events / 20));
    say(
      `appends, each of ${clients} clients waits for its answer`,
      perSecond(many, await appendAll(store, many, clients, `g${clients}`)),
    );
  }
  const made = store.turns.position().event;
  await appendAll(store, events - made, 512, 'rest');
  await store.close();

  const files = readdirSync(directory).map((name) => [name, statSync(join(directory, name)).size] as const);
  const logBytes = files.filter(([name]) => name.startsWith('log-')).reduce((sum, [, size]) => sum + size, 0);
  say('log, bytes an event', rounded(logBytes / events, 'B'));
  const [snapshot] = files
    .filter(([name]) => name.startsWith('snapshot-'))
    .sort()
    .slice(-1);
  if (snapshot !== undefined) say('read model, bytes an event', rounded(snapshot[1] / events, 'B'));

  for (const place of ['worker', 'inline'] as const) {
    let milliseconds;
    [store, milliseconds] = await timed(() => openEmbeddedStore({ ...options, readModel: place }));
    say(`open with a snapshot, ${place}`, rounded(milliseconds, 'ms'));
    [, milliseconds] = await timed(() => store.tables.adopt(accounts).then(() => count(store)));
    say(`adopt and first query, ${place}`, rounded(milliseconds, 'ms'));
    const one = query(
      'SELECT balance FROM "a$Account" WHERE aggregate_id = ?1',
      [column('b', bigint)],
      [{ name: 'id', type: text }],
    );
    await store.tables.query(one, ['ACC-1']);
    [, milliseconds] = await timed(async () => {
      for (let round = 0; round < 2000; round += 1) await store.tables.query(one, [`ACC-${round}`]);
    });
    say(`query of one stream's state, ${place}`, perSecond(2000, milliseconds));
    [, milliseconds] = await timed(async () => {
      await store.turns.exclusively(async (turn) => {
        for (let round = 0; round < 2000; round += 1) {
          turn.append(
            await command(turn, 'Deposit', `ACC-${round}`, [['Deposited', { amount: '1.00', balance: '1.00' }]]),
            now,
          );
          await turn.query(one, [`ACC-${round}`]);
        }
      });
    });
    say(`append and query of it in one turn, ${place}`, perSecond(2000, milliseconds));
    [, milliseconds] = await timed(() => store.tables.query(balances, []));
    say(`10,000 rows out of a view over all events, ${place}`, rounded(milliseconds, 'ms'));
    await store.close();
  }
  for (const name of readdirSync(directory)) if (name.startsWith('snapshot-')) rmSync(join(directory, name));
  let milliseconds;
  [store, milliseconds] = await timed(() => openEmbeddedStore(options));
  say(
    'open without a snapshot: check all frames, rebuild heads',
    perSecond(store.turns.position().entry, milliseconds),
  );
  [, milliseconds] = await timed(() => store.tables.adopt(accounts).then(() => count(store)));
  say('replay into the read model', perSecond(store.turns.position().entry, milliseconds));
  [, milliseconds] = await timed(() =>
    store.turns.exclusively(async (turn) => {
      for (let round = 0; round < 1000; round += 1)
        if ((await turn.recorded('Account', `ACC-${round}`, `rest-${round}`)) === undefined)
          throw new Error('not found');
    }),
  );
  say('finding records of command ids', perSecond(1000, milliseconds));
  say('memory of this process', rounded(process.memoryUsage().rss / 1024 / 1024, 'MiB'));
  await store.close();

  const hash = createCommandHash('00112233445566778899aabbccddeeff');
  const index = createCommandIndex();
  const before = process.memoryUsage().arrayBuffers;
  const [, building] = await timed(async () => {
    for (let number = 1; number <= 1_000_000; number += 1)
      index.add(hash('Account', `ACC-${number % 10_000}`, `c-${number}`), number);
    await Promise.resolve();
  });
  say('command index: adds', perSecond(1_000_000, building));
  say('command index: bytes a command', rounded((process.memoryUsage().arrayBuffers - before) / 1_000_000, 'B'));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
