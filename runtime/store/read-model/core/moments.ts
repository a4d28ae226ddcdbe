import { randomUuid } from '../../../../language/values/uuid.ts';
import type { Randomness } from '../../disk.ts';
import type { Database } from './engine.ts';

/** A function that sets the present time of the statements that follow, in µs since 1970, and their chance. */
export function createMoments(database: Pick<Database, 'setMoment'>, random: Randomness): (now: bigint) => void {
  return (now) => {
    database.setMoment({
      now,
      random: () => new DataView(random(4).buffer).getUint32(0) / 2 ** 32,
      uuid: () => randomUuid(random),
    });
  };
}
