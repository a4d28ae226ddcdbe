/** The compiled queries in the definitions of generated modules (`language/contract/`). */
import type { Column, CompiledQuery } from '../../language/contract/query.ts';
import type { Type } from '../../language/values/type.ts';
import type { AggregateBlock, DecisionBlock, ProjectionBlock } from '../../language/catalog/block.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import type { BoundQuery, BoundSelect, RelationSource, SortKey } from '../../language/catalog/query.ts';
import { compileQuery } from './sqlite/compile-query.ts';

const key = 'aggregate_id';
const text: Type = { kind: 'STRING' };
const facts = { nullable: false, sensitive: false } as const;

/** `SELECT * FROM "X$Agg" ORDER BY aggregate_id`, and the same for one stream with the parameter `aggregate_id`. */
export function compileAggregateQueries(
  catalog: Catalog,
  block: AggregateBlock,
): { readonly all: CompiledQuery; readonly one: CompiledQuery } {
  const source: RelationSource = { kind: 'state', aggregate: block.name };
  const { columns } = block.state;
  const own: TypedExpression = { kind: 'column', relation: 0, column: key, type: text, ...facts };
  const given: TypedExpression = { kind: 'argument', name: key, type: text, ...facts };
  const asked: TypedExpression = {
    kind: 'call',
    function: 'equal',
    arguments: [own, given],
    type: { kind: 'BOOLEAN' },
    ...facts,
  };
  const byId: SortKey = { by: 'expression', expression: own, direction: 'ASC', nulls: 'LAST' };
  return {
    all: compileQuery(allColumns(source, columns, { orderBy: [byId] }), catalog),
    one: compileQuery(allColumns(source, columns, { where: asked }), catalog),
  };
}

/**
 * All rows in the projection's own order, without its hidden columns; rights are given for the projection, not for the
 * relations it reads.
 */
export function compileProjectionQuery(catalog: Catalog, block: ProjectionBlock): CompiledQuery {
  const { columns } = block.query;
  const orderBy = block.query.orderBy.flatMap((own): SortKey[] => {
    const column = own.by === 'output' ? columns[own.index] : undefined;
    if (column === undefined) return [];
    return [{ by: 'expression', expression: columnOf(column), direction: own.direction, nulls: own.nulls }];
  });
  const shown = columns.filter((column) => column.hidden !== true);
  return compileQuery(allColumns({ kind: 'projection', projection: block.name }, shown, { orderBy }), catalog);
}

/** The STATE with the command's fields as parameters. */
export function compileStateQuery(
  catalog: Catalog,
  block: { readonly state?: DecisionBlock['state'] },
): CompiledQuery | undefined {
  return block.state === undefined ? undefined : compileQuery(block.state, catalog);
}

interface Clauses {
  readonly where?: TypedExpression;
  readonly orderBy?: readonly SortKey[];
}

/** `SELECT columns FROM source …`. */
function allColumns(source: RelationSource, columns: readonly Column[], { where, orderBy = [] }: Clauses): BoundQuery {
  const body: BoundSelect = {
    kind: 'select',
    distinct: false,
    items: columns.map(columnOf),
    from: { kind: 'relation', id: 0, source },
    ...(where === undefined ? {} : { where }),
    groupBy: [],
    aggregated: false,
  };
  return { columns, recursive: false, with: [], body, orderBy };
}

function columnOf({ name, type, nullable, sensitive }: Column): TypedExpression {
  return { kind: 'column', relation: 0, column: name, type, nullable, sensitive };
}
