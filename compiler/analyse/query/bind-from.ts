import type { BoundRelation } from '../../catalog/query.ts';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { DerivedRelation, Name, NamedRelation, Relation } from '../../syntax/ast.ts';
import { bindJoin } from './bind-join.ts';
import { bindQuery } from './bind-query.ts';
import type { Binding } from './binding.ts';
import { renamed } from './column-list.ts';
import { resolveRelation } from './resolve-relation.ts';
import { asRelation } from './query-relation.ts';
import { ownColumns, type JoinedColumn, type RelationScope, type Scope } from './scope.ts';

/** A FROM clause, or a part of one, with the relation instances that it puts in scope. */
export interface FromOutcome {
  readonly relation: BoundRelation;
  readonly relations: readonly RelationScope[];
  readonly joined: readonly JoinedColumn[];
}

/** FROM: relations see nothing of each other (there is no LATERAL), only what is around the whole query. */
export function bindFrom(node: Relation, binding: Binding, outer: Scope): FromOutcome {
  const outcome = bindRelation(node, binding, outer);
  checkAliases(outcome.relations, node, binding);
  return outcome;
}

export function bindRelation(node: Relation, binding: Binding, outer: Scope): FromOutcome {
  switch (node.kind) {
    case 'NamedRelation':
      return bindNamed(node, binding, outer);
    case 'DerivedRelation':
      return bindDerived(node, binding, outer);
    case 'Join':
      return bindJoin(node, binding, outer);
  }
}

function bindNamed(node: NamedRelation, binding: Binding, outer: Scope): FromOutcome {
  checkAlias(node.alias, binding);
  const found = resolveRelation(node, binding, outer);
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

function bindDerived(node: DerivedRelation, binding: Binding, outer: Scope): FromOutcome {
  checkAlias(node.alias, binding);
  const bound = bindQuery(node.query, binding, outer, { ordered: false });
  const { query, columns } = asRelation(bound, node.columns, node.alias, binding);
  const id = binding.nextId();
  const scope: RelationScope = { id, name: node.alias?.text, columns, open: bound.open, optional: false };
  return { relation: { kind: 'derived', id, query }, relations: [scope], joined: ownColumns(scope) };
}

/** `data` always is the payload. */
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

/** Where the last relation of that name stands. */
function aliasSpan(node: Relation, lower: string): Name['span'] | undefined {
  if (node.kind === 'Join') return aliasSpan(node.right, lower) ?? aliasSpan(node.left, lower);
  const name = node.kind === 'NamedRelation' ? (node.alias ?? node.name) : node.alias;
  return name?.text.toLowerCase() === lower ? name.span : undefined;
}
