import type { Column } from '../../language/contract/query.ts';
import { typeName } from '../../language/values/type.ts';
import type { Block } from '../../language/catalog/block.ts';
import { sameType, widens } from '../analyse/type/widens.ts';
import { difference, type Difference } from './difference.ts';

/** The columns that readers of a relation see, before and after. */
export function compareColumns(
  block: Pick<Block, 'kind' | 'name'>,
  owner: 'aggregate' | 'projection' | 'subscription',
  before: readonly Column[],
  after: readonly Column[],
): readonly Difference[] {
  const now = new Map(after.map((column) => [column.name.toLowerCase(), column]));
  const was = new Set(before.map(({ name }) => name.toLowerCase()));
  const gone = before.flatMap((column): readonly Difference[] => {
    const other = now.get(column.name.toLowerCase());
    if (other === undefined)
      return [difference(`${owner}-column-removed`, block, `column '${column.name}' is no longer there`)];
    if (sameType(column.type, other.type)) return [];
    const types = `from ${typeName(column.type)} to ${typeName(other.type)}`;
    return [
      widens(column.type, other.type)
        ? difference(`${owner}-column-widened`, block, `column '${column.name}' widens ${types}`)
        : difference(`${owner}-column-retyped`, block, `column '${column.name}' changes ${types}`),
    ];
  });
  const added = after.filter(({ name }) => !was.has(name.toLowerCase()));
  return [...gone, ...added.map(({ name }) => difference(`${owner}-column-added`, block, `new column '${name}'`))];
}
