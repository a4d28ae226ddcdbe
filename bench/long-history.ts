/**
 * A history of many events on disk: `npm run bench:long -- 20000000 /folder`. The log is written as the store would write it, without deciding
 * each command; then a server builds its files from it, is restarted, and answers. A folder that has the log is used again, with its files.
 */
import { mkdirSync, existsSync, readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nodeDisk, systemRandom } from '../runtime/store/disk/node-disk.ts';
import { openLog } from '../runtime/store/log/log.ts';
import { domainOf, generatedServer, openEngine } from './accounts.ts';
import { median } from './measure.ts';
import { residentBytes, rowsPerSecond } from './server-reads.ts';
import { startServer, type Serving } from './tool.ts';
import { writeDeposits } from './write-deposits.ts';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const [given = '20000000', folder = join(tmpdir(), `schemac-long-${given}`)] = process.argv.slice(2);
const events = Number(given);
const streams = Math.max(1, events / 10);
const data = join(folder, 'data');

const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)} ${text}`);

/** 64 commands a frame. */
async function writeLog(): Promise<void> {
  const engine = await openEngine(await domainOf(), data, 'memory');
  await engine.close();
  const journal = await openLog({
    directory: data,
    disk: nodeDisk,
    random: systemRandom,
    fsync: false,
    rolloverBytes: 64 * 1024 * 1024,
    log: (level, message) => say(`${level}: ${message}`),
    lost: () => undefined,
  });
  await writeDeposits(journal, events, 64);
  await journal.close();
}

function bytes(isPart: (name: string) => boolean): number {
  return readdirSync(data)
    .filter(isPart)
    .reduce((sum, name) => sum + statSync(join(data, name)).size, 0);
}

async function answered(server: Serving, path: string): Promise<string> {
  for (;;) {
    const answer = await fetch(`${server.url}${path}`, { headers: { Accept: 'application/json' } });
    const text = await answer.text();
    if (answer.ok) return text;
    if (answer.status !== 503) throw new Error(`${path} answered ${answer.status}: ${text}`);
    await new Promise((next) => setTimeout(next, 20));
  }
}

const environment = { SCHEMAC_READ_ENGINE: 'disk' };
const start = async (generated: string): Promise<{ readonly server: Serving; readonly milliseconds: number }> => {
  const began = performance.now();
  const server = await startServer(root, generated, data, environment);
  await answered(server, '/api/projections/Total/query');
  return { server, milliseconds: performance.now() - began };
};
const memory = (server: Serving): string => `${Math.round(residentBytes(server.child.pid) / 2 ** 20)} MiB resident`;

mkdirSync(folder, { recursive: true });
if (!existsSync(data)) {
  const began = performance.now();
  await writeLog();
  say(`the log was written in ${Math.round((performance.now() - began) / 1000)} s`);
}
const generated = await generatedServer(folder);
const isNew = !existsSync(join(data, 'read-model.db'));
const built = await start(generated);
const seconds = built.milliseconds / 1000;
if (isNew) say(`built in ${Math.round(seconds)} s, ${Math.round(events / seconds)} events/s; ${memory(built.server)}`);
say(await answered(built.server, '/api/projections/Total/query'));
await built.server.stop();
const starts: number[] = [];
for (let round = 0; round < 3; round++) {
  const { server, milliseconds } = await start(generated);
  starts.push(milliseconds);
  say(`restart to the first answer: ${Math.round(milliseconds)} ms; ${memory(server)}`);
  await server.stop();
}
say(`restart, median: ${Math.round(median(starts))} ms`);
const { server } = await start(generated);
const ask = async (what: string, path: string, init?: (number: number) => RequestInit): Promise<void> => {
  const times: number[] = [];
  for (let number = 0; number < 200; number++) {
    const began = performance.now();
    const answer = await fetch(
      `${server.url}${path.replace('{}', String((number * 9973) % streams).padStart(8, '0'))}`,
      init?.(number),
    );
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    times.push(performance.now() - began);
  }
  say(`${what}, median of 200: ${median(times).toFixed(2)} ms`);
};
await ask('a state', '/api/aggregates/Account/A-{}');
await ask('a foldable row', '/api/projections/Balances/query?id=A-{}');
await ask('a command on a stream of the files', '/api/aggregates/Account/execute/Deposit', (number) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify({ id: `A-${String((number * 7919) % streams).padStart(8, '0')}`, amount: 5, teller: 'x' }),
}));
const reading = await rowsPerSecond(
  `${server.url}/api/aggregates/Account/events?limit=1000000`,
  server.child.pid ?? 0,
  Math.min(events, 1_000_000),
);
say(`GET of 1,000,000 events: ${Math.round(reading.rate)} rows/s`);
say(`in the end ${memory(server)}`);
await server.stop();
const mebibytes = (isPart: (name: string) => boolean): number => Math.round(bytes(isPart) / 1e6);
say(
  `on disk, MB: log ${mebibytes((name) => name.endsWith('.seg'))}, tables ${mebibytes((name) => name === 'read-model.db')}, heads and ids ${mebibytes((name) => name.endsWith('.idx'))}`,
);
