import type { BoundQuery, BoundRelation } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { DerivedRelation, Name, NamedRelation, Relation } from '../../syntax/ast.ts';
import { bindJoin } from './bind-join.ts';
import { bindQuery } from './bind-query.ts';
import type { Binding, Site } from './binding.ts';
import { fitsColumns } from './check-bounds.ts';
import { renamed } from './column-list.ts';
import { resolveRelation } from './resolve-relation.ts';
import { asRelation } from './query-relation.ts';
import { innerScope, ownColumns, type JoinedColumn, type RelationScope, type Scope } from './scope.ts';
import { walkQuery } from '../typed/walk.ts';

/** A FROM clause, or a part of one, with the relation instances that it puts in scope. */
export interface FromOutcome {
  readonly relation: BoundRelation;
  readonly relations: readonly RelationScope[];
  readonly joined: readonly JoinedColumn[];
}

/** FROM: relations see only the scope around the whole query; after LATERAL a query also sees the relations before it. */
export function bindFrom(node: Relation, binding: Binding, outer: Scope): FromOutcome {
  const outcome = bindRelation(node, binding, outer, { outer, before: [] });
  checkAliases(outcome.relations, node, binding);
  return outcome;
}

/** The scope of LATERAL: `before` are the parts of the FROM to its left. */
export interface Lateral {
  readonly outer: Scope;
  readonly before: readonly FromOutcome[];
}

export function bindRelation(node: Relation, binding: Binding, outer: Scope, lateral: Lateral): FromOutcome {
  switch (node.kind) {
    case 'NamedRelation':
      return bindNamed(node, binding, outer);
    case 'DerivedRelation':
      return bindDerived(node, binding, node.lateral === true ? lateralScope(lateral) : outer, lateral);
    case 'Join':
      return bindJoin(node, binding, outer, lateral);
  }
}

function bindNamed(node: NamedRelation, binding: Binding, outer: Scope): FromOutcome {
  checkAlias(node.alias, binding);
  const resolved = resolveRelation(node, binding, outer);
  const fits = fitsColumns('read', resolved.columns.length, node, binding);
  const found = fits ? resolved : { ...resolved, columns: [], open: true };
  const id = binding.nextId();
  const renamedColumns = found.open
    ? found.columns
    : renamed(found.columns, node.columns, node.alias ?? node.name, binding);
  const columns = renamedColumns.map((column, index) => {
    const source = column.source ?? found.columns[index]?.name ?? column.name;
    return source === column.name ? column : { ...column, source };
  });
  const scope: RelationScope = { ...found, id, columns, name: (node.alias ?? node.name).text, optional: false };
  const relation: BoundRelation =
    found.query === undefined
      ? { kind: 'relation', id, source: found.source, ...(found.store === undefined ? {} : { store: found.store }) }
      : { kind: 'derived', id, query: found.query };
  return { relation, relations: [scope], joined: ownColumns(scope) };
}

const lateralSite: Site = { where: 'FROM', aggregates: 'refused', windows: false, queries: true, sensitive: 'refused' };

function lateralScope({ outer, before }: Lateral): Scope {
  return {
    ...innerScope(outer),
    relations: before.flatMap(({ relations }) => relations),
    joined: before.flatMap(({ joined }) => joined),
    holder: lateralSite,
  };
}

function bindDerived(node: DerivedRelation, binding: Binding, outer: Scope, { before }: Lateral): FromOutcome {
  checkAlias(node.alias, binding);
  const bound = bindQuery(node.query, binding, outer, { ordered: false });
  const { query, columns } = asRelation(bound, node.columns, node.alias, binding);
  const id = binding.nextId();
  const scope: RelationScope = { id, name: node.alias?.text, columns, open: bound.open, optional: false };
  const lateral = node.lateral === true && before.some((part) => reads(query, part.relations));
  const relation: BoundRelation = { kind: 'derived', id, query, ...(lateral ? { lateral } : {}) };
  return { relation, relations: [scope], joined: ownColumns(scope) };
}

/** Whether a query after LATERAL in a FROM reads any of these relations. */
export function readsAny(from: BoundRelation, relations: readonly RelationScope[]): boolean {
  if (from.kind === 'join') return readsAny(from.left, relations) || readsAny(from.right, relations);
  return from.kind === 'derived' && from.lateral === true && reads(from.query, relations);
}

function reads(query: BoundQuery, relations: readonly RelationScope[]): boolean {
  const ids = new Set(relations.map(({ id }) => id));
  let found = false;
  walkQuery(query, (part) => {
    found ||= part.kind === 'column' && ids.has(part.relation);
    return !found;
  });
  return found;
}

/** `data` is always the payload. */
function checkAlias(alias: Name | undefined, binding: Binding): void {
  if (alias?.text.toLowerCase() === 'data')
    binding.report(diagnose('E0211', alias.span, { what: 'a relation', name: alias.text }));
}

function checkAliases(relations: readonly RelationScope[], node: Relation, binding: Binding): void {
  const seen = new Set<string>();
  for (const { name } of relations) {
    const lower = name?.toLowerCase();
    if (name === undefined || lower === undefined) continue;
    if (seen.has(lower)) binding.report(diagnose('E0215', aliasSpan(node, lower) ?? node.span, { name }));
    seen.add(lower);
  }
}

/** The place of the last relation of that name. */
function aliasSpan(node: Relation, lower: string): Name['span'] | undefined {
  if (node.kind === 'Join') return aliasSpan(node.right, lower) ?? aliasSpan(node.left, lower);
  const name = node.kind === 'NamedRelation' ? (node.alias ?? node.name) : node.alias;
  return name?.text.toLowerCase() === lower ? name.span : undefined;
}
