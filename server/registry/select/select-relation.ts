import {
  compileQuery,
  type BoundQuery,
  type Catalog,
  type RelationSource,
  type SortKey,
  type TypedExpression,
} from '../../../compiler/index.ts';
import type { Column, CompiledQuery } from '../../../language/contract/query.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { Selection } from '../../../language/contract/selection.ts';
import type { Type, Value } from '../../../language/values/type.ts';

const ROW = 1;
const boolean: Type = { kind: 'BOOLEAN' };
const position: Type = { kind: 'BIGINT' };

/** Compiles a selection as the query that a person would write for it. */
export function selectRelation(
  domain: Domain,
  catalog: Catalog,
  selection: Selection,
): { readonly query: CompiledQuery; readonly parameters: readonly Value[] } {
  const { source, columns: known } = relationOf(domain, selection.relation);
  const items = selection.columns.map((name) => itemOf(domain, known, name, selection.relation));
  const columns = items.map(({ column }) => column);
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
      items: items.map(({ expression }) => expression),
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

interface Item {
  readonly column: Column;
  readonly expression: TypedExpression;
}

function itemOf(domain: Domain, columns: readonly Column[], name: string, relation: string): Item {
  if (name === 'data IS NOT NULL') return dataPresence(domain, columns, relation);
  const column = name.startsWith('data.') ? leafOf(columns, name, relation) : columnOf(columns, name, relation);
  return { column, expression: reference(column) };
}

/** A payload object exists for each type of event that the aggregate has now, and for no earlier type. */
function dataPresence(domain: Domain, columns: readonly Column[], relation: string): Item {
  const operand = reference(columnOf(columns, 'event_type', relation));
  const aggregate = domain.aggregates.find(({ name }) => `${name}$Events` === relation);
  const facts = { type: boolean, nullable: false, sensitive: false };
  const list = (aggregate?.events ?? []).map((name): TypedExpression => ({
    ...facts,
    kind: 'literal',
    value: name,
    type: operand.type,
  }));
  const expression: TypedExpression =
    list.length === 0
      ? { ...facts, kind: 'literal', value: false }
      : { ...facts, kind: 'in-list', operand, list, negated: false };
  return { column: { ...facts, name: 'data IS NOT NULL' }, expression };
}

function leafOf(columns: readonly Column[], name: string, relation: string): Column {
  const data = columnOf(columns, 'data', relation);
  const fields = data.type.kind === 'STRUCT' ? data.type.fields : [];
  const field = fields.find((candidate) => `data.${candidate.name}` === name);
  if (field === undefined) throw new Error(`no field ${name} in ${relation}`);
  return { name, type: field.type, nullable: true, sensitive: data.sensitive || field.sensitive === true };
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
