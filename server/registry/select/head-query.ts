import { compileQuery, type BoundQuery, type Catalog, type TypedExpression } from '../../../compiler/index.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import type { Type } from '../../../language/values/type.ts';

const seq: Type = { kind: 'BIGINT' };
const text: Type = { kind: 'STRING' };

/** The compiled queries of a catalog's aggregates. */
const compiled = new WeakMap<Catalog, Map<string, CompiledQuery>>();

/** `SELECT MAX(seq) FROM X$Events WHERE stream_id = :stream_id`, for the entity tag of one stream. */
export function headQuery(catalog: Catalog, aggregate: string): CompiledQuery {
  const queries = compiled.get(catalog) ?? new Map<string, CompiledQuery>();
  compiled.set(catalog, queries);
  const query = queries.get(aggregate) ?? compileHeadQuery(catalog, aggregate);
  queries.set(aggregate, query);
  return query;
}

function compileHeadQuery(catalog: Catalog, aggregate: string): CompiledQuery {
  const column = (name: string, type: Type): TypedExpression => ({
    kind: 'column',
    relation: 1,
    column: name,
    type,
    nullable: false,
    sensitive: false,
  });
  const given: TypedExpression = { kind: 'argument', name: 'stream_id', type: text, nullable: false, sensitive: false };
  const facts = { type: seq, nullable: true, sensitive: false };
  const query: BoundQuery = {
    columns: [{ name: 'head', ...facts }],
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items: [
        { ...facts, kind: 'aggregate', function: 'MAX', arguments: [column('seq', seq)], distinct: false, orderBy: [] },
      ],
      from: { kind: 'relation', id: 1, source: { kind: 'events', aggregate } },
      where: {
        kind: 'call',
        function: 'equal',
        arguments: [column('stream_id', text), given],
        type: { kind: 'BOOLEAN' },
        nullable: false,
        sensitive: false,
      },
      groupBy: [],
      aggregated: true,
    },
    orderBy: [],
  };
  return compileQuery(query, catalog, {});
}
