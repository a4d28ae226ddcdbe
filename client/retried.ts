import { ClientError } from './client-error.ts';
import type { Connection } from './connection.ts';
import type { CallOptions } from './options.ts';

/** The status of a busy server, and those of gateways and proxies without an answer. */
const passing: readonly number[] = [429, 502, 503, 504];
const firstPause = 200;
const longestPause = 10_000;
/** A server that asks for a longer wait is not called again. */
const longestAsked = 60;

/** Repeats the work, after a pause each time, while it fails for a reason that may pass and attempts are left. */
export async function retried<T>(connection: Connection, call: CallOptions, work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      await pauseOrThrow(connection, call, attempt, error);
    }
  }
}

/** Waits after a failed attempt, longer each time; throws the failure when another attempt makes no sense. */
export async function pauseOrThrow(
  connection: Connection,
  call: CallOptions,
  attempt: number,
  error: unknown,
): Promise<void> {
  if (attempt >= connection.attempts || !mayPass(error)) throw error;
  await connection.sleep(Math.max(growingPause(connection, attempt), (error.retryAfter ?? 0) * 1000), call.signal);
  call.signal?.throwIfAborted();
}

/** Milliseconds until the next attempt. */
export function growingPause({ randomBytes }: Pick<Connection, 'randomBytes'>, attempt: number): number {
  const grown = Math.min(firstPause * 2 ** (attempt - 1), longestPause);
  // Spread over half of the pause, so that clients that failed together do not return together.
  const spread = (randomBytes(1)[0] ?? 0) / 256;
  return grown * (1 - spread / 2);
}

/** Whether another attempt can succeed. */
export function mayPass(error: unknown): error is ClientError {
  if (!(error instanceof ClientError) || (error.retryAfter ?? 0) > longestAsked) return false;
  if (error.kind === 'refused') return passing.includes(error.status ?? 0);
  return error.kind !== 'damaged';
}
