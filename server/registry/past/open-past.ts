import type { Domain } from '../../../language/contract/domain.ts';
import { createEngine } from '../../../runtime/engine/create-engine.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../../runtime/engine/system-random.ts';
import type { Moment } from '../../../runtime/store/past/moment.ts';
import type { PastOptions } from '../../../runtime/store/store.ts';

/**
 * The engine of a domain over its store as it was at a moment: it reads and inspects, and writes nothing
 * (docs/language.md#the-past). The caller closes it soon.
 */
export async function openPast(
  present: Engine,
  moment: Moment,
  domain: Domain,
  options: PastOptions = {},
): Promise<Engine> {
  const store = await present.store.past(moment, domain.readModel, options);
  try {
    return await createEngine({
      store,
      domain,
      clock: () => moment.at,
      randomBytes: createSystemRandom(),
      readOnly: true,
      ...present.rules,
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}
