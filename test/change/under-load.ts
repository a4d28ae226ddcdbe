/** Clients that execute and read at a steady rate while schema is posted; every answer is checked. */
import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { change, execute, get, type Answer } from './served.ts';

export interface LoadOptions {
  readonly clients: number;
  readonly milliseconds: number;
  /** Commands a second of all clients together; by default as fast as they are answered. */
  readonly rate?: number;
}

export interface Load {
  /** Wrong answers. */
  readonly failures: string[];
  /** Streams of acknowledged commands: one event each. */
  readonly acknowledged: string[];
  /** Latencies of commands, in ms. */
  readonly latencies: number[];
}

/** Sends requests of which every fourth of a client is a read. */
export async function load(url: string, { clients, milliseconds, rate }: LoadOptions): Promise<Load> {
  const result: Load = { failures: [], acknowledged: [], latencies: [] };
  const end = performance.now() + milliseconds;
  const between = rate === undefined ? 0 : (clients * 1000) / rate;
  const client = async (index: number): Promise<void> => {
    let due = performance.now() + (between * index) / clients;
    for (let turn = 0; performance.now() < end; turn++) {
      if (between > 0) await wait(Math.max(0, due - performance.now()));
      due += between;
      const id = randomUUID();
      const began = performance.now();
      const answer = await execute(url, 'Put', { id, n: 1 });
      result.latencies.push(performance.now() - began);
      if (expect(result, 'Put', answer, 200)) result.acknowledged.push(id);
      if (turn % 3 === 2) expect(result, 'read', await get(url, readsOf(id)[turn % 2] ?? ''), 200);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, index) => client(index)));
  return result;
}

function readsOf(id: string): readonly string[] {
  return ['/api/projections/Sums/query', `/api/aggregates/Box/${id}`];
}

export function expect(
  result: Pick<Load, 'failures'>,
  what: string,
  { status, body }: Answer,
  wanted: number,
): boolean {
  if (status !== wanted) result.failures.push(`${what}: ${status} ${JSON.stringify(body)}`);
  return status === wanted;
}

/**
 * Posts changes one after the other, spread over the time, and uses each at once. `first`: the number of changes that were posted before.
 */
export async function postChanges(
  url: string,
  count: number,
  milliseconds: number,
  first = 0,
): Promise<readonly string[]> {
  const result = { failures: [] as string[] };
  const began = performance.now();
  for (let index = first; index < first + count; index++) {
    await wait(Math.max(0, began + (milliseconds * (index - first)) / count - performance.now()));
    await changes[index % changes.length]?.(url, index, result);
  }
  return result.failures;
}

type Change = (url: string, index: number, result: Pick<Load, 'failures'>) => Promise<void>;

const changes: readonly Change[] = [
  async (url, index, result) => {
    expect(result, 'new command', await change(url, newCommand(index)), 201);
    expect(result, 'its first use', await execute(url, `Do${index}`, { id: `do-${index}` }), 200);
  },
  async (url, index, result) => {
    const lang = `CREATE OR REPLACE DECISION PutIn FOR Box ON COMMAND Put
STATE AS SELECT n AS had FROM Reg."Box$Agg" WHERE aggregate_id = :id
EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0 AND had < ${1_000_000 + index};`;
    expect(result, 'replaced decision', await change(url, lang), 201);
  },
  async (url, index, result) => {
    const lang = `CREATE PROJECTION P${index} AS SELECT stream_id AS id, SUM(data.n + ${index}) AS n FROM Reg."Box$Events" GROUP BY stream_id;`;
    expect(result, 'new projection', await change(url, lang), 201);
    expect(result, 'its first read', await get(url, `/api/projections/P${index}/query?limit=1`), 200);
  },
  async (url, index, result) => {
    expect(result, 'invalid text', await change(url, `CREATE PROJECTION Q${index} AS SELECT nope FROM Reg.Sums;`), 400);
  },
];

/** A command with its decision and event: all of them are there, or none. */
export function newCommand(index: number): string {
  return `CREATE COMMAND Do${index} (id STRING);
CREATE EVENT Done${index} (by STRING);
CREATE DECISION Doing${index} FOR Box ON COMMAND Do${index} EMIT AS SELECT EVENT Done${index} (by := :id);`;
}

/** Acknowledged streams that the server lacks, or has more than once. */
export async function lost(url: string, after: number, acknowledged: readonly string[]): Promise<readonly string[]> {
  const { body } = await get(url, `/api/aggregates/Box/events?after=${after}`);
  const seen = new Map<string, number>();
  for (const { stream_id: id } of body as readonly { readonly stream_id: string }[])
    seen.set(id, (seen.get(id) ?? 0) + 1);
  return acknowledged.filter((id) => seen.get(id) !== 1);
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
