/**
 * `npm run start:servers [-- name [number]]`: builds the example `examples/<name>` (default `bike-rental`) with an event store in
 * PostgreSQL, and serves it with that number of servers (default 2) on one log, until it is stopped. The database is that of
 * `DATABASE_URL`, else one that is started for it and gone afterwards.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startDatabase } from '../test/kit/database.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [name = 'bike-rental', count = '2'] = process.argv.slice(2);
const tool = join(root, 'dist/cli/main.js');
const schema = join(root, 'examples', name, 'schema');
const firstPort = 8080;

function step(parameters: readonly string[]): void {
  const { status } = spawnSync(process.execPath, parameters, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

if (!/^[a-z0-9-]+$/.test(name) || !existsSync(schema) || !/^[1-9]$/.test(count)) {
  console.error('takes the name of a folder in examples/ and a number of servers from 1 to 9');
  process.exit(2);
}
const database = await startDatabase();
if ('missing' in database) {
  console.error(database.missing);
  process.exit(3);
}
if (!existsSync(tool)) step(['--import=tsx', join(root, 'scripts/build.ts')]);
const folder = mkdtempSync(join(tmpdir(), 'schemac-servers-'));
const store = join(folder, 'store.schema');
writeFileSync(
  store,
  "CREATE EVENTSTORE servers WITH (default = true, durable.type = 'postgres', durable.url = ENV('DATABASE_URL'), durable.namespace = 'schemac_servers');\n",
);
const generated = join(folder, 'generated');
step([tool, 'build', schema, store, '-o', generated]);

const servers: ChildProcess[] = [];
const environment = { ...process.env, DATABASE_URL: database.url };
/** The first one creates the registry; the others find it. */
const startOne = (port: number): Promise<void> =>
  new Promise((resolve) => {
    const words = [
      tool,
      'start',
      generated,
      '--eventstore',
      'servers',
      '--port',
      String(port),
      '--data',
      join(folder, `data-${port}`),
    ];
    const server = spawn(process.execPath, words, { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
    servers.push(server);
    server.stdout.on('data', (text: Buffer) => {
      process.stdout.write(text);
      resolve();
    });
    server.once('exit', () => resolve());
  });
const stopOne = async (server: ChildProcess): Promise<void> => {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
};
const stop = async (): Promise<void> => {
  await Promise.all(servers.map(stopOne));
  await database.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
for (let at = 0; at < Number(count); at += 1) await startOne(firstPort + at);
// A database of one's own may have a real password; that of the one that was started here is worth nothing.
const isOwn = process.env['DATABASE_URL'] !== undefined;
console.log(`the log is in ${isOwn ? '"$DATABASE_URL"' : database.url}, namespace schemac_servers`);
