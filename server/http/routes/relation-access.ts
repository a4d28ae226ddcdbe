import type { Column } from '../../../language/contract/query.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import { countRows, named, readCounted } from '../../operation/read/read.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import type { Access, Call } from '../route.ts';

interface ReadRelation {
  /** `Bike$Agg` or a projection. */
  readonly relation: string;
  readonly columns: readonly Column[];
  /** The relation in messages. */
  readonly what: string;
  readonly usesTime: boolean;
  /** The only stream that is read, of a state. */
  readonly stream?: string;
}

/** The rows of a relation that is computed whole: states and projections. */
export function relationAccess(call: Call, { relation, columns, what, usesTime, stream }: ReadRelation): Access {
  const shown = columns.filter((column) => column.hidden !== true).map((column) => column.name);
  const selection = (parameters: ReadParameters): Selection => {
    const { select = shown, filters } = parameters;
    const asked = { ...parameters, relation, columns: select };
    if (stream === undefined) return asked;
    return { ...asked, filters: [{ column: 'aggregate_id', test: 'equal', value: stream }, ...filters] };
  };
  return {
    columns,
    usesTime,
    shows: [relation],
    count: (parameters) => named(what, countRows(call, selection(parameters))),
    answer: async (parameters, { counted }) => {
      const rows = readCounted(call, selection(parameters), { counted, isOneRow: stream !== undefined });
      return { kind: 'table', ...(await named(what, rows)) };
    },
  };
}
