import type { Column } from '../../../language/contract/query.ts';
import type { ReadParameters } from '../parameters/read-parameters.ts';
import type { Access, Call } from '../pipeline/route.ts';
import { countRows, named, readCounted } from './selection.ts';

interface ReadRelation {
  /** `Bike$Agg` or a projection. */
  readonly relation: string;
  readonly columns: readonly Column[];
  /** The relation in messages. */
  readonly what: string;
  readonly usesTime: boolean;
  /** The parameters with the restriction that the path makes. */
  readonly restricted?: (parameters: ReadParameters) => ReadParameters;
  readonly isOneRow?: true;
}

/** The rows of a relation that is computed whole: states and projections. */
export function relationAccess(call: Call, read: ReadRelation): Access {
  const { relation, columns, what, usesTime, restricted = unrestricted, isOneRow = false } = read;
  const shown = columns.filter((column) => column.hidden !== true).map((column) => column.name);
  return {
    columns,
    usesTime,
    count: (parameters) => named(what, countRows(call, relation, restricted(parameters))),
    answer: async (parameters, { counted }) => {
      const asked = restricted(parameters);
      const rows = readCounted(call, { ...asked, relation, columns: asked.select ?? shown }, { counted, isOneRow });
      return { kind: 'table', ...(await named(what, rows)) };
    },
  };
}

function unrestricted(parameters: ReadParameters): ReadParameters {
  return parameters;
}
