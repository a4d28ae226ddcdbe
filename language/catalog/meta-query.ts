import type { BoundQuery } from './query.ts';
import { metaRelations } from '../contract/meta-relations.ts';
import type { TypedExpression } from './expression.ts';

/** `SELECT * FROM Reg.<relation> [ORDER BY <order>]`. */
export function metaRelationQuery(relation: string, order?: string): BoundQuery {
  const found = metaRelations.find(({ name }) => name === relation);
  if (found === undefined) throw new Error(`there is no ${relation}`);
  const columns = found.columns.map(({ name, type }) => ({ name, type, nullable: true, sensitive: false }));
  const items = columns.map((column): TypedExpression => ({
    kind: 'column',
    relation: 1,
    column: column.name,
    type: column.type,
    nullable: true,
    sensitive: false,
  }));
  const index = columns.findIndex(({ name }) => name === order);
  return {
    columns,
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items,
      from: { kind: 'relation', id: 1, source: { kind: 'meta', relation } },
      groupBy: [],
      aggregated: false,
    },
    orderBy: order === undefined ? [] : [{ by: 'output', index, direction: 'ASC', nulls: 'LAST' }],
  };
}
