/** The rows of an aggregate that a follower may see, as far as they change while it follows. */
import {
  compileQuery,
  findBlock,
  rowsFor,
  streamsThen,
  streamsThenNames,
  withoutPresent,
  type Catalog,
  type PresentSet,
} from '../../../compiler/index.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { Value } from '../../../language/values/type.ts';
import type { Asker } from '../asker.ts';
import type { CompiledSet } from './sets-now.ts';

export interface FollowedRows {
  /** Differs when the clause does, or what it comes to for the roles of the caller. */
  readonly clause: string;
  /** The subqueries of the clause. */
  readonly sets: readonly CompiledSet[];
  /** Finds the streams of a list that the caller would have seen as of a position; absent if all or none are seen. */
  readonly then?: {
    readonly query: CompiledQuery;
    readonly given: (ids: readonly string[], position: number) => readonly Value[];
  };
}

export function followedRows(catalog: Catalog, aggregate: string, asker: Asker): FollowedRows {
  const block = findBlock(catalog, 'aggregate', aggregate);
  if (block?.visible === undefined || block.visible === 'all') return { clause: '', sets: [] };
  const rows = rowsFor(block.visible.condition, asker);
  const clause = JSON.stringify(rows);
  if (typeof rows === 'string') return { clause, sets: [] };
  const valuesIn = ({ parameters }: CompiledQuery, named: (name: string) => Value): readonly Value[] =>
    parameters.map(({ name, caller }) => (caller === undefined ? named(name) : asker.value(caller)));
  const sets: PresentSet[] = [];
  withoutPresent(rows, sets);
  const query = compileQuery(streamsThen(block, rows), catalog);
  return {
    clause,
    sets: sets.map((set) => {
      const compiled = compileQuery(set.query, catalog);
      return { ...set, query: compiled, parameters: valuesIn(compiled, () => null) };
    }),
    then: {
      query,
      given: (ids, position) => valuesIn(query, (name) => (name === streamsThenNames.ids ? ids : BigInt(position))),
    },
  };
}
