/** The queries that the definitions of generated modules carry (`runtime/contract/`). */
import type { CompiledQuery } from '../../runtime/contract/query.ts';
import type { Type } from '../../runtime/values/type.ts';
import type { AggregateBlock, DecisionBlock, ProjectionBlock } from '../catalog/block.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { TypedExpression } from '../catalog/expression.ts';
import type { BoundQuery } from '../catalog/query.ts';
import { compileQuery } from './sqlite/compile-query.ts';

const key = 'aggregate_id';
const text: Type = { kind: 'STRING' };
const facts = { nullable: false, sensitive: false } as const;

/** `SELECT * FROM "X$Agg" ORDER BY aggregate_id`, and the same for the one stream that the parameter `aggregate_id` names. */
export function compileAggregateQueries(
  catalog: Catalog,
  block: AggregateBlock,
): { all: CompiledQuery; one: CompiledQuery } {
  const given: TypedExpression = { kind: 'argument', name: key, type: text, ...facts };
  const own: TypedExpression = { kind: 'column', relation: 0, column: key, type: text, ...facts };
  const asked: TypedExpression = {
    kind: 'call',
    function: 'equal',
    arguments: [own, given],
    type: { kind: 'BOOLEAN' },
    ...facts,
  };
  return {
    all: compileQuery(stateRows(block, undefined), catalog),
    one: compileQuery(stateRows(block, asked), catalog),
  };
}

function stateRows(block: AggregateBlock, where: TypedExpression | undefined): BoundQuery {
  const { columns } = block.state;
  return {
    columns,
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items: columns.map(({ name, ...column }) => ({
        kind: 'column',
        relation: 0,
        column: name,
        type: column.type,
        nullable: column.nullable,
        sensitive: column.sensitive,
      })),
      from: { kind: 'relation', id: 0, source: { kind: 'state', aggregate: block.name } },
      ...(where === undefined ? {} : { where }),
      groupBy: [],
      aggregated: false,
    },
    orderBy: where === undefined ? [{ by: 'output', index: 0, direction: 'ASC', nulls: 'LAST' }] : [],
  };
}

/** All rows in the projection's own order; rights are given for the projection, not for what it reads. */
export function compileProjectionQuery(catalog: Catalog, block: ProjectionBlock): CompiledQuery {
  return { ...compileQuery(block.query, catalog), reads: [block.name] };
}

/** The STATE with the command's fields as parameters. */
export function compileStateQuery(catalog: Catalog, block: DecisionBlock): CompiledQuery | undefined {
  return block.state === undefined ? undefined : compileQuery(block.state, catalog);
}
