/**
 * S: a server under steady load for long. Memory and descriptors must not grow with what was asked, only with what is stored, so the history is written first and then does not change: reads of all kinds, refused commands, console queries, connections that come and go.
 *
 *   npm run test:soak            30 minutes
 *   npm run test:soak -- 10      that many
 *
 * Prints the slope of resident memory after the first third, with two standard errors, and the spread of open descriptors.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { constants, setPriority } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runTool, startTool } from '../kit/tool.ts';
import { watchOutput } from '../kit/watch-output.ts';

const minutes = Number(process.argv[2] ?? 30);
const events = 20_000;
const clients = 8;
/** The pause between two requests of a client. */
const thinking = 40;
const lookEvery = 5000;

const schema = `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0;
CREATE PROJECTION Sums AS SELECT stream_id AS box, SUM(data.n) AS total FROM Reg."Box$Events" GROUP BY stream_id;
`;

interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly accept?: string;
  /** 200 by default. */
  readonly status?: number;
}

const put = (box: number, n: number): Ask => ({
  method: 'POST',
  path: '/api/aggregates/Box/execute/Put',
  body: { box_id: `b-${box}`, n },
});
const asked: readonly Ask[] = [
  put(1, 0),
  put(2, -1),
  { method: 'GET', path: '/api/projections/Sums/query?limit=20' },
  { method: 'GET', path: '/api/aggregates/Box/events/b-7' },
  { method: 'GET', path: '/api/aggregates/Box/events?after=19000&limit=500' },
  { method: 'GET', path: '/api/projections/Sums/query?limit=20', accept: 'application/vnd.apache.arrow.stream' },
  { method: 'POST', path: '/api/query', body: { sql: 'SELECT COUNT(*) AS n FROM Reg."Box$Events"' } },
  { method: 'GET', path: '/api/aggregates/Nope', status: 404 },
  { method: 'GET', path: '/ready' },
  { method: 'GET', path: '/metrics' },
];

/** The status; `closing` uses a connection of its own. */
function ask(
  port: number,
  agent: Agent,
  { method, path, body, accept = 'application/json' }: Ask,
  closing: boolean,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Accept: accept, 'Content-Type': 'application/json' };
    const sent = request({ port, method, path, headers, agent: closing ? false : agent }, (answer) => {
      answer.resume();
      answer.on('end', () => resolve(answer.statusCode ?? 0));
      answer.on('error', reject);
    });
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

interface Look {
  readonly hours: number;
  readonly mebibytes: number;
  readonly descriptors: number;
}

function look(pid: number, started: number): Look {
  const [, kibibytes = '0'] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return {
    hours: (performance.now() - started) / 3_600_000,
    mebibytes: Number(kibibytes) / 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
  };
}

/** Least squares: MiB an hour, and two standard errors of that. */
function slopeOf(looks: readonly Look[]): readonly [slope: number, error: number] {
  const mean = (of: (one: Look) => number): number => looks.reduce((sum, one) => sum + of(one), 0) / looks.length;
  const hours = mean((one) => one.hours);
  const mebibytes = mean((one) => one.mebibytes);
  const spread = looks.reduce((sum, one) => sum + (one.hours - hours) ** 2, 0);
  const slope = looks.reduce((sum, one) => sum + (one.hours - hours) * (one.mebibytes - mebibytes), 0) / spread;
  const rest = looks.reduce((sum, one) => sum + (one.mebibytes - mebibytes - slope * (one.hours - hours)) ** 2, 0);
  return [slope, 2 * Math.sqrt(rest / (looks.length - 2) / spread)];
}

async function soak(port: number, pid: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  for (let n = 0; n < events; n += 32)
    await Promise.all(Array.from({ length: 32 }, (_, at) => ask(port, agent, put((n + at) % 500, 1), false)));
  const started = performance.now();
  const statuses = new Map<number, number>();
  let over = false;
  const client = async (number: number): Promise<void> => {
    for (let count = number; !over; count += 1) {
      const what = asked[count % asked.length] ?? put(0, 0);
      const status = await ask(port, agent, what, count % 7 === 0);
      if (status !== (what.status ?? 200)) throw new Error(`${what.method} ${what.path} is answered with ${status}`);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await pause(thinking);
    }
  };
  const working = Promise.all(Array.from({ length: clients }, (_, number) => client(number)));
  const looks: Look[] = [];
  while (performance.now() - started < minutes * 60_000) {
    await pause(lookEvery);
    looks.push(look(pid, started));
  }
  over = true;
  await working;
  agent.destroy();
  const warm = looks.slice(Math.floor(looks.length / 3));
  const [slope, error] = slopeOf(warm);
  const descriptors = warm.map((one) => one.descriptors);
  const memory = warm.map((one) => one.mebibytes);
  const answers = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  console.log(`${minutes} min, ${events} events, answers ${answers.join(', ')}`);
  console.log(
    `memory ${Math.min(...memory).toFixed(1)} to ${Math.max(...memory).toFixed(1)} MiB, slope ${slope.toFixed(1)} ± ${error.toFixed(1)} MiB/h`,
  );
  console.log(`descriptors ${Math.min(...descriptors)} to ${Math.max(...descriptors)}`);
}

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
await withTempFolder(async (folder) => {
  writeFiles(folder, { 'schema/box.schema': schema });
  const built = await runTool(['build', 'schema'], { cwd: folder });
  if (built.status !== 0) throw new Error(built.stderr);
  const child = startTool(['start', '--port', '0', '--data', 'data', '--enable-query'], { cwd: folder });
  const output = watchOutput(child);
  try {
    const [, port = ''] = /http:\S+:(\d+),/.exec(await output.until(', data ')) ?? [];
    await soak(Number(port), child.pid ?? 0);
  } finally {
    await output.stop();
  }
});
