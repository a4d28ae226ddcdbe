/** The query behind `Name$Agg`: one row per stream, with `aggregate_id` and the fields of the state (docs/language.md#aggregate). */
import type { Column } from '../../../language/contract/query.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery } from '../../../language/catalog/query.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import type { Expression } from '../../syntax/ast.ts';
import type { Environment } from '../environment/environment.ts';
import { bindExpression } from '../expression/bind-expression.ts';
import { call } from '../expression/call.ts';
import { assign } from '../expression/convert.ts';
import { columnOf, isFaulty, literal, nullOf } from '../typed/typed.ts';
import type { Binding, Site } from '../query/binding.ts';
import { checkGrouped } from '../query/check-grouped.ts';
import { createBinding } from '../query/create-binding.ts';
import { findColumn, scopeOver, type RelationScope, type Scope } from '../query/scope.ts';
import type { StateField } from './check-aggregate.ts';

export interface EventRelation {
  readonly name: string;
  readonly payload: readonly Column[];
  readonly columns: readonly Column[];
}

export function stateQuery(
  relation: EventRelation,
  fields: readonly StateField[],
  environment: Environment,
  report: Report,
): BoundQuery {
  const binding = createBinding(environment, report, { fixed: `the state of '${relation.name}'` });
  const scoped: RelationScope = {
    id: binding.nextId(),
    name: `${relation.name}$Events`,
    source: { kind: 'events', aggregate: relation.name },
    columns: [
      ...relation.columns,
      ...relation.payload.map((field) => ({ ...field, name: `data.${field.name}`, hidden: true as const })),
    ],
    open: false,
    events: relation.name,
    optional: false,
  };
  const scope = scopeOver(scoped);
  const stream = columnNamed(scoped, 'stream_id');
  const own =
    fields.length === 0
      ? latestOfAll(relation, scoped)
      : fields.map((field) => stateColumn(field, scoped, scope, binding));
  // A KEY field named aggregate_id is already that column.
  const named = own.filter(({ name }) => name.toLowerCase() !== 'aggregate_id');
  const all = [{ name: 'aggregate_id', expression: stream }, ...named];
  checkGrouped(
    all.map((item) => item.expression),
    [stream],
    scope,
    binding,
  );
  return {
    columns: all.map(({ name, expression }) => ({
      name,
      type: expression.type,
      nullable: expression.nullable,
      sensitive: expression.sensitive,
    })),
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items: all.map((item) => item.expression),
      from: { kind: 'relation', id: scoped.id, source: { kind: 'events', aggregate: relation.name } },
      groupBy: [stream],
      aggregated: true,
    },
    orderBy: [],
  };
}

interface StateItem {
  readonly name: string;
  readonly expression: TypedExpression;
}

/** Without declared fields: the last non-null value of every payload field. */
function latestOfAll(relation: EventRelation, scoped: RelationScope): readonly StateItem[] {
  return relation.payload.map((field) => ({ name: field.name, expression: latest(scoped, field.name) }));
}

function stateColumn(field: StateField, scoped: RelationScope, scope: Scope, binding: Binding): StateItem {
  return { name: field.name, expression: withDefault(field, folded(field, scoped, scope, binding), binding) };
}

const site: Site = { where: 'AS', aggregates: 'allowed', windows: false, queries: false, sensitive: 'masked' };

function folded(field: StateField, scoped: RelationScope, scope: Scope, binding: Binding): TypedExpression {
  const { node, name, type } = field;
  if (node.key) return keyColumn(scoped, field);
  if (node.fold !== undefined)
    return assignFold(bindExpression(node.fold, { binding, scope, site }), node.fold, field, binding);
  const carried = findColumn(scoped.columns, `data.${name}`) !== undefined;
  return carried ? assign(latest(scoped, name), type, name, node.type.span, binding) : nullOf(type);
}

function assignFold(
  bound: TypedExpression,
  node: Expression,
  { type, name }: StateField,
  binding: Binding,
): TypedExpression {
  return assign(bound, type, name, node.span, binding);
}

/** The stream id under another name, in the declared type. */
function keyColumn(scoped: RelationScope, { type }: StateField): TypedExpression {
  const stream = columnNamed(scoped, 'stream_id');
  if (type.kind === 'STRING' && type.length === undefined) return stream;
  return { kind: 'cast', operand: stream, mode: 'explicit', type, nullable: false, sensitive: false };
}

function withDefault(field: StateField, bound: TypedExpression, binding: Binding): TypedExpression {
  if (field.default === undefined || field.default === null || isFaulty(bound)) return bound;
  const initial = literal(field.default, field.type);
  if (bound.kind === 'literal' && bound.value === null) return initial;
  return call('COALESCE', [bound, initial], field.node.span, binding);
}

function latest(scoped: RelationScope, field: string): TypedExpression {
  const column = columnNamed(scoped, `data.${field}`);
  return {
    kind: 'aggregate',
    function: 'LAST',
    arguments: [column],
    distinct: false,
    orderBy: [],
    relation: scoped.id,
    type: column.type,
    nullable: true,
    sensitive: column.sensitive,
  };
}

function columnNamed(scoped: RelationScope, name: string): TypedExpression {
  const column = findColumn(scoped.columns, name);
  if (column === undefined) throw new Error(`an event relation has no column ${name}`);
  return columnOf(scoped.id, column);
}
