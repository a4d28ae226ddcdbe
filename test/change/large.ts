/**
 * Part of `npm run test:change`: schemas of every shape, up to 1 MiB, posted under load. No command may wait longer than 250 ms for one, reported together with the longest wait without any; no accepted change may be unreadable, and a stop during a change may take at most 10 s.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createChance, seedOf } from '../crash/chance.ts';
import { lastProjection, randomSchema, shapes } from './schemas.ts';
import { build, change, execute, get, start, type Answer } from './served.ts';
import { median, percentile } from './under-load.ts';

const [count = 500] = process.argv.slice(2).map(Number);
const clients = 4;
/** The number of posts after which a new registry is used, since it grows with every post. */
const each = 10;
const goals = { wait: 250, stop: 10_000 };
/** The size of a schema; large ones are rarer. */
const sizes = [5, 5, 5, 20, 20, 20, 60, 60, 200, 900];

interface Seen {
  readonly waits: number[];
  readonly longest: {
    readonly what: string;
    readonly wait: number;
    readonly before: number;
    readonly status: number;
  }[];
  readonly outcomes: Map<string, number>;
  readonly stops: number[];
  readonly problems: string[];
}

const chance = createChance(seedOf('schemas'));
const seen: Seen = { waits: [], longest: [], outcomes: new Map(), stops: [], problems: [] };
for (let done = 0; done < count; done += each) await round(Math.min(each, count - done), done);
report();
process.exitCode = seen.problems.length === 0 ? 0 : 1;

/** A separate server, which is stopped while it accepts the last schema. */
async function round(posts: number, first: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'schemac-large-'));
  try {
    await build(folder);
    const { url, output } = await start(folder);
    const load = steadyCommands(url);
    await wait(1_000); // the code of commands is warm
    load.take();
    for (let index = first; index < first + posts; index += 1) {
      await wait(500);
      const before = Math.max(...load.take());
      const shape = shapes[chance.below(shapes.length)] ?? 'big';
      const text = randomSchema(chance, shape, `S${index}`, sizes[chance.below(sizes.length)] ?? 5).slice(0, 1_000_000);
      const answer = await change(url, text);
      const waits = load.take();
      seen.waits.push(before);
      seen.longest.push({
        what: `${shape} ${index}, ${text.length} bytes`,
        wait: Math.max(0, ...waits),
        before,
        status: answer.status,
      });
      await held(url, answer, text);
    }
    const posting = change(url, randomSchema(chance, 'big', `Last${first}`, 300)).catch(() => undefined);
    await wait(chance.below(1_000));
    load.stop();
    const began = performance.now();
    if ((await output.stop()) !== 0) seen.problems.push(`the server of ${first} did not stop well`);
    seen.stops.push(performance.now() - began);
    await posting;
    seen.problems.push(...load.failures);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Accepted schemas can be read; refused ones have a reason. */
async function held(url: string, { status, body }: Answer, text: string): Promise<void> {
  const error = (body as { readonly error?: string }).error ?? '';
  const [code = status === 201 ? '' : error.slice(0, 80)] = /\b[ER]\d{4}\b/.exec(error) ?? [];
  const outcome = `${status} ${code}`.trim();
  seen.outcomes.set(outcome, (seen.outcomes.get(outcome) ?? 0) + 1);
  if (![201, 400, 409].includes(status)) seen.problems.push(`posted: ${status} ${error}`);
  const last = lastProjection(text);
  if (status !== 201 || last === undefined) return;
  const read = await get(url, `/api/projections/${last}/query?limit=1`);
  if (read.status !== 200) seen.problems.push(`${last} was taken: ${read.status} ${JSON.stringify(read.body)}`);
}

interface Load {
  /** Waiting times of the commands since the last call, in ms, including running ones. */
  readonly take: () => readonly number[];
  readonly stop: () => void;
  readonly failures: readonly string[];
}

function steadyCommands(url: string): Load {
  const failures: string[] = [];
  const underWay = new Map<number, number>();
  let waits: number[] = [];
  const stopping = new AbortController();
  const isStopping = (): boolean => stopping.signal.aborted;
  const client = async (index: number): Promise<void> => {
    while (!isStopping()) {
      const began = performance.now();
      underWay.set(index, began);
      const answer = await execute(url, 'Put', { id: `box ${index}`, n: 1 }).catch((error: unknown) => error);
      underWay.delete(index);
      if (isStopping()) return;
      waits.push(performance.now() - began);
      const status = (answer as Partial<Answer>).status;
      if (status !== 200) failures.push(`Put: ${status ?? String(answer)}`);
      await wait(5);
    }
  };
  for (let index = 0; index < clients; index += 1) void client(index);
  return {
    take: () => {
      const taken = [...waits, ...[...underWay.values()].map((began) => performance.now() - began)];
      waits = [];
      return taken;
    },
    stop: () => {
      stopping.abort();
    },
    failures,
  };
}

function report(): void {
  const worst = [...seen.longest].sort((a, b) => b.wait - a.wait);
  const over = worst.filter(({ wait: waited, before }) => waited > Math.max(goals.wait, 2 * before));
  console.log(
    `${seen.longest.length} schemas posted: ${[...seen.outcomes].map(([outcome, times]) => `${times} × ${outcome}`).join(', ')}`,
  );
  console.log(
    `longest wait of a command during a post, in ms: median ${Math.round(median(worst.map((one) => one.wait)))}, ` +
      `p99 ${Math.round(
        percentile(
          worst.map((one) => one.wait),
          0.99,
        ),
      )}, longest ${Math.round(worst[0]?.wait ?? 0)}; ` +
      `in the half second before: median ${Math.round(median(seen.waits))}, p99 ${Math.round(percentile(seen.waits, 0.99))}, longest ${Math.round(Math.max(...seen.waits))}`,
  );
  for (const one of worst.slice(0, 5))
    console.log(`  ${one.what}, ${one.status}: ${Math.round(one.wait)} ms, before it ${Math.round(one.before)} ms`);
  console.log(`stops in the midst of a change, in ms: longest ${Math.round(Math.max(...seen.stops))}`);
  for (const { what, wait: waited } of over)
    seen.problems.push(`a command waited ${Math.round(waited)} ms for ${what}`);
  for (const slow of seen.stops.filter((stop) => stop > goals.stop))
    seen.problems.push(`a stop took ${Math.round(slow)} ms`);
  for (const problem of seen.problems.slice(0, 20)) console.log(problem);
}
