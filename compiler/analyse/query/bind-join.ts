import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundJoin } from '../../../language/catalog/query.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import { nearestNames } from '../../../language/diagnostics/suggestion.ts';
import type { Join, Name } from '../../syntax/ast.ts';
import { bindCondition } from '../expression/bind-condition.ts';
import { columnOfJoined, reportAmbiguous } from '../expression/bind-column.ts';
import { call } from '../expression/call.ts';
import { convert } from '../expression/convert.ts';
import { faulty, isFaulty } from '../typed/typed.ts';
import { checkDuplicates } from '../name/name-rules.ts';
import { sameType } from '../type/widens.ts';
import { bindRelation, readsAny, type Lateral, type FromOutcome } from './bind-from.ts';
import type { Binding, Site } from './binding.ts';
import {
  innerScope,
  joinedNamed,
  type JoinedColumn,
  type MergedColumn,
  type RelationScope,
  type Scope,
} from './scope.ts';

const site: Site = { where: 'JOIN … ON', aggregates: 'refused', windows: false, queries: true, sensitive: 'refused' };

/** A join; USING is expanded to ON, and each pair of its columns becomes one. */
export function bindJoin(node: Join, binding: Binding, outer: Scope, lateral: Lateral): FromOutcome {
  const left = bindRelation(node.left, binding, outer, lateral);
  const right = bindRelation(node.right, binding, outer, { ...lateral, before: [...lateral.before, left] });
  if (node.type === 'RIGHT' || node.type === 'FULL') refuseLateral(node, left, right, binding);
  const leftOptional = node.type === 'RIGHT' || node.type === 'FULL';
  const rightOptional = node.type === 'LEFT' || node.type === 'FULL';
  const scope: Scope = {
    ...innerScope(outer),
    relations: [...left.relations, ...right.relations],
    joined: [...left.joined, ...right.joined],
  };
  if (node.using !== undefined) checkDuplicates(node.using, 'USING', binding.report);
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
    joined: [
      ...pairs.map((pair) => mergedColumn(pair, node, binding)),
      ...remaining(left, pairs, leftOptional),
      ...remaining(right, pairs, rightOptional),
    ],
  };
}

/** Rows of the right side exist without a row of the left, so they cannot be computed from it. */
function refuseLateral(node: Join, left: FromOutcome, right: FromOutcome, binding: Binding): void {
  if (readsAny(right.relation, left.relations)) binding.report(diagnose('E0624', node.right.span, { join: node.type }));
}

/** The columns of a side except those that USING merges. */
function remaining(side: FromOutcome, pairs: readonly Pair[], optional: boolean): readonly JoinedColumn[] {
  const taken = new Set(pairs.map(({ name }) => name.text.toLowerCase()));
  const left = taken.size === 0 ? side.joined : side.joined.filter(({ name }) => !taken.has(name.toLowerCase()));
  if (!optional) return left;
  return left.map((column) =>
    column.kind === 'merged' ? { ...column, expression: { ...column.expression, nullable: true } } : column,
  );
}

interface Pair {
  readonly name: Name;
  readonly left: TypedExpression;
  readonly right: TypedExpression;
}

function pairOf(name: Name, left: FromOutcome, right: FromOutcome, binding: Binding): readonly Pair[] {
  const first = sideOf(name, left, binding);
  const second = sideOf(name, right, binding);
  return first === undefined || second === undefined ? [] : [{ name, left: first, right: second }];
}

/** The only column of a side with that name; otherwise reported. */
function sideOf(name: Name, side: FromOutcome, binding: Binding): TypedExpression | undefined {
  const found = joinedNamed(side.joined, name.text);
  const [only, second] = found;
  if (only === undefined) {
    const known = side.joined.map((column) => column.name);
    if (!side.relations.some((relation) => relation.open)) {
      binding.report(diagnose('E0203', name.span, { name: name.text, nearest: nearestNames(name.text, known), known }));
    }
    return undefined;
  }
  if (second !== undefined) {
    reportAmbiguous(name, found, side.relations, binding);
    return undefined;
  }
  if (only.kind === 'own' && binding.sensitivity === 'masks' && only.column.sensitive) {
    binding.report(diagnose('E0702', name.span, { column: name.text, where: 'JOIN … USING' }));
    return undefined;
  }
  return columnOfJoined(only, side.relations, binding);
}

/** The value of the merged column of USING: the side that always exists, for a FULL JOIN the first one that exists; in the common type. */
function mergedColumn(pair: Pair, node: Join, binding: Binding): MergedColumn {
  const expression = mergedValue(pair, node.type, binding);
  return { kind: 'merged', name: pair.name.text, expression: isFaulty(expression) ? faulty : expression };
}

function mergedValue({ left, right, name }: Pair, type: Join['type'], binding: Binding): TypedExpression {
  if (isFaulty(left) || isFaulty(right)) return faulty;
  const maybe = [left, right].map((side) => ({ ...side, nullable: true }));
  const both = call('COALESCE', maybe, name.span, binding);
  if (type === 'FULL' || isFaulty(both)) return both;
  if (type === 'INNER' && !sameType(left.type, both.type) && sameType(right.type, both.type)) return right;
  return convert(type === 'RIGHT' ? right : left, both.type, binding);
}

function conjunction(parts: readonly TypedExpression[], node: Join, binding: Binding): TypedExpression | undefined {
  return parts.reduce<TypedExpression | undefined>(
    (all, part) => (all === undefined ? part : call('and', [all, part], node.span, binding)),
    undefined,
  );
}
