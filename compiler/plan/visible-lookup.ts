/**
 * Finds the columns by which the rows that VISIBLE shows are looked up (docs/callers.md#visible): those that its condition compares with the
 * caller and that a table of a fold has. Takes an aggregate or a projection, gives a `VisibleLookup`; prints nothing.
 */
import type { AggregateBlock, ProjectionBlock } from '../../language/catalog/block.ts';
import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import { writtenName } from '../../language/catalog/distinct-names.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { conjuncts, someExpression } from '../../language/catalog/map-expression.ts';
import type { BoundNamedRelation, BoundQuery } from '../../language/catalog/query.ts';
import type { Fold } from '../../language/plan/fold.ts';
import { readRelations } from '../analyse/typed/walk.ts';
import { FOLD_ROW, foldSelect } from './fold-select.ts';

/** A column, and the place of its values in a fold's row: a slot `s<n>`, or a part of the key `k<n>`. */
export interface LookedUp {
  readonly column: string;
  readonly fold: Fold;
  readonly at: string;
}

export interface VisibleLookup {
  readonly found: readonly LookedUp[];
  /** Why other parts of the condition look at every row; undefined if there are none. */
  readonly why?: string;
}

/** Undefined if the block shows all rows to all callers. */
export function visibleLookup(block: AggregateBlock | ProjectionBlock, catalog: Catalog): VisibleLookup | undefined {
  const { visible } = block;
  if (visible === undefined || visible === 'all') return undefined;
  const query = block.kind === 'projection' ? block.query : block.state;
  const found = new Map<string, LookedUp>();
  let why: string | undefined;
  for (const part of disjuncts(visible.condition)) {
    // A part about roles alone shows every row, or none.
    if (!readsRow(part)) continue;
    const columns = conjuncts(part).flatMap(comparedColumn);
    const looked = columns.map((column) => columnOf(query, column, catalog));
    const [first] = looked.filter((each) => typeof each !== 'string');
    if (first !== undefined) found.set(`${first.fold.id} ${first.at}`, first);
    else why ??= looked.find((each) => typeof each === 'string') ?? 'a part compares no column with the caller';
  }
  return { found: [...found.values()], ...(why !== undefined && { why }) };
}

/** The aggregates and projections behind the relations that a query names. */
export function blocksRead(query: BoundQuery, catalog: Catalog): ReadonlySet<AggregateBlock | ProjectionBlock> {
  return new Set(readRelations(query).flatMap((relation) => blockBehind(relation, catalog) ?? []));
}

function blockBehind(
  { source, store }: BoundNamedRelation,
  catalog: Catalog,
): AggregateBlock | ProjectionBlock | undefined {
  if (store !== undefined) return undefined;
  if (source.kind === 'projection') return findBlock(catalog, 'projection', source.projection);
  return 'aggregate' in source ? findBlock(catalog, 'aggregate', source.aggregate) : undefined;
}

function disjuncts(condition: TypedExpression): readonly TypedExpression[] {
  if (condition.kind !== 'call' || condition.function !== 'or') return [condition];
  return condition.arguments.flatMap(disjuncts);
}

/** The relation id of the row in a condition. */
const row = 0;

function readsRow(part: TypedExpression): boolean {
  return someExpression(part, (piece) => piece.kind === 'column' && piece.relation === row);
}

/** The column of `column = CURRENT_USER`, `column = ANY (CLAIM(x))` and `column IN (SELECT …)`. */
function comparedColumn(part: TypedExpression): readonly string[] {
  if (part.kind === 'in-query') return part.negated ? [] : rowColumn(part.operand);
  if (part.kind !== 'call') return [];
  const [left, right] = part.arguments;
  if (left === undefined || right === undefined) return [];
  if (part.function === 'any_equal') return isCaller(right) ? rowColumn(left) : [];
  if (part.function !== 'equal') return [];
  return isCaller(right) ? rowColumn(left) : isCaller(left) ? rowColumn(right) : [];
}

function rowColumn(part: TypedExpression): readonly string[] {
  return part.kind === 'column' && part.relation === row ? [part.column] : [];
}

function isCaller(part: TypedExpression): boolean {
  return part.kind === 'caller' && part.part.of !== 'role';
}

/** The place of a query's column in a row of its fold, through the relations that it takes it from, or why it has none. */
function columnOf(query: BoundQuery, column: string, catalog: Catalog): LookedUp | string {
  const name = writtenName(column);
  const { body, orderBy, limit, offset, columns } = query;
  const index = columns.findIndex((each) => each.name.toLowerCase() === column.toLowerCase());
  const item = body.kind === 'select' ? body.items[index] : undefined;
  if (body.kind !== 'select' || item === undefined) return `${name} is not taken from one SELECT`;
  if (limit !== undefined || offset !== undefined || body.distinct) return `${name} is of chosen rows`;
  const { from } = body;
  if (from?.kind === 'relation' && from.source.kind !== 'events') {
    if (body.aggregated) return `${name} is grouped by other relations than events`;
    if (body.items.some(isWindow)) return `${name} is in a query with a window function`;
    const block = blockBehind(from, catalog);
    if (block === undefined || item.kind !== 'column' || item.relation !== from.id) return `${name} is computed`;
    return columnOf(block.kind === 'projection' ? block.query : block.state, item.column, catalog);
  }
  const folded = foldSelect(body, orderBy, 'outer');
  if (typeof folded === 'string') return `${name} is of no fold: ${folded}`;
  const at = folded.items[index];
  if (folded.always || at?.kind !== 'column' || at.relation !== FOLD_ROW) return `${name} is computed`;
  return isKept(folded.fold, at.column) ? { column, fold: folded.fold, at: at.column } : `${name} is computed`;
}

/** Whether the table of a fold keeps the value itself, and not parts of it. */
function isKept({ slots }: Fold, at: string): boolean {
  if (at.startsWith('k')) return true;
  const slot = slots[Number(at.slice(1))];
  return slot !== undefined && slot.type.kind !== 'INTERVAL' && /^(LAST|FIRST|MIN|MAX)$/.test(slot.function);
}

function isWindow(item: TypedExpression): boolean {
  return someExpression(item, ({ kind }) => kind === 'window');
}
