import type { Domain } from '../../language/contract/domain.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { Overtaken } from '../../runtime/store/store.ts';

/**
 * The domain on which to begin again, as if the question had come a moment later: another came into force before it reached the store, which fails
 * with `Overtaken`. Throws every other error. Work that has had its effect is never begun again.
 */
export async function nextDomain(engine: Engine, error: unknown): Promise<Domain> {
  if (!(error instanceof Overtaken)) throw error;
  return engine.steady();
}
