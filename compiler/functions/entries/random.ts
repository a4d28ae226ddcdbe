import type { FunctionEntry } from '../entry.ts';
import { neverNullable, wrongCount } from '../signature.ts';
import { DOUBLE, UUID } from '../typing.ts';
import type { Type } from '../../../language/values/type.ts';

/** Random values: each occurrence is evaluated once per command or query. The store registers the functions for SQLite. */
function chance(name: string, result: Type, sqlite: string, typescript: string): FunctionEntry {
  return {
    name,
    usage: [`${name}()`],
    volatility: 'volatile',
    resolve: (given) =>
      given.length === 0 ? { parameters: [], result, nullable: neverNullable } : wrongCount(name, given.length, [0]),
    sqlite: () => sqlite,
    typescript: () => typescript,
  };
}

export const chances: readonly FunctionEntry[] = [
  chance('RANDOM', DOUBLE, 'schemac_random()', 'context.random()'),
  chance('GEN_RANDOM_UUID', UUID, 'schemac_uuid()', 'context.uuid()'),
  chance('GENERATE_ID', UUID, 'schemac_uuid()', 'context.uuid()'),
];
