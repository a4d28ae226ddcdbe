/** Queries, from the inside out and row by row: slow and obvious, the oracle for everything that is compiled. */
import type { TypedExpression, WindowShape } from '../../../language/catalog/expression.ts';
import type {
  BoundBody,
  BoundCommonTable,
  BoundQuery,
  BoundSelect,
  BoundSetOperation,
  SortKey,
} from '../../../language/catalog/query.ts';
import { partsOf } from '../../../compiler/analyse/typed/walk.ts';
import type { Value } from '../../../language/values/type.ts';
import { compareKeys, identity } from './compare.ts';
import { evaluate } from './expression.ts';
import { relationRows } from './relation.ts';
import { windowValues } from './window.ts';
import type { Row, Scope, World } from './world.ts';

/** The rows of a whole query. */
export function runNaively(query: BoundQuery, world: World): readonly (readonly Value[])[] {
  return evaluateQuery(query, { world, rows: new Map(), commonTables: new Map() });
}

/** A row during evaluation: its output and, for a select, its input. */
interface Made {
  readonly output: readonly Value[];
  readonly scope?: Scope;
}

export function evaluateQuery(query: BoundQuery, outer: Scope): readonly (readonly Value[])[] {
  let scope: Scope = {
    world: outer.world,
    rows: outer.group?.[0]?.rows ?? outer.rows,
    commonTables: outer.commonTables,
  };
  for (const table of query.with) {
    const rows = query.recursive ? recursiveRows(table, scope) : rowsOf(table.query, scope);
    scope = { ...scope, commonTables: new Map(scope.commonTables).set(table.id, rows) };
  }
  const made = sorted(evaluateBody(query.body, scope, query.orderBy), query.orderBy);
  const from = query.offset === undefined ? 0 : Number(evaluate(query.offset, scope) ?? 0);
  const limit = query.limit === undefined ? null : evaluate(query.limit, scope);
  return made.slice(from, limit === null ? undefined : from + Number(limit)).map(({ output }) => output);
}

/** Rows by column name. */
export function rowsOf(query: BoundQuery, scope: Scope): readonly Row[] {
  return evaluateQuery(query, scope).map((row) => named(query, row));
}

function named(query: BoundQuery, values: readonly Value[]): Row {
  const row = new Map<string, Value>();
  query.columns.forEach(({ name }, index) => {
    if (!row.has(name.toLowerCase())) row.set(name.toLowerCase(), values[index] ?? null);
  });
  return row;
}

/** A common table may read itself: it starts empty, and is computed again from its rows until no new one appears. */
function recursiveRows({ id, query }: BoundCommonTable, outer: Scope): readonly Row[] {
  const { body } = query;
  const withRows = (rows: readonly Row[]): Scope => ({
    ...outer,
    commonTables: new Map(outer.commonTables).set(id, rows),
  });
  if (body.kind !== 'set' || body.operator !== 'UNION') return rowsOf(query, withRows([]));
  const seen = new Set<string>();
  const fresh = (made: readonly Made[]): readonly (readonly Value[])[] =>
    made.map(({ output }) => output).filter((row) => body.all || (!seen.has(identity(row)) && seen.add(identity(row))));
  let step = fresh(evaluateBody(body.left, withRows([])));
  const all = [...step];
  for (let rounds = 0; step.length > 0; rounds++) {
    if (rounds > 1000) throw new Error('the recursion does not end');
    step = fresh(evaluateBody(body.right, withRows(step.map((row) => named(query, row)))));
    all.push(...step);
  }
  return all.map((row) => named(query, row));
}

function evaluateBody(body: BoundBody, scope: Scope, orderBy: readonly SortKey[] = []): readonly Made[] {
  switch (body.kind) {
    case 'select':
      return evaluateSelect(body, scope, orderBy);
    case 'set':
      return evaluateSet(body, scope);
    case 'values':
      return body.rows.map((row) => ({ output: row.map((value) => evaluate(value, scope)) }));
    case 'query':
      return evaluateQuery(body.query, scope).map((output) => ({ output }));
  }
}

function sorted(rows: readonly Made[], keys: readonly SortKey[]): readonly Made[] {
  const keyed = rows.map((row) => ({ row, key: keys.map((key) => keyOf(key, row)) }));
  return keyed.sort((a, b) => compareKeys(a.key, b.key, keys)).map(({ row }) => row);
}

function keyOf(key: SortKey, row: Made): Value {
  if (key.by === 'output') return row.output[key.index] ?? null;
  if (row.scope === undefined) throw new Error('only a select sorts by expressions');
  return evaluate(key.expression, row.scope);
}

function evaluateSet(set: BoundSetOperation, scope: Scope): readonly Made[] {
  const [left, right] = [evaluateBody(set.left, scope), evaluateBody(set.right, scope)];
  if (set.operator === 'UNION') return set.all ? [...left, ...right] : distinct([...left, ...right]);
  const kept: Made[] = [];
  const others = new Map<string, number>();
  for (const { output } of right) others.set(identity(output), (others.get(identity(output)) ?? 0) + 1);
  for (const row of set.all ? left : distinct(left)) {
    const key = identity(row.output);
    const matches = others.get(key) ?? 0;
    if (set.all && matches > 0) others.set(key, matches - 1);
    if (matches > 0 === (set.operator === 'INTERSECT')) kept.push(row);
  }
  return kept;
}

function distinct(rows: readonly Made[]): readonly Made[] {
  const kept = new Map<string, Made>();
  for (const row of rows) if (!kept.has(identity(row.output))) kept.set(identity(row.output), row);
  return [...kept.values()];
}

function evaluateSelect(select: BoundSelect, outer: Scope, orderBy: readonly SortKey[]): readonly Made[] {
  const from = select.from === undefined ? [outer] : relationRows(select.from, outer);
  const chosen = from.filter((row) => select.where === undefined || evaluate(select.where, row) === true);
  const grouped = select.aggregated ? groups(select, chosen, outer) : chosen;
  const kept = grouped.filter((row) => select.having === undefined || evaluate(select.having, row) === true);
  const made = withWindows(
    [...select.items, ...orderBy.flatMap((key) => (key.by === 'expression' ? [key.expression] : []))],
    kept,
  ).map((scope) => ({
    scope,
    output: select.items.map((item) => evaluate(item, scope)),
  }));
  return select.distinct ? distinct(made) : made;
}

function groups(select: BoundSelect, rows: readonly Scope[], outer: Scope): readonly Scope[] {
  if (select.groupBy.length === 0) return [{ ...outer, group: rows }];
  const found = new Map<string, Scope[]>();
  for (const row of rows) {
    const key = identity(select.groupBy.map((part) => evaluate(part, row)));
    found.set(key, [...(found.get(key) ?? []), row]);
  }
  return [...found.values()].map((group) => ({ ...outer, group }));
}

function withWindows(expressions: readonly TypedExpression[], rows: readonly Scope[]): readonly Scope[] {
  const windows = expressions.flatMap(windowsOf);
  const values = windows.map((window) => windowValues(window, rows));
  return rows.map((row, at) => ({
    ...row,
    windows: new Map(windows.map((window, index) => [window, values[index]?.[at] ?? null])),
  }));
}

function windowsOf(expression: TypedExpression): readonly (TypedExpression & WindowShape)[] {
  return expression.kind === 'window' ? [expression] : partsOf(expression).flatMap(windowsOf);
}
