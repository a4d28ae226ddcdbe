import { createDraws } from '../../../../language/values/draws.ts';
import { randomUuid } from '../../../../language/values/uuid.ts';
import type { Randomness } from '../../disk.ts';
import type { Database } from './engine.ts';

/** Makes a function that sets the present time of the statements that follow, in µs since 1970, and the seed of their chance. */
export function createMoments(
  database: Pick<Database, 'setMoment'>,
  random: Randomness,
): (now: bigint, seed?: string) => void {
  const ofSystem = {
    random: (): number => new DataView(random(4).buffer).getUint32(0) / 2 ** 32,
    uuid: (): string => randomUuid(random),
  };
  return (now, seed) => {
    database.setMoment({ now, ...(seed === undefined ? ofSystem : createDraws(() => seed)) });
  };
}
