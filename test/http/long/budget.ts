import { Agent } from 'node:http';
import { ask, quantile } from './ask.ts';
import { attack, attacks, type Attack } from './attack.ts';
import type { LongFigure } from './figure.ts';
import { pause, serveLong, type Served } from './serving.ts';

const MiB = 1024 * 1024;
const aSecond = 50;
const filling = { domain: 'budget.schema', type: 'Doc', event: 'Written', field: 'body', streams: 400 };

/** The waiting times of commands, in ms, and the resident memory meanwhile. */
interface Seen {
  readonly name: string;
  readonly waits: readonly number[];
  /** Numbers of answers other than 200, and of missing answers. */
  readonly failed: number;
  readonly unanswered: number;
  readonly highest: number;
}

/** Measurements before, during and after the attacks. */
export interface Pressed {
  readonly before: Seen;
  readonly under: readonly Seen[];
  readonly after: Seen;
}

/** Runs attacks on a server in turns, for a total time in ms and a time for each; `calm` is the time before and after them. */
export async function press(
  attacks: readonly Attack[],
  milliseconds: number,
  each: number,
  calm = 2_000,
): Promise<Pressed> {
  const server = await serveLong(400, 50_000, filling);
  await warm(server, calm);
  const before = await commands(server, 'without', Math.max(calm / 2, milliseconds / 4));
  const under: Seen[] = [];
  const turns = Math.max(1, Math.round(milliseconds / attacks.length / each));
  for (let turn = 0; turn < turns; turn++) for (const one of attacks) under.push(await pressedBy(server, one, each));
  await pause(calm);
  const after = await commands(server, 'after', 500);
  await server.stop();
  return { before, under, after };
}

/**
 * Clients that read nothing request more than fits in memory, in turns of all attacks, for some minutes. Meanwhile
 * commands are sent at fixed times, as before for a quarter of that time.
 */
export async function budget(minutes: number): Promise<readonly LongFigure[]> {
  const {
    before: quiet,
    under: seen,
    after,
  } = await press(attacks, minutes * 60_000, Math.min(20_000, minutes * 12_000));
  const idle = quiet.highest;
  const waits = seen.flatMap((one) => one.waits);
  const [p99, p99Quiet] = [quantile(waits, 0.99), quantile(quiet.waits, 0.99)];
  const worst = Math.max(...waits);
  const byAttack = attacks.map(({ name }) => {
    const own = seen.filter((one) => one.name === name);
    const all = own.flatMap((one) => one.waits);
    const highest = Math.max(...own.map((one) => one.highest)) - idle;
    return `${name}: p99 ${quantile(all, 0.99).toFixed(0)} ms, worst ${Math.max(...all).toFixed(0)} ms, +${Math.round(highest / MiB)} MiB`;
  });
  return [
    {
      name: 'p99 of commands under attack : without',
      value: p99 / p99Quiet,
      unit: 'ratio',
      at: 'most',
      goal: 3,
      beside: `${p99.toFixed(1)} : ${p99Quiet.toFixed(1)} ms, worst without ${Math.max(...quiet.waits).toFixed(0)} ms`,
    },
    { name: 'longest wait of a command', value: worst, unit: 'ms', at: 'most', goal: 250, beside: byAttack.join('; ') },
    {
      name: 'commands not answered',
      value: seen.reduce((sum, one) => sum + one.failed, 0),
      unit: `of ${waits.length}`,
      at: 'most',
      goal: 0,
    },
    {
      name: 'memory over idle',
      value: (Math.max(...seen.map(({ highest }) => highest)) - idle) / MiB,
      unit: 'MiB',
      at: 'most',
      goal: 1024,
      beside: `idle ${Math.round(idle / MiB)}, ${Math.round((after.highest - idle) / MiB)} more when all had gone`,
    },
  ];
}

async function pressedBy(server: Served, one: Attack, milliseconds: number): Promise<Seen> {
  const stop = await attack(server.port, one);
  const seen = await commands(server, one.name, milliseconds);
  await stop();
  await pause(500);
  return seen;
}

/** This many a second, each at its time. */
async function commands(server: Served, name: string, milliseconds: number): Promise<Seen> {
  const agent = new Agent({ keepAlive: true });
  const sent: Promise<void>[] = [];
  const waits: number[] = [];
  let failed = 0;
  let unanswered = 0;
  let highest = 0;
  const begun = performance.now();
  const send = async (): Promise<void> => {
    const at = performance.now();
    const path = '/api/aggregates/Meter/execute/Read';
    const { status } = await ask(agent, server, path, { meter_id: `M-${sent.length % 50}`, amount: 1 });
    if (status !== 200) failed += 1;
    if (status === 0) unanswered += 1;
    waits.push(performance.now() - at);
  };
  while (performance.now() - begun < milliseconds) {
    while (sent.length < ((performance.now() - begun) / 1000) * aSecond) sent.push(send());
    highest = Math.max(highest, server.residentBytes());
    await pause(2);
  }
  await Promise.all(sent);
  agent.destroy();
  return { name, waits, failed, unanswered, highest };
}

/** Memory loaded for the first answers is not due to an attack, nor is the time that the first commands take. */
async function warm(server: Served, milliseconds: number): Promise<void> {
  const { url } = server;
  await commands(server, 'first', milliseconds);
  for (const path of ['/api/aggregates/Doc/events', '/api/aggregates/Doc?limit=1', '/openapi.json'])
    await (await fetch(url + path)).arrayBuffer();
  const sql = 'SELECT COUNT(*) AS n FROM Reg."Doc$Events"';
  const headers = { 'Content-Type': 'application/json' };
  await (await fetch(`${url}/api/query`, { method: 'POST', headers, body: JSON.stringify({ sql }) })).arrayBuffer();
}
