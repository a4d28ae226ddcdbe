import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ExactNumber, type JsonValue } from '../../../language/values/json.ts';
import { defaultLimits } from '../../../server/start/settings/limits.ts';
import { connect } from '../follow-storm.ts';
import { startSample } from '../sample-server.ts';
import type { LongFigure } from './figure.ts';

type Sample = Awaited<ReturnType<typeof startSample>>;

const many = 1_000;
const stored = 200_000;

/** Costs of a stream: the time until an event is seen, commands while many followers read, memory of each, and catching up. */
export async function followFigures(): Promise<readonly LongFigure[]> {
  const server = await startSample({
    readModel: 'worker',
    limits: { ...defaultLimits, followers: 2 * many, connections: 4 * many },
  });
  try {
    const seen = await untilSeen(server, 300);
    const alone = await commandsASecond(server);
    const before = process.memoryUsage().rss;
    const readers = await openReaders(server.port, many, '/api/aggregates/Bike/events?follow=true&after=end');
    const each = (process.memoryUsage().rss - before) / many / 1024;
    const besideAll = await commandsASecond(server);
    readers.stop();
    // Each new event concerns none of these.
    const ofStream = await openReaders(server.port, many, '/api/aggregates/Bike/events/N-0?follow=true&after=end');
    const beside = await commandsASecond(server);
    ofStream.stop();
    await server.append(stored, 20);
    const rows = await catchingUp(server);
    const poll = await untilPolled(server, 100);
    return [
      {
        name: 'event seen, p50',
        value: seen.p50,
        unit: 'ms',
        at: 'most',
        goal: 20,
        beside: `a poll every 50 ms ${poll.p50.toFixed(1)}`,
      },
      {
        name: 'event seen, p99',
        value: seen.p99,
        unit: 'ms',
        at: 'most',
        goal: 200,
        beside: `a poll every 50 ms ${poll.p99.toFixed(1)}`,
      },
      { name: `memory of a follower of ${many}`, value: each, unit: 'KiB', at: 'most', goal: 200 },
      {
        name: `commands beside ${many} followers of a stream : alone`,
        value: beside / alone,
        unit: '',
        at: 'least',
        goal: 0.7,
        // Every event is then written a thousand times.
        beside: `${Math.round(alone)}/s alone, ${Math.round(besideAll)}/s beside ${many} of all events`,
      },
      {
        name: 'catching up as a stream : as an answer',
        value: rows.stream / rows.answer,
        unit: '',
        at: 'least',
        goal: 0.5,
        beside: `${Math.round(rows.stream)} rows/s`,
      },
    ];
  } finally {
    await server.stop();
  }
}

let bikes = 0;

async function command(server: Sample): Promise<void> {
  const given = new Map<string, JsonValue>([
    ['bike_id', `N-${++bikes}`],
    ['model', 'R'],
    ['price', new ExactNumber('1')],
  ]);
  await server.engine.execute({ command: 'RegisterBike', aggregate: 'Bike', arguments: given });
}

/** Commands that keep 64 callers busy for some seconds. */
async function commandsASecond(server: Sample): Promise<number> {
  const from = performance.now();
  let done = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() - from < 4_000) {
      await command(server);
      done += 1;
      await new Promise(setImmediate);
    }
  };
  await Promise.all(Array.from({ length: 64 }, caller));
  return done / ((performance.now() - from) / 1000);
}

/** From the moment that a command is durable until a follower has its event. */
async function untilSeen(server: Sample, count: number): Promise<{ readonly p50: number; readonly p99: number }> {
  const { said, stop } = await connect(`${server.url}/api/aggregates/Bike/events?follow=true&after=end`, 'ndjson');
  const events = said[Symbol.asyncIterator]();
  await events.next();
  const times: number[] = [];
  for (let number = 0; number < count; number++) {
    await command(server);
    const from = performance.now();
    await events.next();
    times.push(performance.now() - from);
    await new Promise((resolve) => setTimeout(resolve, 15));
  }
  stop();
  return quantiles(times);
}

/** Time until an event is seen by asking every 50 ms. */
async function untilPolled(server: Sample, count: number): Promise<{ readonly p50: number; readonly p99: number }> {
  const times: number[] = [];
  for (let number = 0; number < count; number++) {
    const after = server.engine.store.turns.position().event;
    const wait = Math.random() * 50;
    await command(server);
    const from = performance.now();
    await new Promise((resolve) => setTimeout(resolve, wait));
    await (await server.get(`/api/aggregates/Bike/events?after=${after}`, { Accept: 'application/json' })).text();
    times.push(performance.now() - from);
  }
  return quantiles(times);
}

/** Rows a second of a stream, and of the answer with the same events that ends. */
async function catchingUp(server: Sample): Promise<{ readonly stream: number; readonly answer: number }> {
  const end = server.engine.store.turns.position().event;
  const path = '/api/aggregates/Bike/events';
  const rate = async (query: string, accept: string): Promise<number> => {
    const from = performance.now();
    await (await server.get(path + query, { Accept: accept })).arrayBuffer();
    return end / ((performance.now() - from) / 1000);
  };
  // The read model takes in what was appended.
  await rate(`?after=${end - 1}`, 'application/json');
  return {
    answer: await rate('', 'application/json'),
    stream: await rate(`?follow=true&until=${end}`, 'application/x-ndjson'),
  };
}

async function openReaders(port: number, count: number, path: string): Promise<{ readonly stop: () => void }> {
  const script = fileURLToPath(new URL('./follow-readers.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', script, String(port), String(count), path], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise<void>((resolve) => createInterface(child.stdout).once('line', () => resolve()));
  return { stop: () => void child.kill() };
}

function quantiles(times: number[]): { readonly p50: number; readonly p99: number } {
  const sorted = times.sort((one, other) => one - other);
  const at = (part: number): number => sorted[Math.floor(part * (sorted.length - 1))] ?? 0;
  return { p50: at(0.5), p99: at(0.99) };
}
