import type { TypedExpression } from '../../catalog/expression.ts';
import type { BoundJoin } from '../../catalog/query.ts';
import { diagnose } from '../../diagnostics/diagnose.ts';
import { nearestNames } from '../../diagnostics/suggestion.ts';
import type { Join, Name } from '../../syntax/ast.ts';
import { bindCondition } from '../expression/bind-condition.ts';
import { columnOfScope } from '../expression/bind-column.ts';
import { call } from '../expression/call.ts';
import { faulty, isFaulty } from '../expression/typed.ts';
import { bindRelation, type FromOutcome } from './bind-from.ts';
import type { Binding, Site } from './binding.ts';
import { findColumn, innerScope, type MergedColumn, type RelationScope, type Scope } from './scope.ts';

const site: Site = { where: 'JOIN … ON', aggregates: 'refused', windows: false, queries: true, sensitive: 'refused' };

/** A join; USING is spelled out as ON, and its columns become one. */
export function bindJoin(node: Join, binding: Binding, outer: Scope): FromOutcome {
  const left = bindRelation(node.left, binding, outer);
  const right = bindRelation(node.right, binding, outer);
  const leftOptional = node.type === 'RIGHT' || node.type === 'FULL';
  const rightOptional = node.type === 'LEFT' || node.type === 'FULL';
  const scope: Scope = {
    ...innerScope(outer),
    relations: [...left.relations, ...right.relations],
    merged: [...left.merged, ...right.merged],
  };
  const pairs = (node.using ?? []).flatMap((name) => pairOf(name, left, right, binding));
  const using = pairs.map((pair) => call('equal', [pair.left, pair.right], pair.name.span, binding));
  const on =
    node.on === undefined ? conjunction(using, node, binding) : bindCondition(node.on, { binding, scope, site });
  const relation: BoundJoin = {
    kind: 'join',
    type: node.type,
    left: left.relation,
    right: right.relation,
    ...(on === undefined ? {} : { on }),
  };
  const optional = (relations: readonly RelationScope[], isOptional: boolean): readonly RelationScope[] =>
    isOptional ? relations.map((scoped) => ({ ...scoped, optional: true })) : relations;
  return {
    relation,
    relations: [...optional(left.relations, leftOptional), ...optional(right.relations, rightOptional)],
    merged: [
      ...pairs.map((pair) => mergedColumn(pair, node, binding)),
      ...maybeMissing(left.merged, leftOptional),
      ...maybeMissing(right.merged, rightOptional),
    ],
  };
}

function maybeMissing(merged: readonly MergedColumn[], optional: boolean): readonly MergedColumn[] {
  if (!optional) return merged;
  return merged.map((column) => ({ ...column, expression: { ...column.expression, nullable: true } }));
}

interface Pair {
  readonly name: Name;
  readonly left: TypedExpression;
  readonly right: TypedExpression;
  readonly relations: readonly number[];
}

function pairOf(name: Name, left: FromOutcome, right: FromOutcome, binding: Binding): readonly Pair[] {
  const first = sideOf(name, left, binding);
  const second = sideOf(name, right, binding);
  if (first === undefined || second === undefined) return [];
  return [
    { name, left: first.expression, right: second.expression, relations: [...first.relations, ...second.relations] },
  ];
}

/** The column that a side has under that name: one, or it is reported. */
function sideOf(
  name: Name,
  side: FromOutcome,
  binding: Binding,
): { readonly expression: TypedExpression; readonly relations: readonly number[] } | undefined {
  const merged = side.merged.find((candidate) => candidate.name.toLowerCase() === name.text.toLowerCase());
  if (merged !== undefined) return merged;
  const found = side.relations.flatMap((relation) => {
    const column = findColumn(relation.columns, name.text);
    return column === undefined ? [] : [{ relation, column }];
  });
  const [only, second] = found;
  if (only === undefined) {
    const known = side.relations.flatMap((relation) => relation.columns.map((column) => column.name));
    if (!side.relations.some((relation) => relation.open)) {
      binding.report(diagnose('E0203', name.span, { name: name.text, nearest: nearestNames(name.text, known), known }));
    }
    return undefined;
  }
  if (second !== undefined) {
    const relations = found.map(({ relation }) => relation.name ?? '(derived table)');
    binding.report(diagnose('E0207', name.span, { name: name.text, relations }));
    return undefined;
  }
  if (binding.sensitivity === 'masks' && only.column.sensitive) {
    binding.report(diagnose('E0702', name.span, { column: name.text, where: 'JOIN … USING' }));
    return undefined;
  }
  return { expression: columnOfScope(only.relation, only.column, binding), relations: [only.relation.id] };
}

/** What the one column of USING shows: the side that is always there, of a FULL JOIN the first that is. */
function mergedColumn(pair: Pair, node: Join, binding: Binding): MergedColumn {
  const { left, right } = pair;
  const expression =
    node.type === 'FULL'
      ? call(
          'COALESCE',
          [
            { ...left, nullable: true },
            { ...right, nullable: true },
          ],
          pair.name.span,
          binding,
        )
      : node.type === 'RIGHT'
        ? right
        : left;
  return { name: pair.name.text, expression: isFaulty(expression) ? faulty : expression, relations: pair.relations };
}

function conjunction(parts: readonly TypedExpression[], node: Join, binding: Binding): TypedExpression | undefined {
  return parts.reduce<TypedExpression | undefined>(
    (all, part) => (all === undefined ? part : call('and', [all, part], node.span, binding)),
    undefined,
  );
}
