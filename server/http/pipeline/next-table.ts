import { Overtaken } from '../../../runtime/store/store.ts';
import type { Call } from './route.ts';

/**
 * A call is answered with one handler table from beginning to end. If the registry changes before a read reaches the store, which fails with
 * `Overtaken`, the call begins again on the new table, as if the request had come a moment later. Throws every other error.
 */
export async function onNextTable(call: Call, error: unknown): Promise<Call> {
  if (!(error instanceof Overtaken)) throw error;
  return { ...call, domain: await call.options.engine.steady() };
}
