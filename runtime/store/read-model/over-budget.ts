import { fail, Failure } from '../../../language/failure/failure.ts';
import type { QueryLimits } from '../store.ts';
import { overMemory, overTime } from './core/query-runner.ts';

/** The error of a query on tables in a file: one over its time or memory names the disk, since pages that are not in memory had to be read. */
export function namingDisk(error: unknown, limits: QueryLimits): unknown {
  if (!(error instanceof Failure)) return error;
  const { milliseconds, memory } = limits;
  if (milliseconds !== undefined && error.message === overTime(limits).message)
    return fail('R0301', { what: 'time', limit: `${milliseconds} ms`, onDisk: true });
  if (memory !== undefined && error.message === overMemory(memory).message)
    return fail('R0301', { what: 'memory', limit: `${Math.round(memory / 2 ** 20)} MiB`, onDisk: true });
  return error;
}
