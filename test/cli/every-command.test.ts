/**
 * Each command of the tool ends with the status for its result and prints the result, however long the log is that it opens, also while the
 * tables are computed from the whole log. SCHEMAC_COMMAND_LOGS gives sizes of logs in megabytes: on each of them all commands run, with and
 * without an image, with both read engines or that of SCHEMAC_COMMAND_ENGINES, and while a server runs. Without it one command runs on one
 * log.
 */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { declarations } from '../../cli/declarations.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runTool, startTool, type ToolResult } from '../kit/tool.ts';
import { watchOutput, type WatchedOutput } from '../kit/watch-output.ts';
import { files, ownCommands, storeCommands, type CommandRow } from './command-rows.ts';
import { removeImages, writeLongLog, type LongLog } from './long-log.ts';

const sizes = (process.env['SCHEMAC_COMMAND_LOGS'] ?? '').split(' ').filter((size) => size !== '');
const engines = (process.env['SCHEMAC_COMMAND_ENGINES'] ?? 'memory disk').split(' ') as readonly Place['engine'][];
/** For one command, also on a busy machine: longer than any takes, so that one that does not end is known. */
const millisecondsFor = (megabytes: number): number => 90_000 + 2_000 * megabytes;
const joined = /^schemac: on .*, in the server that runs there \(process \d+\)\n$/;

interface Place {
  readonly label: string;
  readonly folder: string;
  readonly notes: number;
  readonly milliseconds: number;
  readonly engine: 'memory' | 'disk';
  readonly beside?: boolean;
  readonly environment?: Readonly<Record<string, string>>;
}

async function place(folder: string, log: LongLog): Promise<Omit<Place, 'label' | 'engine'>> {
  const notes = await writeLongLog(folder, log);
  writeFiles(folder, files);
  return { folder, notes, milliseconds: millisecondsFor(log.megabytes) };
}

async function outcome({ words, input = '', until }: CommandRow, on: Place): Promise<ToolResult> {
  const { milliseconds } = on;
  const options = { cwd: on.folder, environment: { SCHEMAC_READ_ENGINE: on.engine, ...on.environment } };
  if (until === undefined || on.beside === true) return runTool(words, { ...options, input, milliseconds });
  const output = watchOutput(startTool(words, options));
  await output.until(until, milliseconds);
  return { status: await stopped(output, milliseconds), stdout: '', stderr: '' };
}

/** The status of a command that was asked to stop; null if it did not in time. */
async function stopped(output: WatchedOutput, milliseconds: number): Promise<number | null> {
  const late = setTimeout(() => output.signal('SIGKILL'), milliseconds);
  const status = await output.stop();
  clearTimeout(late);
  return status;
}

/** `text` itself where the expectation holds, so that a failure shows both. */
function expected(text: string, wanted: string | RegExp): string {
  if (typeof wanted === 'string') return wanted;
  return wanted.test(text) ? text : String(wanted);
}

async function check(row: CommandRow, on: Place): Promise<void> {
  // At once, so that a long run shows where it is.
  if (sizes.length > 0) console.error(`${on.label}: schemac ${row.words.join(' ')}`);
  const result = await outcome(row, on);
  const { status, stdout, stderr } = on.beside === true ? (row.beside ?? row) : row;
  const quiet = on.beside === true && joined.test(result.stderr) ? joined : '';
  assert.equal(
    result,
    {
      status,
      stdout: expected(result.stdout, stdout?.(on.notes) ?? ''),
      stderr: expected(result.stderr, stderr ?? quiet),
    },
    `${on.label}: schemac ${row.words.join(' ')}`,
  );
  for (const made of row.makes ?? []) rmSync(join(on.folder, made), { recursive: true, force: true });
}

test('the table has every command', () => {
  const words = [...storeCommands, ...ownCommands].map((row) => `${row.words.join(' ')} `);
  const missing = declarations.filter(({ name }) => !words.some((line) => line.startsWith(`${name} `)));
  assert.equal(
    missing.map(({ name }) => name),
    [],
  );
});

/** Loads a module into the process of a tool before its own. */
const preload = (module: string): Readonly<Record<string, string>> => ({
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(module)}`,
});

/** Threads that take their time with each message. */
const slowThreads = (milliseconds: number): string => `import { isMainThread, parentPort } from 'node:worker_threads';
  const cell = new Int32Array(new SharedArrayBuffer(4));
  const pause = () => void Atomics.wait(cell, 0, 0, ${milliseconds});
  if (!isMainThread && parentPort !== null) {
    const { on } = parentPort;
    parentPort.on = (event, listener) => on.call(parentPort, event, (message) => (pause(), listener(message)));
  }`;

test('a log whose tables are computed from more than is sent to them at once', () =>
  withTempFolder(async (folder) => {
    const made = await place(folder, { megabytes: 40, body: 200_000 });
    const on: Place = { ...made, label: '40 MB', engine: 'memory', environment: preload(slowThreads(80)) };
    const [run] = storeCommands;
    if (run !== undefined) await check(run, on);
  }));

test('a command that nothing is left to finish ends as a bug, with 3', async () => {
  // The thread of Node's own that loads modules still keeps the process, so that the other threads answer later than it ends.
  const environment = preload(`${slowThreads(3_000)}
    import { Worker } from 'node:worker_threads';
    const { ref } = Worker.prototype;
    Worker.prototype.ref = function () { if (this.constructor !== Worker) ref.call(this); };`);
  const { status, stderr } = await runTool(['run', '-'], {
    input: 'SELECT 1 AS one;',
    environment,
    milliseconds: millisecondsFor(0),
  });
  assert.equal(
    [status, stderr.split('\n')[0]],
    [3, 'schemac: internal error: the work is not finished, and nothing is left that would finish it'],
  );
});

/** Runs all commands on one store; `fresh` says whether each of them has to compute the tables from the log. */
async function checkAll(on: Place, fresh: boolean): Promise<number> {
  for (const row of storeCommands) {
    if (fresh) removeImages(on.folder);
    await check(row, on);
  }
  return storeCommands.length;
}

/** Does the work while a server has the store. */
async function serving<T>(folder: string, engine: string, milliseconds: number, work: () => Promise<T>): Promise<T> {
  const environment = { SCHEMAC_READ_ENGINE: engine };
  const server = watchOutput(startTool(['start', '--port', '0', '--data', 'data'], { cwd: folder, environment }));
  await server.until('serving on', milliseconds);
  try {
    return await work();
  } finally {
    await stopped(server, milliseconds);
  }
}

for (const size of sizes) {
  test(`every command on a log of ${size} MB`, () =>
    withTempFolder(async (folder) => {
      const made = await place(folder, { megabytes: Number(size), body: 2_000 });
      let runs = 0;
      for (const engine of engines) {
        runs += await checkAll({ ...made, engine, label: `${size} MB, ${engine}, without an image` }, true);
        // A server leaves the image of its engine.
        await serving(folder, engine, made.milliseconds, () => Promise.resolve());
        const image = engine === 'disk' ? 'read-model.db' : 'snapshot-';
        assert.ok(
          readdirSync(join(folder, 'data')).some((name) => name.startsWith(image)),
          `no ${image}`,
        );
        runs += await checkAll({ ...made, engine, label: `${size} MB, ${engine}, with an image` }, false);
        const beside = { ...made, engine, beside: true, label: `${size} MB, ${engine}, beside a server` };
        runs += await serving(folder, engine, made.milliseconds, () => checkAll(beside, false));
      }
      console.log(`commands: ${runs} on a log of ${size} MB with ${made.notes} events, ${engines.join(' and ')}`);
    }));
}

if (sizes.length > 0)
  test('every command that opens no store', () =>
    withTempFolder(async (folder) => {
      const on: Place = { ...(await place(folder, { megabytes: 0.01, body: 1_000 })), engine: 'memory', label: 'none' };
      assert.ok(existsSync(join(folder, 'schema')));
      for (const row of ownCommands) await check(row, on);
      console.log(`commands: ${ownCommands.length} without a store`);
    }));

test.run();
