/**
 * Random typed queries over the relations of a catalog, valid by construction: functions select their types as the
 * analyser does.
 */
import type { Column } from '../../language/contract/query.ts';
import type { Type } from '../../language/values/type.ts';
import type { AggregateName, TypedExpression, WindowShape } from '../../language/catalog/expression.ts';
import type {
  BoundBody,
  BoundCommonTable,
  BoundQuery,
  BoundRelation,
  BoundSelect,
  RelationSource,
  SortKey,
} from '../../language/catalog/query.ts';
import { lookupFunction } from '../../compiler/functions/catalogue.ts';
import { resolveAggregate } from '../../compiler/functions/aggregates.ts';
import { BIGINT, BOOLEAN, DATE, decimal, DOUBLE, INT, INTERVAL, literal, STRING, TIMESTAMP } from './bound.ts';

/** Draws a whole number from 0 to `below` - 1. */
export type Draw = (below: number) => number;

export interface Source {
  readonly source: RelationSource;
  readonly columns: readonly Pick<Column, 'name' | 'type'>[];
}

/** A column in scope. */
interface Visible {
  readonly relation: number;
  readonly name: string;
  readonly type: Type;
}
interface Frame {
  readonly visible: readonly Visible[];
  /** Relations whose rows are events. */
  readonly events: readonly number[];
  readonly common: readonly BoundCommonTable[];
  readonly depth: number;
}

const kinds: readonly Type[] = [INT, BIGINT, decimal(8, 2), DOUBLE, STRING, BOOLEAN, TIMESTAMP, DATE, INTERVAL];

/** `depth` limits the nesting of queries. */
export function randomQuery(draw: Draw, sources: readonly Source[], depth: number): BoundQuery {
  let ids = 0;
  const pick = <T>(list: readonly T[]): T => list[draw(list.length)] as T; // lists here are never empty
  const chance = (percent: number): boolean => draw(100) < percent;
  const facts = { nullable: true, sensitive: false } as const;

  // Expressions -------------------------------------------------------------------------------------------------------------

  const constant = (type: Type): TypedExpression => {
    if (chance(10)) return literal(null, type);
    switch (type.kind) {
      case 'INT':
        return literal(draw(7) - 3, type);
      case 'BIGINT':
        return literal(pick(['0', '1', '-4000000000', '9007199254740993']), type);
      case 'DECIMAL':
        return literal(pick(['0', '1.5', '-2.25', '0.01']), type);
      case 'DOUBLE':
        return literal(pick([0, 0.5, -1.25, 3]), type);
      case 'BOOLEAN':
        return literal(chance(50), type);
      case 'TIMESTAMP':
        return literal(pick(['2026-01-01T00:00:00Z', '2025-12-31T23:59:59.999999Z']), type);
      case 'DATE':
        return literal(pick(['2026-01-01', '1969-12-31']), type);
      case 'INTERVAL':
        // Some are equal; nothing below tells equal ones apart, because either may be in a result.
        return literal(pick(['1 day', '24:00:00', '1 mon', '30 days', '-01:30:00']), type);
      default:
        return literal(pick(['', 'a', 'B', 'ä', "it's", 'a%b']), type);
    }
  };

  const convert = (operand: TypedExpression, type: Type): TypedExpression =>
    JSON.stringify(operand.type) === JSON.stringify(type)
      ? operand
      : { kind: 'cast', operand, mode: 'implicit', type, ...facts };

  const call = (name: string, ...given: TypedExpression[]): TypedExpression => {
    const resolved = lookupFunction(name)?.resolve(given.map((argument) => ({ type: argument.type, untyped: false })));
    if (resolved === undefined || 'problem' in resolved) throw new Error(`${name}: ${resolved?.problem ?? 'unknown'}`);
    const cast = given.map((argument, index) => convert(argument, resolved.parameters[index] ?? argument.type));
    return { kind: 'call', function: name, arguments: cast, type: resolved.result, ...facts };
  };

  const columnOf = ({ relation, name, type }: Visible): TypedExpression => ({
    kind: 'column',
    relation,
    column: name,
    type,
    ...facts,
  });

  /** An expression of that kind, with any digits. */
  const expression = (type: Type, frame: Frame, given?: Leaf): TypedExpression => {
    const inner = { ...frame, depth: frame.depth - 1 };
    const leaf = given ?? plainLeaf(frame);
    const part = (of: Type = type): TypedExpression => expression(of, inner, given);
    if (frame.depth <= 0 || chance(30)) return leaf(type);
    if (chance(12))
      return {
        kind: 'case',
        branches: [{ when: part(BOOLEAN), then: convert(part(), type) }],
        ...(chance(60) ? { otherwise: convert(part(), type) } : {}),
        type,
        ...facts,
      };
    if (chance(8)) return call('COALESCE', convert(part(), type), convert(part(), type));
    if (chance(5)) return call('NULLIF', convert(part(), type), convert(part(), type));
    if (chance(6) && given === undefined) return { kind: 'scalar-query', query: single(inner, type), type, ...facts };
    switch (type.kind) {
      case 'INT':
      case 'BIGINT':
      case 'DECIMAL':
      case 'DOUBLE':
        if (type.kind === 'INT' && chance(20)) return call('LENGTH', part(STRING));
        return chance(30)
          ? call(pick(['negate', 'ABS']), part())
          : convert(call(pick(['add', 'subtract', type.kind === 'INT' ? 'multiply' : 'add']), part(), part()), type);
      case 'STRING':
        return chance(50) ? call('concat', part(), part()) : call(pick(['UPPER', 'LOWER', 'TRIM', 'REVERSE']), part());
      case 'BOOLEAN':
        return truth(inner, part, given === undefined);
      case 'INTERVAL':
        if (chance(40)) return call('subtract', part(TIMESTAMP), part(TIMESTAMP));
        return chance(30)
          ? call('negate', part())
          : call(pick(['add', 'subtract', 'GREATEST', 'LEAST']), part(), part());
      default:
        return leaf(type);
    }
  };

  const truth = (frame: Frame, part: (of: Type) => TypedExpression, queries: boolean): TypedExpression => {
    const of = pick(kinds.filter((kind) => kind.kind !== 'BOOLEAN'));
    if (queries && chance(8)) return { kind: 'exists', query: query(frame), type: BOOLEAN, ...facts };
    if (queries && chance(8)) {
      return {
        kind: 'in-query',
        operand: convert(part(of), of),
        query: query(frame, [of]),
        negated: chance(40),
        type: BOOLEAN,
        ...facts,
      };
    }
    switch (draw(7)) {
      case 0:
        return call(pick(['and', 'or']), part(BOOLEAN), part(BOOLEAN));
      case 1:
        return call('not', part(BOOLEAN));
      case 2:
        return call('is_null', part(of));
      case 3:
        return {
          kind: 'in-list',
          operand: convert(part(of), of),
          list: [constant(of), constant(of), constant(of)],
          negated: chance(40),
          type: BOOLEAN,
          ...facts,
        };
      default:
        return call(
          pick([
            'equal',
            'not_equal',
            'less',
            'less_equal',
            'greater',
            'greater_equal',
            'is_distinct',
            'is_not_distinct',
          ]),
          part(of),
          part(of),
        );
    }
  };

  type Leaf = (type: Type) => TypedExpression;
  /** Columns in scope and constants. */
  const plainLeaf = (frame: Frame): Leaf => {
    return (type) => {
      const fitting = frame.visible.filter((column) => column.type.kind === type.kind);
      return fitting.length === 0 || chance(20) ? constant(type) : convert(columnOf(pick(fitting)), type);
    };
  };

  // Aggregates and windows --------------------------------------------------------------------------------------------------

  const aggregate = (frame: Frame): TypedExpression => {
    const [events] = frame.events;
    const name = pick<AggregateName>(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'LAST', 'FIRST', 'ARRAY_AGG', 'STRING_AGG']);
    const ordered = name === 'LAST' || name === 'FIRST' || name === 'ARRAY_AGG' || name === 'STRING_AGG';
    if (ordered && events === undefined) return aggregate(frame);
    // If a join repeats rows, only these columns are independent of their order.
    const own = ordered ? { ...frame, visible: frame.visible.filter((column) => column.relation === events) } : frame;
    const type = pick(argumentKinds(name));
    const given = name === 'COUNT' && chance(30) ? [] : [expression(type, { ...own, depth: 1 })];
    if (name === 'STRING_AGG') given.push(literal(pick([',', '']), STRING));
    if (ordered && given[0]?.kind === 'literal') return aggregate(frame);
    const distinct = !ordered && given.length === 1 && chance(20);
    const filter = chance(25) ? { filter: expression(BOOLEAN, { ...frame, depth: 1 }) } : {};
    const resolved = resolveAggregate(
      name,
      given.map((argument) => ({ type: argument.type, untyped: false })),
      distinct,
    );
    if ('problem' in resolved) throw new Error(`${name}: ${resolved.problem}`);
    const relation = (name === 'LAST' || name === 'FIRST') && events !== undefined ? { relation: events } : {};
    return {
      kind: 'aggregate',
      function: name,
      arguments: given,
      distinct,
      orderBy: [],
      ...filter,
      ...relation,
      type: resolved.result,
      ...facts,
    };
  };

  const window = (frame: Frame, position: Visible): TypedExpression => {
    const type = pick(kinds);
    const value = (): TypedExpression => expression(type, { ...frame, depth: 1 });
    const total: SortKey = { by: 'expression', expression: columnOf(position), ...direction() };
    const loose = { by: 'expression', expression: plainLeaf(frame)(type), ...direction() } as const;
    const partitionBy = chance(60) ? [plainLeaf(frame)(pick(kinds))] : [];
    const whole = (
      name: WindowShape['function'],
      given: TypedExpression[],
      orderBy: SortKey[],
      more: Partial<WindowShape> = {},
    ): TypedExpression => {
      const resolved = resolveAggregate(
        name,
        given.map((argument) => ({ type: argument.type, untyped: false })),
        false,
      );
      if ('problem' in resolved) throw new Error(`${name}: ${resolved.problem}`);
      return {
        kind: 'window',
        function: name,
        arguments: given,
        partitionBy,
        orderBy,
        ...more,
        type: resolved.result,
        ...facts,
      };
    };
    const rows = chance(50) ? { frame: { unit: 'ROWS', ...bounds() } as const } : {};
    const count = (): TypedExpression =>
      chance(70) ? literal(draw(5) - 1, INT) : expression(INT, { ...frame, depth: 1 });
    const neighbour = (distance: TypedExpression): TypedExpression[] => {
      const given = value();
      return chance(50) ? [given, distance] : [given, distance, constant(given.type)];
    };
    switch (draw(6)) {
      case 0:
        return whole(pick(['RANK', 'DENSE_RANK', 'PERCENT_RANK', 'CUME_DIST']), [], [loose]);
      case 1:
        return whole('ROW_NUMBER', [], [loose, total]);
      case 2:
        return whole(pick(['LAG', 'LEAD']), neighbour(count()), [total]);
      case 3:
        return whole(pick(['FIRST_VALUE', 'LAST_VALUE']), [value()], [loose, total], rows);
      case 4:
        return chance(50)
          ? whole('NTILE', [count()], [total])
          : whole('NTH_VALUE', [value(), count()], [loose, total], rows);
      default: {
        const name = pick<AggregateName>(['COUNT', 'SUM', 'AVG', 'MIN', 'MAX', 'LAST', 'FIRST']);
        const given = [expression(pick(argumentKinds(name)), { ...frame, depth: 1 })];
        const relation = name === 'LAST' || name === 'FIRST' ? { relation: position.relation } : {};
        const filter = chance(25) ? { filter: expression(BOOLEAN, { ...frame, depth: 1 }) } : {};
        return chance(50)
          ? whole(name, given, [loose], { ...relation, ...filter })
          : whole(name, given, [total], { ...relation, ...filter, ...rows });
      }
    }
  };

  const bounds = (): Pick<NonNullable<WindowShape['frame']>, 'start' | 'end'> => {
    const offset = (): TypedExpression => literal(draw(3), INT);
    const start = pick([
      { at: 'UNBOUNDED PRECEDING' },
      { at: 'CURRENT ROW' },
      { at: 'PRECEDING', offset: offset() },
    ] as const);
    const end = pick([
      { at: 'UNBOUNDED FOLLOWING' },
      { at: 'CURRENT ROW' },
      { at: 'FOLLOWING', offset: offset() },
    ] as const);
    return { start, end };
  };

  const direction = (): { readonly direction: 'ASC' | 'DESC'; readonly nulls: 'FIRST' | 'LAST' } => ({
    direction: pick(['ASC', 'DESC']),
    nulls: pick(['FIRST', 'LAST']),
  });

  // Queries -----------------------------------------------------------------------------------------------------------------

  interface From {
    readonly relation: BoundRelation;
    readonly visible: readonly Visible[];
    readonly events: readonly number[];
  }

  const from = (frame: Frame): From => {
    const left = oneRelation(frame);
    if (frame.depth <= 0 || chance(70)) return left;
    const right = oneRelation({ ...frame, depth: 0 });
    const visible = [...left.visible, ...right.visible];
    const type = pick(['INNER', 'LEFT', 'RIGHT', 'FULL', 'CROSS'] as const);
    const inner: Frame = { ...frame, visible: [...frame.visible, ...visible], depth: 1 };
    const on = type === 'CROSS' ? {} : { on: expression(BOOLEAN, inner) };
    return { relation: { kind: 'join', type, left: left.relation, right: right.relation, ...on }, visible, events: [] };
  };

  const oneRelation = (frame: Frame): From => {
    const id = ++ids;
    const seen = (columns: readonly Pick<Column, 'name' | 'type'>[]): readonly Visible[] =>
      columns.map(({ name, type }) => ({ relation: id, name, type }));
    const table = frame.common.length > 0 && chance(50) ? pick(frame.common) : undefined;
    if (table !== undefined) {
      const source = { kind: 'common', table: table.id, name: table.name } as const;
      return { relation: { kind: 'relation', id, source }, visible: seen(table.query.columns), events: [] };
    }
    if (frame.depth > 0 && chance(25)) {
      const inner = query({ ...frame, visible: [], events: [], depth: frame.depth - 1 });
      return { relation: { kind: 'derived', id, query: inner }, visible: seen(inner.columns), events: [] };
    }
    const { source, columns } = pick(sources);
    return {
      relation: { kind: 'relation', id, source },
      visible: seen(columns),
      events: source.kind === 'events' ? [id] : [],
    };
  };

  const select = (outer: Frame, types: readonly Type[] | undefined): BoundSelect => {
    const source = from(outer);
    const frame: Frame = {
      ...outer,
      visible: [...outer.visible, ...source.visible],
      events: source.events,
      depth: outer.depth,
    };
    const where = chance(50) ? { where: expression(BOOLEAN, { ...frame, depth: 2 }) } : {};
    const width = types?.length ?? 1 + draw(3);
    const drawn = Array.from({ length: width }, () => pick(kinds));
    const typeAt = (index: number): Type => types?.[index] ?? drawn[index] ?? INT;
    const base = { kind: 'select', from: source.relation, ...where } as const;
    if (chance(35)) return { ...base, ...grouped(frame, source, width, typeAt) };
    const position =
      source.events.length === 1 && source.relation.kind === 'relation'
        ? source.visible.find(({ name }) => name === 'global_position')
        : undefined;
    const items = Array.from({ length: width }, (_, index) =>
      types === undefined && position !== undefined && chance(25)
        ? window({ ...frame, visible: source.visible }, position)
        : expression(typeAt(index), { ...frame, depth: 2 }),
    );
    return {
      ...base,
      distinct: chance(15),
      items: items.map((item, index) => (types === undefined ? item : convert(item, typeAt(index)))),
      groupBy: [],
      aggregated: false,
    };
  };

  const grouped = (
    frame: Frame,
    source: From,
    width: number,
    typeAt: (index: number) => Type,
  ): Pick<BoundSelect, 'items' | 'groupBy' | 'aggregated' | 'having' | 'distinct'> => {
    const own: Frame = { ...frame, visible: source.visible };
    /** Arguments may be only columns of outer queries, with the aggregate still in this query. */
    const wide: Frame = { ...own, visible: frame.visible };
    const folded = (): TypedExpression => aggregate(chance(25) ? wide : own);
    const groupBy = Array.from({ length: draw(3) }, () => expression(pick(kinds), { ...own, depth: 1 }));
    const leaf: Leaf = (type) => {
      for (let tries = 0; tries < 8; tries++) {
        const candidate = groupBy.length > 0 && chance(40) ? pick(groupBy) : folded();
        if (candidate.type.kind === type.kind) return convert(candidate, type);
      }
      return constant(type);
    };
    const items = Array.from({ length: width }, (_, index) => {
      const item = chance(60) ? folded() : expression(typeAt(index), { ...own, depth: 1 }, leaf);
      return item.type.kind === typeAt(index).kind ? convert(item, typeAt(index)) : leaf(typeAt(index));
    });
    const having = chance(25) ? { having: expression(BOOLEAN, { ...own, depth: 1 }, leaf) } : {};
    return { items, groupBy, aggregated: true, distinct: chance(10), ...having };
  };

  const columnsOf = (types: readonly Type[]): readonly Column[] =>
    types.map((type, index) => ({ name: `x${index}`, type, ...facts }));

  const typesOf = (body: BoundBody): readonly Type[] => {
    if (body.kind === 'select') return body.items.map((item) => item.type);
    if (body.kind === 'set') return typesOf(body.left);
    return body.kind === 'values'
      ? (body.rows[0] ?? []).map((value) => value.type)
      : body.query.columns.map((column) => column.type);
  };

  const body = (frame: Frame, types: readonly Type[] | undefined): BoundBody => {
    if (frame.depth <= 0 || chance(75)) return chance(8) ? listed(types) : select(frame, types);
    const shape = types ?? Array.from({ length: 1 + draw(2) }, () => pick(kinds));
    const smaller = { ...frame, depth: frame.depth - 1 };
    const operator = pick(['UNION', 'INTERSECT', 'EXCEPT'] as const);
    return { kind: 'set', operator, all: chance(40), left: body(smaller, shape), right: body(smaller, shape) };
  };

  const listed = (types: readonly Type[] | undefined): BoundBody => {
    const shape = types ?? Array.from({ length: 1 + draw(3) }, () => pick(kinds));
    return { kind: 'values', rows: Array.from({ length: 1 + draw(3) }, () => shape.map(constant)) };
  };

  const query = (outer: Frame, types?: readonly Type[]): BoundQuery => {
    const tables: BoundCommonTable[] = [];
    if (outer.depth > 1 && chance(25)) {
      const id = ++ids;
      tables.push({ id, name: `t${id}`, query: query({ ...outer, visible: [], events: [], depth: outer.depth - 2 }) });
    }
    const frame = { ...outer, common: [...outer.common, ...tables] };
    const made = body(frame, types);
    const columns = columnsOf(typesOf(made));
    // By every column, so that only equal rows have an undefined order.
    const orderBy = columns.flatMap((column, index): SortKey[] =>
      isSortable(column.type) ? [{ by: 'output', index, ...direction() }] : [],
    );
    const cut =
      orderBy.length === columns.length && chance(20)
        ? {
            limit: literal(String(draw(4)), BIGINT),
            ...(chance(50) ? { offset: literal(String(draw(3)), BIGINT) } : {}),
          }
        : {};
    return { columns, recursive: false, with: tables, body: made, orderBy, ...cut };
  };

  /** A query with a single value of the type. */
  const single = (frame: Frame, type: Type): BoundQuery => {
    const made = query({ ...frame, depth: Math.min(1, frame.depth) }, [type]);
    return { ...made, limit: literal('1', BIGINT) };
  };

  return query({ visible: [], events: [], common: [], depth });
}

function isSortable(type: Type): boolean {
  return type.kind !== 'LIST';
}

function argumentKinds(name: AggregateName): readonly Type[] {
  switch (name) {
    case 'SUM':
    case 'AVG':
      return [INT, BIGINT, decimal(8, 2), decimal(18, 4), DOUBLE, INTERVAL];
    case 'MIN':
    case 'MAX':
      return kinds.filter((kind) => kind.kind !== 'BOOLEAN');
    case 'STRING_AGG':
      return [STRING];
    default:
      return kinds;
  }
}
