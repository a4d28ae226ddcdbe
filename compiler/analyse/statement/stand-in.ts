/**
 * The replacements of the event relations of an inspected projection: the source's rows without rejections, filtered, cut, and with the
 * columns that the projection expects. States and projections that it reads are computed from the same rows.
 */
import type { Type } from '../../../language/values/type.ts';
import type { AggregateBlock, ProjectionBlock } from '../../../language/catalog/block.ts';
import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery, BoundRelation, BoundSelect, SortKey } from '../../../language/catalog/query.ts';
import type { InspectProjection } from '../../syntax/ast.ts';
import { canCast } from '../../functions/cast.ts';
import { bindCondition } from '../expression/bind-condition.ts';
import { call } from '../expression/call.ts';
import { columnOf, countType, isFaulty, literal, nullOf, textType, wholeType } from '../typed/typed.ts';
import { bindQuery } from '../query/bind-query.ts';
import type { Binding, Site, StandIn } from '../query/binding.ts';
import { createBinding } from '../query/create-binding.ts';
import { eventScopeColumns } from '../query/event-columns.ts';
import { bindLimit } from '../query/limit.ts';
import type { ResolvedRelation } from '../query/resolve-relation.ts';
import { emptyScope, findColumn, scopeOver, type RelationScope, type ScopeColumn } from '../query/scope.ts';
import { sameType } from '../type/widens.ts';

const site: Site = { where: 'WHERE', aggregates: 'refused', windows: false, queries: false, sensitive: 'refused' };

export function createStandIn(
  source: ResolvedRelation,
  statement: InspectProjection,
  projection: ProjectionBlock,
  caller: Binding,
): StandIn {
  const several = projection.aggregates.length > 1;

  function events(aggregate: AggregateBlock): BoundQuery | undefined {
    if (source.source.kind === 'events' && source.source.aggregate !== aggregate.name) return undefined;
    const id = caller.nextId();
    const scoped: RelationScope = { ...source, id, name: statement.source.name.text, optional: false };
    const own = several && source.source.kind === 'session' ? [isOf(aggregate, scoped)] : [];
    return sourceQuery(aggregate, scoped, own);
  }

  function isOf(aggregate: AggregateBlock, scoped: RelationScope): TypedExpression {
    return call(
      'equal',
      [columnNamed(scoped, 'stream_type'), literal(aggregate.name, textType)],
      statement.source.span,
      caller,
    );
  }

  function sourceQuery(aggregate: AggregateBlock, scoped: RelationScope, own: readonly TypedExpression[]): BoundQuery {
    const columns = eventScopeColumns(aggregate).map((column) => ({ ...column, ...typeInSource(column, scoped) }));
    const where = [...own, ...conditions(scoped)].reduce((all, part) =>
      call('and', [all, part], statement.span, caller),
    );
    const limit = bindLimit(statement.limit, 'LIMIT', caller, emptyScope);
    const from: BoundRelation = {
      kind: 'relation',
      id: scoped.id,
      source: source.source,
      ...(source.store === undefined ? {} : { store: source.store }),
    };
    const items = columns.map((column) => fromMixed(aggregate, column, scoped) ?? valueOf(column, scoped));
    const body: BoundSelect = { kind: 'select', distinct: false, items, from, where, groupBy: [], aggregated: false };
    const position: SortKey = {
      direction: 'ASC',
      nulls: 'LAST',
      by: 'expression',
      expression: columnNamed(scoped, 'global_position'),
    };
    return {
      columns,
      recursive: false,
      with: [],
      body,
      orderBy: limit === undefined ? [] : [position],
      ...(limit === undefined ? {} : { limit }),
    };
  }

  /** A field to which events of several aggregates give different types is JSON in the table; this is the value in the aggregate's own event. */
  function fromMixed(
    aggregate: AggregateBlock,
    column: ScopeColumn,
    scoped: RelationScope,
  ): TypedExpression | undefined {
    const found = findColumn(scoped.columns, column.name);
    if (found?.type.kind !== 'JSON' || column.type.kind === 'JSON') return undefined;
    const { span } = statement;
    const facts = { nullable: true, sensitive: column.sensitive };
    const cast = (operand: TypedExpression, type: Type): TypedExpression => ({
      ...facts,
      kind: 'cast',
      operand,
      mode: 'explicit',
      type,
    });
    const opened = call('concat', [literal('[', textType), cast(columnOf(scoped.id, found), textType)], span, caller);
    const list = cast(call('concat', [opened, literal(']', textType)], span, caller), { kind: 'JSON' });
    const then = cast(call('json_get_text', [list, literal(0, wholeType)], span, caller), column.type);
    return { ...facts, kind: 'case', branches: [{ when: isOf(aggregate, scoped), then }], type: column.type };
  }

  /** No rejections, the WHERE condition, and nothing up to OFFSET. */
  function conditions(scoped: RelationScope): readonly TypedExpression[] {
    const { span } = statement;
    const accepted = call(
      'not_equal',
      [columnNamed(scoped, 'event_type'), literal('__REJECTED__', textType)],
      span,
      caller,
    );
    const found = [accepted];
    if (statement.where !== undefined) {
      const where = bindCondition(statement.where, {
        binding: caller,
        scope: scopeOver(scoped),
        site,
      });
      if (!isFaulty(where)) found.push(where);
    }
    const offset = bindLimit(statement.offset, 'OFFSET', caller, emptyScope);
    if (offset !== undefined)
      found.push(call('greater', [columnNamed(scoped, 'global_position'), offset], span, caller));
    return found;
  }

  function columnNamed(scoped: RelationScope, name: string): TypedExpression {
    const column = findColumn(scoped.columns, name);
    if (column !== undefined) return columnOf(scoped.id, column);
    // A recorded table without positions keeps its rows in order; no row comes before the first.
    return name === 'global_position' ? literal('1', countType) : nullOf(textType);
  }

  const standIn: StandIn = {
    events,
    state: (aggregate) => {
      const standing = events(aggregate);
      return standing === undefined ? undefined : stateOver(aggregate, standing, caller.nextId());
    },
    projection: (block) => {
      const tree = caller.environment.tree('projection', block.name);
      if (tree?.kind !== 'CreateProjection' || block.aggregates.length === 0) return undefined;
      const binding = createBinding(caller.environment, caller.report, {
        nextId: caller.nextId,
        spans: caller.spans,
        standIn,
      });
      return bindQuery(tree.query, binding, emptyScope, { ordered: false }).query;
    },
  };
  return standIn;
}

/** The state's own query over other rows; ids are unique in the whole query, so it gets a new one. */
function stateOver(aggregate: AggregateBlock, standing: BoundQuery, id: number): BoundQuery {
  const { state } = aggregate;
  if (state.body.kind !== 'select' || state.body.from?.kind !== 'relation') return state;
  const from: BoundRelation = { kind: 'derived', id, query: standing };
  const body = renumbered(state.body, state.body.from.id, id);
  return { ...state, body: { ...body, from } };
}

/** Plain data with every mention of one relation changed to another. */
function renumbered<T>(value: T, from: number, to: number): T {
  return JSON.parse(JSON.stringify(value), (key: string, part: unknown) =>
    key === 'relation' && part === from ? to : part,
  ) as T;
}

/** STRUCTs are passed on unchanged; everything else has the type that the projection was compiled with. */
function typeInSource(column: ScopeColumn, scoped: RelationScope): Partial<ScopeColumn> {
  const found = findColumn(scoped.columns, column.name);
  if (found === undefined) return { nullable: true };
  const sensitive = column.sensitive || found.sensitive;
  return column.type.kind === 'STRUCT'
    ? { type: found.type, nullable: true, sensitive }
    : { nullable: column.nullable || found.nullable, sensitive };
}

function valueOf(column: ScopeColumn, scoped: RelationScope): TypedExpression {
  const found = findColumn(scoped.columns, column.name);
  if (found === undefined || !canCast(found.type, column.type, 'explicit'))
    return { ...nullOf(column.type), sensitive: column.sensitive };
  const value = columnOf(scoped.id, found);
  if (sameType(found.type, column.type) || column.type.kind === 'STRUCT') return value;
  return {
    kind: 'cast',
    operand: value,
    mode: 'explicit',
    type: column.type,
    nullable: value.nullable,
    sensitive: value.sensitive,
  };
}
