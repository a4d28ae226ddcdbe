import { Agent } from 'node:http';
import { ask, quantile } from './ask.ts';
import { attack, attacks, type Attack } from './attack.ts';
import type { LongFigure } from './figure.ts';
import { pause, serveLong, type Served } from './serving.ts';

const MiB = 1024 * 1024;
const aSecond = 50;
const filling = { domain: 'budget.schema', type: 'Doc', event: 'Written', field: 'body', streams: 400 };

/** What commands wait, in ms, and what is resident meanwhile. */
interface Seen {
  readonly waits: readonly number[];
  readonly failed: number;
  readonly highest: number;
}

/**
 * Clients who read nothing ask for more than fits in memory, in turns of all attacks for so many minutes. Beside them commands are sent at
 * their times whatever is answered, as they were before for a quarter of that.
 */
export async function budget(minutes: number): Promise<readonly LongFigure[]> {
  const server = await serveLong(400, 50_000, filling);
  const milliseconds = minutes * 60_000;
  await warm(server);
  const quiet = await commands(server, milliseconds / 4);
  const idle = server.residentBytes();
  const turns = Math.max(1, Math.round(milliseconds / attacks.length / 20_000));
  const each = milliseconds / attacks.length / turns;
  const seen: (Seen & { readonly name: string })[] = [];
  for (let turn = 0; turn < turns; turn++) for (const one of attacks) seen.push(await under(server, one, each));
  const after = await afterAll(server);
  await server.stop();
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
      beside: `idle ${Math.round(idle / MiB)}, ${Math.round((after - idle) / MiB)} more when all had gone`,
    },
  ];
}

async function under(server: Served, one: Attack, milliseconds: number): Promise<Seen & { readonly name: string }> {
  const stop = attack(server.port, one);
  const seen = await commands(server, milliseconds);
  stop();
  await pause(500);
  return { ...seen, name: one.name };
}

/** So many a second, each at its time. */
async function commands(server: Served, milliseconds: number): Promise<Seen> {
  const agent = new Agent({ keepAlive: true });
  const sent: Promise<void>[] = [];
  const waits: number[] = [];
  let failed = 0;
  let highest = 0;
  const begun = performance.now();
  const send = async (): Promise<void> => {
    const at = performance.now();
    const path = '/api/aggregates/Meter/execute/Read';
    const { status } = await ask(agent, server, path, { meter_id: `M-${sent.length % 50}`, amount: 1 });
    if (status !== 200) failed += 1;
    waits.push(performance.now() - at);
  };
  while (performance.now() - begun < milliseconds) {
    while (sent.length < ((performance.now() - begun) / 1000) * aSecond) sent.push(send());
    highest = Math.max(highest, server.residentBytes());
    await pause(2);
  }
  await Promise.all(sent);
  agent.destroy();
  return { waits, failed, highest };
}

/** What the first answers load is no memory of an attack. */
async function warm({ url }: Served): Promise<void> {
  for (const path of ['/api/aggregates/Doc/events', '/api/aggregates/Doc?limit=1', '/openapi.json'])
    await (await fetch(url + path)).arrayBuffer();
  const sql = 'SELECT COUNT(*) AS n FROM Reg."Doc$Events"';
  const headers = { 'Content-Type': 'application/json' };
  await (await fetch(`${url}/api/query`, { method: 'POST', headers, body: JSON.stringify({ sql }) })).arrayBuffer();
}

async function afterAll(server: Served): Promise<number> {
  await pause(3_000);
  return server.residentBytes();
}
