import type { TypedExpression } from '../../../language/catalog/expression.ts';
import type { BoundQuery, BoundRelation, SortKey } from '../../../language/catalog/query.ts';
import type { InspectDecision, InspectReaction } from '../../syntax/ast.ts';
import { bindCondition } from '../expression/bind-condition.ts';
import { call } from '../expression/call.ts';
import { columnOf, isFaulty, literal, textType } from '../typed/typed.ts';
import type { Binding, Site } from '../query/binding.ts';
import { bindLimit } from '../query/limit.ts';
import type { ResolvedRelation } from '../query/resolve-relation.ts';
import { emptyScope, findColumn, scopeOver, type ScopeColumn } from '../query/scope.ts';

/** WHERE and LIMIT of INSPECT DECISION and REACTION: which rows of its source are used. */
export interface InspectChoice {
  /** Id of the source in `where`. */
  readonly id: number;
  readonly where?: TypedExpression;
  readonly limit?: TypedExpression;
}

/** The condition is the caller's own, so it may not use sensitive columns; `binding` is the one of a caller's text. */
export function bindInspectChoice(
  { where, limit, source: { name } }: InspectDecision | InspectReaction,
  source: ResolvedRelation,
  binding: Binding,
): InspectChoice {
  const id = binding.nextId();
  const site: Site = { where: 'WHERE', aggregates: 'refused', windows: false, queries: false, sensitive: 'refused' };
  const scope = scopeOver({ ...source, id, name: name.text, optional: false });
  const condition = where && bindCondition(where, { binding, scope, site });
  const most = bindLimit(limit, 'LIMIT', binding, emptyScope);
  return {
    id,
    ...(condition === undefined || isFaulty(condition) ? {} : { where: condition }),
    ...(most === undefined ? {} : { limit: most }),
  };
}

/** The chosen rows of the source, with these columns, in the order of their positions if they have any. */
export function chosenRows(
  { id, where, limit }: InspectChoice,
  source: ResolvedRelation,
  columns: readonly ScopeColumn[],
): BoundQuery {
  const from: BoundRelation = {
    kind: 'relation',
    id,
    source: source.source,
    ...(source.store === undefined ? {} : { store: source.store }),
  };
  const items = columns.map((column) => columnOf(id, column));
  const position = findColumn(source.columns, 'global_position') ?? findColumn(source.columns, 'entry');
  const order: SortKey | undefined = position && {
    direction: 'ASC',
    nulls: 'LAST',
    by: 'expression',
    expression: columnOf(id, position),
  };
  return {
    columns: columns.map(({ hidden: _hidden, source: _source, ...column }) => column),
    recursive: false,
    with: [],
    body: {
      kind: 'select',
      distinct: false,
      items,
      from,
      ...(where === undefined ? {} : { where }),
      groupBy: [],
      aggregated: false,
    },
    orderBy: limit === undefined || order === undefined ? [] : [order],
    ...(limit === undefined ? {} : { limit }),
  };
}

/** The entries of the chosen commands; undefined if all commands are decided. */
export function chosenEntries(
  choice: InspectChoice,
  command: string,
  {
    source,
    statement,
    binding,
  }: { readonly source: ResolvedRelation; readonly statement: InspectDecision; readonly binding: Binding },
): BoundQuery | undefined {
  const entry = findColumn(source.columns, 'entry');
  const asked = findColumn(source.columns, 'command');
  if (entry === undefined || asked === undefined || (choice.where ?? choice.limit) === undefined) return undefined;
  const { span } = statement;
  const own = call('equal', [columnOf(choice.id, asked), literal(command, textType)], span, binding);
  const where = choice.where === undefined ? own : call('and', [own, choice.where], span, binding);
  return chosenRows({ ...choice, where }, source, [entry]);
}
