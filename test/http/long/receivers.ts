import { writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { receivers } from '../../peers/receivers.ts';
import { startReceivers } from '../../peers/start-receivers.ts';
import { freshFolder } from '../../store/fresh-folder.ts';
import { ask, quantile, type Answered } from './ask.ts';
import type { LongFigure } from './figure.ts';
import { pause, readings, serveLong, type Served } from './serving.ts';

const MiB = 1024 * 1024;
/** Commands a second, each of another stream than the one before. */
const rate = 50;

/** 50 commands a second while every row goes to a receiver that behaves badly, each kind for a time, under `ulimit -n 1024`. */
export async function badReceivers(minutes: number): Promise<readonly LongFigure[]> {
  const away = await startReceivers();
  const config = join(freshFolder(), 'schemac.config.json');
  writeFileSync(config, JSON.stringify({ push: { allowedHosts: [`127.0.0.1:${away.port}`] } }));
  const server = await serveLong(0, 0, readings, {
    words: ['--config', config, '--enable-create'],
    environment: { RECEIVER_KEY: `whsec_${Buffer.alloc(32).toString('base64')}` },
    descriptors: 1024,
  });
  const kinds = Object.keys(receivers);
  const seconds = (minutes * 60) / kinds.length;
  const alone = await commands(server, seconds);
  const before = server.residentBytes();
  const found: { readonly kind: string; readonly worst: number; readonly p99: number }[] = [];
  let [most, resident, refused] = [0, before, 0];
  for (const kind of kinds) {
    await replaceWebhook(server, `http://127.0.0.1:${away.port}/${kind}`);
    const run = await commands(server, seconds);
    found.push({ kind, worst: run.worst, p99: run.p99 });
    most = Math.max(most, run.descriptors);
    resident = Math.max(resident, server.residentBytes());
    refused += run.refused;
  }
  await server.stop();
  away.stop();
  const slowest = [...found].sort((one, other) => other.worst - one.worst).slice(0, 5);
  const shown = (time: number): string => time.toFixed(0);
  return [
    {
      name: `worst of ${rate} commands a second beside each of ${kinds.length} receivers`,
      value: slowest[0]?.worst ?? Number.NaN,
      unit: 'ms',
      at: 'most',
      goal: 250,
      beside: `alone ${shown(alone.worst)}, p99 ${shown(alone.p99)}; ${slowest.map(({ kind, worst, p99 }) => `${kind} ${shown(worst)} (${shown(p99)})`).join(', ')}`,
    },
    { name: 'commands that were not answered with 200', value: refused, unit: '', at: 'most', goal: 0 },
    { name: 'open files and connections of the server', value: most, unit: '', at: 'most', goal: 256 },
    { name: 'memory beside receivers', value: (resident - before) / MiB, unit: 'MiB more', at: 'most', goal: 256 },
  ];
}

async function replaceWebhook(server: Served, url: string): Promise<void> {
  const lang =
    `CREATE OR REPLACE SUBSCRIPTION Bad FROM NOW AS SELECT stream_id FROM Reg.Meter$Events DELIVER TO WEBHOOK '${url}' ` +
    "SECRET ENV('RECEIVER_KEY') WITH (keys_at_once = 64, timeout_seconds = 5, first_delay_seconds = 0, attempts = 1000);";
  const answer = await fetch(`${server.url}/api/lang/create`, {
    method: 'POST',
    body: JSON.stringify({ lang }),
    headers: { 'Content-Type': 'application/json' },
  });
  if (answer.status !== 201) throw new Error(await answer.text());
}

interface Run {
  readonly worst: number;
  readonly p99: number;
  readonly refused: number;
  /** At most, of those that were seen. */
  readonly descriptors: number;
}

async function commands(server: Served, seconds: number): Promise<Run> {
  const agent = new Agent({ keepAlive: true });
  const answers: Promise<Answered>[] = [];
  let descriptors = 0;
  const began = performance.now();
  for (let sent = 0; sent < seconds * rate; sent += 1) {
    await pause(Math.max(0, began + (sent * 1000) / rate - performance.now()));
    const body = { meter_id: `R-${sent % 500}`, amount: 1 };
    answers.push(ask(agent, server, '/api/aggregates/Meter/execute/Read', body));
    if (sent % rate === 0) descriptors = Math.max(descriptors, server.descriptors());
  }
  const all = await Promise.all(answers);
  agent.destroy();
  const times = all.map(({ milliseconds }) => milliseconds);
  return {
    worst: Math.max(...times),
    p99: quantile(times, 0.99),
    refused: all.filter(({ status }) => status !== 200).length,
    descriptors,
  };
}
