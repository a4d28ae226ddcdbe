import { findBlock } from '../../../language/catalog/catalog.ts';
import type { BoundJoin, BoundNamedRelation, BoundRelation } from '../../../language/catalog/query.ts';
import { evaluate } from './expression.ts';
import { rowsOf } from './query.ts';
import { withRow, type Row, type Scope } from './world.ts';

/** Every combination of rows that a FROM gives, as scopes. */
export function relationRows(relation: BoundRelation, outer: Scope): readonly Scope[] {
  if (relation.kind === 'join') return joinRows(relation, outer);
  const rows = relation.kind === 'derived' ? rowsOf(relation.query, outer) : namedRows(relation, outer);
  return rows.map((row) => withRow(outer, relation.id, row));
}

function namedRows({ source }: BoundNamedRelation, scope: Scope): readonly Row[] {
  const { world } = scope;
  const fresh: Scope = { world, rows: new Map(), commonTables: new Map() };
  switch (source.kind) {
    case 'events':
      return world.events.get(source.aggregate) ?? [];
    case 'state': {
      const block = findBlock(world.catalog, 'aggregate', source.aggregate);
      return block === undefined ? [] : rowsOf(block.state, fresh);
    }
    case 'projection': {
      const block = findBlock(world.catalog, 'projection', source.projection);
      return block === undefined ? [] : rowsOf(block.query, fresh);
    }
    case 'meta':
      return world.tables.get(source.relation) ?? [];
    case 'session':
      return world.tables.get(source.table) ?? [];
    case 'common':
      return scope.commonTables.get(source.table) ?? [];
  }
}

function joinRows(join: BoundJoin, outer: Scope): readonly Scope[] {
  const left = relationRows(join.left, outer);
  const lateral = readsBeside(join.right);
  const alone = lateral ? [] : relationRows(join.right, outer);
  const matchedRight = new Set<Scope>();
  const joined = left.flatMap((a) => {
    const right = lateral ? relationRows(join.right, a) : alone;
    const matches = right.filter((b) => join.on === undefined || evaluate(join.on, merged(a, b)) === true);
    for (const match of matches) matchedRight.add(match);
    if (matches.length > 0) return matches.map((b) => merged(a, b));
    return join.type === 'LEFT' || join.type === 'FULL' ? [extended(a, join.right)] : [];
  });
  if (join.type !== 'RIGHT' && join.type !== 'FULL') return joined;
  return [...joined, ...alone.filter((b) => !matchedRight.has(b)).map((b) => extended(b, join.left))];
}

/** Whether it contains LATERAL and is therefore computed for each row to its left. */
function readsBeside(relation: BoundRelation): boolean {
  if (relation.kind === 'join') return readsBeside(relation.left) || readsBeside(relation.right);
  return relation.kind === 'derived' && relation.lateral === true;
}

function merged(a: Scope, b: Scope): Scope {
  return { ...a, rows: new Map([...a.rows, ...b.rows]) };
}

/** The row with NULLs for every relation of the other side. */
function extended(scope: Scope, other: BoundRelation): Scope {
  if (other.kind !== 'join') return withRow(scope, other.id, null);
  return extended(extended(scope, other.left), other.right);
}
