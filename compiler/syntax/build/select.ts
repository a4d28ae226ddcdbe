import type { Join, Name, NamedRelation, Relation, RelationName, Select, SelectItem } from '../ast.ts';
import type {
  AliasCst,
  JoinCst,
  RelationAliasCst,
  RelationCst,
  RelationNameCst,
  RelationTermCst,
  SelectCst,
  SelectItemCst,
} from '../grammar/cst.ts';
import { buildWindowDefinition } from './call.ts';
import { buildExpression } from './chain.ts';
import { first, spanOf, type BuildContext } from './context.ts';
import { buildName, buildNameList, buildNameRule } from './name.ts';
import { buildSubquery } from './query.ts';

export function buildSelect(context: BuildContext, cst: SelectCst): Select {
  const { DISTINCT, selectItem, relation, where, groupBy, having, windowDefinition } = cst.children;
  return {
    kind: 'Select',
    span: spanOf(context, cst),
    distinct: DISTINCT !== undefined,
    items: selectItem.map((item) => buildItem(context, item)),
    ...(relation === undefined ? {} : { from: buildFrom(context, relation) }),
    ...(where === undefined ? {} : { where: buildExpression(context, first(where)) }),
    groupBy: (groupBy ?? []).map((item) => buildExpression(context, item)),
    ...(having === undefined ? {} : { having: buildExpression(context, first(having)) }),
    windows: (windowDefinition ?? []).map((window) => buildWindowDefinition(context, window)),
  };
}

function buildItem(context: BuildContext, cst: SelectItemCst): SelectItem {
  const { Star, name, expression, alias } = cst.children;
  const span = spanOf(context, cst);
  if (Star !== undefined) {
    return {
      kind: 'SelectStar',
      span,
      ...(name === undefined ? {} : { qualifier: buildNameRule(context, first(name)) }),
    };
  }
  return {
    kind: 'SelectExpression',
    span,
    expression: buildExpression(context, first(expression ?? [])),
    ...(alias === undefined ? {} : { alias: buildAlias(context, first(alias)) }),
  };
}

function buildAlias(context: BuildContext, cst: AliasCst): Name {
  const { Name, Alias } = cst.children;
  return buildName(context, first(Name ?? Alias ?? []));
}

/** A relation and the range it was written in, its parentheses included. */
interface WrittenRelation {
  readonly node: Relation;
  readonly start: number;
  readonly end: number;
}

/** Commas are cross joins of the relations between them. */
function buildFrom(context: BuildContext, list: readonly RelationCst[]): Relation {
  const relations = list.map((relation) => buildRelation(context, relation));
  return relations.reduce((left, right) => joined(context, left, right, { type: 'CROSS' })).node;
}

function buildRelation(context: BuildContext, cst: RelationCst): WrittenRelation {
  const start = buildTerm(context, first(cst.children.relationTerm));
  return (cst.children.join ?? []).reduce((left, join) => {
    const right = buildTerm(context, first(join.children.relationTerm ?? []));
    const { node, start: from } = joined(context, left, right, joinParts(context, join), join.location.endOffset + 1);
    return { node, start: from, end: join.location.endOffset + 1 };
  }, start);
}

type JoinParts = Pick<Join, 'type' | 'on' | 'using'>;

function joined(
  context: BuildContext,
  left: WrittenRelation,
  right: WrittenRelation,
  parts: JoinParts,
  end = right.end,
): WrittenRelation {
  const span = context.spanAt(left.start, end);
  const { type, ...condition } = parts;
  return {
    node: { kind: 'Join', span, type, left: left.node, right: right.node, ...condition },
    start: left.start,
    end,
  };
}

function joinParts(context: BuildContext, cst: JoinCst): JoinParts {
  const { CROSS, LEFT, RIGHT, FULL, expression, nameList } = cst.children;
  if (CROSS !== undefined) return { type: 'CROSS' };
  let type: Join['type'] = 'INNER';
  if (LEFT !== undefined) type = 'LEFT';
  else if (RIGHT !== undefined) type = 'RIGHT';
  else if (FULL !== undefined) type = 'FULL';
  if (expression !== undefined) return { type, on: buildExpression(context, first(expression)) };
  return { type, using: buildNameList(context, first(nameList ?? [])) };
}

function buildTerm(context: BuildContext, cst: RelationTermCst): WrittenRelation {
  const { LATERAL, subquery, relation, relationName, relationAlias } = cst.children;
  const place = { start: cst.location.startOffset, end: cst.location.endOffset + 1 };
  if (relation !== undefined) return { node: buildRelation(context, first(relation)).node, ...place };
  const span = spanOf(context, cst);
  const alias = relationAlias === undefined ? {} : buildRelationAlias(context, first(relationAlias));
  if (subquery !== undefined) {
    return {
      node: {
        kind: 'DerivedRelation',
        span,
        ...(LATERAL === undefined ? {} : { lateral: true }),
        query: buildSubquery(context, first(subquery)),
        ...alias,
      },
      ...place,
    };
  }
  const named = relationParts(context, first(relationName ?? []));
  return { node: { kind: 'NamedRelation', span, ...named, ...alias }, ...place };
}

function buildRelationAlias(context: BuildContext, cst: RelationAliasCst): Pick<NamedRelation, 'alias' | 'columns'> {
  const { alias, nameList } = cst.children;
  return {
    alias: buildAlias(context, first(alias)),
    ...(nameList === undefined ? {} : { columns: buildNameList(context, first(nameList)) }),
  };
}

function relationParts(context: BuildContext, cst: RelationNameCst): Pick<RelationName, 'schema' | 'name'> {
  const name = buildName(context, first(cst.children.Name));
  const { Word } = cst.children;
  return Word === undefined ? { name } : { schema: name, name: buildName(context, first(Word)) };
}

export function buildRelationName(context: BuildContext, cst: RelationNameCst): RelationName {
  return { kind: 'RelationName', span: spanOf(context, cst), ...relationParts(context, cst) };
}
