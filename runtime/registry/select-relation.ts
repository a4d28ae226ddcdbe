import {
  compileQuery,
  type BoundQuery,
  type Catalog,
  type RelationSource,
  type SortKey,
  type TypedExpression,
} from '../../compiler/index.ts';
import type { Column, CompiledQuery } from '../contract/query.ts';
import type { Domain } from '../contract/domain.ts';
import type { Selection } from '../contract/selection.ts';
import type { Type, Value } from '../values/type.ts';

const ROW = 1;
const boolean: Type = { kind: 'BOOLEAN' };
const position: Type = { kind: 'BIGINT' };

/** Compiles a selection as the query that a person would have written for it. */
export function selectRelation(
  domain: Domain,
  catalog: Catalog,
  selection: Selection,
): { readonly query: CompiledQuery; readonly parameters: readonly Value[] } {
  const { source, columns: known } = relationOf(domain, selection.relation);
  const columns = selection.columns.map((name) => columnOf(known, name, selection.relation));
  const conditions: TypedExpression[] = [];
  const parameters = new Map<string, Value>();
  const compare = (name: string, operator: string, type: Type, value: Value): void => {
    const argument = `p${parameters.size}`;
    parameters.set(argument, value);
    const given: TypedExpression = { kind: 'argument', name: argument, type, nullable: false, sensitive: false };
    const column: TypedExpression = {
      kind: 'column',
      relation: ROW,
      column: name,
      type,
      nullable: true,
      sensitive: false,
    };
    conditions.push({
      kind: 'call',
      function: operator,
      arguments: [column, given],
      type: boolean,
      nullable: true,
      sensitive: false,
    });
  };
  for (const { column, value } of selection.filters)
    compare(column, 'equal', columnOf(known, column, selection.relation).type, value);
  if (selection.after !== undefined) compare('global_position', 'greater', position, selection.after);
  if (selection.until !== undefined) compare('global_position', 'less_equal', position, selection.until);
  const where = conditions.reduce<TypedExpression | undefined>(
    (left, right) => (left === undefined ? right : and(left, right)),
    undefined,
  );
  const bound: BoundQuery = {
    columns,
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items: columns.map((column) => reference(column)),
      from: { kind: 'relation', id: ROW, source },
      ...(where === undefined ? {} : { where }),
      groupBy: [],
      aggregated: false,
    },
    orderBy: orderOf(known, selection),
    ...(selection.limit === undefined ? {} : { limit: count(selection.limit) }),
    ...(selection.offset === undefined ? {} : { offset: count(selection.offset) }),
  };
  const query = compileQuery(bound, catalog, {});
  return { query, parameters: query.parameters.map(({ name }) => parameters.get(name) ?? null) };
}

function relationOf(
  domain: Domain,
  relation: string,
): { readonly source: RelationSource; readonly columns: readonly Column[] } {
  const [, name = '', suffix] = /^(.*?)(\$Agg|\$Events)?$/.exec(relation) ?? [];
  if (suffix === undefined) {
    const projection = domain.projections.find((candidate) => candidate.name === name);
    if (projection !== undefined)
      return { source: { kind: 'projection', projection: name }, columns: projection.columns };
  } else {
    const aggregate = domain.aggregates.find((candidate) => candidate.name === name);
    if (aggregate !== undefined)
      return suffix === '$Agg'
        ? { source: { kind: 'state', aggregate: name }, columns: aggregate.stateColumns }
        : { source: { kind: 'events', aggregate: name }, columns: aggregate.eventColumns };
  }
  throw new Error(`no relation ${relation} in this domain`);
}

function columnOf(columns: readonly Column[], name: string, relation: string): Column {
  const column = columns.find((candidate) => candidate.name === name);
  if (column === undefined) throw new Error(`no column ${name} in ${relation}`);
  return column;
}

function reference({ name, type, nullable, sensitive }: Column): TypedExpression {
  return { kind: 'column', relation: ROW, column: name, type, nullable, sensitive };
}

function orderOf(columns: readonly Column[], { order, relation }: Selection): readonly SortKey[] {
  if (order === 'own') return [];
  return [
    { by: 'expression', expression: reference(columnOf(columns, order, relation)), direction: 'ASC', nulls: 'LAST' },
  ];
}

function and(left: TypedExpression, right: TypedExpression): TypedExpression {
  return { kind: 'call', function: 'and', arguments: [left, right], type: boolean, nullable: true, sensitive: false };
}

function count(value: number): TypedExpression {
  return { kind: 'literal', value: String(value), type: { kind: 'BIGINT' }, nullable: false, sensitive: false };
}
