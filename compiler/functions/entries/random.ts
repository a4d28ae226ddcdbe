import type { FunctionEntry } from '../entry.ts';
import { neverNullable, wrongCount } from '../signature.ts';
import { DOUBLE, UUID } from '../typing.ts';
import type { Type } from '../../../language/values/type.ts';

/** Random values: each occurrence is evaluated once per command or query. The store registers the functions for SQLite. */
function chance(name: string, result: Type, draw: 'random' | 'uuid'): FunctionEntry {
  return {
    name,
    usage: [`${name}()`],
    volatility: 'volatile',
    resolve: (given) =>
      given.length === 0 ? { parameters: [], result, nullable: neverNullable } : wrongCount(name, given.length, [0]),
    sqlite: ({ place }) => (place === undefined ? `schemac_${draw}()` : `schemac_${draw}_at(${place})`),
    typescript: ({ place = '' }) => `context.${draw}(${place})`,
  };
}

export const chances: readonly FunctionEntry[] = [
  chance('RANDOM', DOUBLE, 'random'),
  chance('GEN_RANDOM_UUID', UUID, 'uuid'),
  chance('GENERATE_ID', UUID, 'uuid'),
];
