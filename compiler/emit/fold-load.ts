import type { CompiledQuery } from '../../language/contract/query.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { conjunction, conjuncts, someExpression } from '../../language/catalog/map-expression.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import { EVENT_ROW, type Fold } from '../../language/plan/fold.ts';
import { compileQuery } from './sqlite/compile-query.ts';

type ColumnExpression = TypedExpression & { readonly kind: 'column' };

/** The columns of an event row that a fold reads, each once, in order of first mention. */
export function foldColumns(fold: Fold): readonly ColumnExpression[] {
  return columnsIn([...fold.key, ...(fold.where === undefined ? [] : [fold.where]), ...slotExpressions(fold)]);
}

function slotExpressions(fold: Fold): readonly TypedExpression[] {
  return fold.slots.flatMap((slot) => [slot.argument, slot.filter].filter((part) => part !== undefined));
}

function columnsIn(expressions: readonly TypedExpression[]): readonly ColumnExpression[] {
  const columns = new Map<string, ColumnExpression>();
  for (const expression of expressions) {
    someExpression(expression, (part) => {
      if (part.kind === 'column' && !columns.has(part.column)) columns.set(part.column, part);
      return false;
    });
  }
  return [...columns.values()];
}

/**
 * All events of one key, in order, with the columns that the slots read; parameters `k0`, `k1`, … are the key parts.
 */
export function compileFoldLoad(catalog: Catalog, fold: Fold): CompiledQuery {
  const position: ColumnExpression = { ...column('global_position'), type: { kind: 'BIGINT' } };
  const read = columnsIn(slotExpressions(fold));
  const items = read.length > 0 ? read : [position];
  const keyed = fold.key.map((part, index): TypedExpression => ({
    kind: 'call',
    function: 'equal',
    arguments: [part, { kind: 'argument', name: `k${index}`, type: part.type, nullable: false, sensitive: false }],
    type: { kind: 'BOOLEAN' },
    nullable: part.nullable,
    sensitive: false,
  }));
  const where = conjunction([...keyed, ...conjuncts(fold.where)]);
  const query: BoundQuery = {
    columns: items.map(({ column: name, type, nullable, sensitive }) => ({ name, type, nullable, sensitive })),
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items,
      from: { kind: 'relation', id: EVENT_ROW, source: { kind: 'events', aggregate: fold.aggregate } },
      ...(where === undefined ? {} : { where }),
      groupBy: [],
      aggregated: false,
    },
    orderBy: [{ by: 'expression', expression: position, direction: 'ASC', nulls: 'LAST' }],
  };
  return compileQuery(query, catalog);
}

function column(name: string): ColumnExpression {
  return {
    kind: 'column',
    relation: EVENT_ROW,
    column: name,
    type: { kind: 'STRING' },
    nullable: false,
    sensitive: false,
  };
}
