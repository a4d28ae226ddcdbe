import { unmasked } from '../../runtime/engine/unmasked.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createReactingEngine, type ReactingEngineOptions } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { Failure } from '../../language/failure/failure.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { trustedJson } from '../../language/values/json-value.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { domainOf } from './domain.ts';

/** An engine over a store in memory; its clock advances by a second at every read. */
export async function engineOf(text: string, more: Partial<ReactingEngineOptions> = {}): Promise<Engine> {
  let now = 1_700_000_000_000_000n;
  return createReactingEngine({
    store: await openMemoryStore(),
    domain: await domainOf(text),
    clock: () => (now += 1_000_000n),
    randomBytes: createSystemRandom(),
    ...more,
  });
}

/** Arguments as read from JSON text. */
export function sent(given: object): JsonObject {
  return trustedJson(JSON.stringify(given)) as JsonObject;
}

/** `emitted`, `rejected`, `replayed`, or the code of the failure. */
export async function toldOf(outcome: ReturnType<Engine['execute']>): Promise<string> {
  try {
    const { replayed, outcome: what } = unmasked(await outcome);
    return replayed ? 'replayed' : what;
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
}

/** Executes a command with arguments as plain values, and gives `toldOf` its outcome. */
export function tell(engine: Engine, command: string, given: object, more: object = {}): Promise<string> {
  return toldOf(engine.execute({ command, arguments: sent(given), ...more }));
}
