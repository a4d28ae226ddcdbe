import { findBlock, type Catalog, type RelationSource, type SortKey } from '../../../compiler/index.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Selection, SortBy } from '../../../language/contract/selection.ts';
import { reference } from './condition.ts';

/** The ORDER BY of a selection: its own keys, then the order of the relation, so that pages fit. */
export function orderOf(
  { order }: Selection,
  source: RelationSource,
  catalog: Catalog,
  columnOf: (name: string) => Column,
): readonly SortKey[] {
  const seen = new Set<string>();
  const keys = order.concat(ownOrder(source, catalog, order.length > 0)).filter(({ column }) => {
    const isNew = !seen.has(column);
    seen.add(column);
    return isNew;
  });
  return keys.map(({ column, direction, nulls }) => ({
    by: 'expression',
    expression: reference(columnOf(column)),
    direction,
    nulls,
  }));
}

/** `total`: rows that are equal in it are the same in every column that could show a difference. */
function ownOrder(source: RelationSource, catalog: Catalog, total: boolean): readonly SortBy[] {
  switch (source.kind) {
    case 'events':
      return [ascending('global_position')];
    case 'state':
      return [ascending('aggregate_id')];
    case 'projection': {
      const { columns = [], orderBy = [] } = findBlock(catalog, 'projection', source.projection)?.query ?? {};
      const own = orderBy.flatMap(({ direction, nulls, ...key }): readonly SortBy[] => {
        const column = key.by === 'output' ? columns[key.index] : undefined;
        return column === undefined ? [] : [{ column: column.name, direction, nulls }];
      });
      return total ? [...own, ...columns.filter(isPlain).map(({ name }) => ascending(name))] : own;
    }
    default:
      throw new Error(`no selection reads a relation of kind ${source.kind}`);
  }
}

/** The order of sensitive values is not to be seen. */
function isPlain({ type, sensitive, hidden }: Column): boolean {
  return !sensitive && hidden !== true && type.kind !== 'STRUCT' && type.kind !== 'LIST';
}

function ascending(column: string): SortBy {
  return { column, direction: 'ASC', nulls: 'LAST' };
}
