import { Agent } from 'node:http';
import { defaultQueryLimits } from '../../../server/operation/query/query-limits.ts';
import { backgroundHeap } from '../../../runtime/store/tables/thread/port.ts';
import { ask } from './ask.ts';
import type { LongFigure } from './figure.ts';
import { serveLong } from './serving.ts';

const megabyte = 1024 * 1024;

/** A text that doubles with each WITH table, and the expression over it. */
function doubling(letter: string, next: string): string {
  const steps = Array.from({ length: 14 }, (_, at) => `c${at + 1} AS (SELECT ${next} AS a FROM c${at})`);
  return `WITH c0 AS (SELECT REPEAT('${letter}', 60000) AS a), ${steps.join(', ')} SELECT LENGTH(a) AS n FROM c14`;
}

const shapes = [doubling('x', 'a || a'), doubling('\u4e2d', 'a || a'), doubling('x', 'UPPER(a || a)')];

/**
 * The growth of a server while two console queries at a time double texts until a limit stops them, `rounds` times. The
 * copy of this store takes some MiB, which the limit allows.
 */
export async function consoleMemory(rounds: number): Promise<readonly LongFigure[]> {
  const server = await serveLong(5_000, 50);
  const agent = new Agent({ keepAlive: true });
  const query = (sql: string): Promise<unknown> => ask(agent, server, '/api/query', { sql });
  await query('SELECT 1 AS a');
  const before = server.residentBytes();
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, server.residentBytes())), 5);
  for (let round = 0; round < rounds; round += 1) for (const sql of shapes) await Promise.all([query(sql), query(sql)]);
  clearInterval(watch);
  agent.destroy();
  await server.stop();
  const bound = defaultQueryLimits.consoleMemoryBytes / megabyte + backgroundHeap;
  return [
    {
      name: 'resident memory that two console queries at a time add',
      value: (most - before) / megabyte,
      unit: 'MiB',
      at: 'most',
      goal: bound + 64,
      beside: `from ${(before / megabyte).toFixed(0)} MiB, ${rounds * shapes.length * 2} queries`,
    },
  ];
}
