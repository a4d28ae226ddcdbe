/** VISIBLE and CLEAR of a relation (docs/callers.md#visible): conditions over its columns, which are those of relation 0. */
import type {
  AggregateBlock,
  Block,
  CallerCondition,
  ProjectionBlock,
  RowClauses,
} from '../../../language/catalog/block.ts';
import type { BlockStatement, Expression, RowClauseNodes } from '../../syntax/ast.ts';
import { printExpression } from '../../syntax/print.ts';
import type { BlockContext } from '../environment/environment.ts';
import { bindCondition } from '../expression/bind-condition.ts';
import type { Site } from '../query/binding.ts';
import { createBinding } from '../query/create-binding.ts';
import { scopeOver } from '../query/scope.ts';
import { literal, truthType } from '../typed/typed.ts';
import { checkRowCondition } from './check-row-condition.ts';

/** Takes the place of a VISIBLE that is not checked yet: it shows no row. */
const unchecked: CallerCondition = { text: 'FALSE', condition: literal(false, truthType) };

/** The clauses of a definition that is checked without them: whether there is a VISIBLE, which projections over it must know. */
export function announcedClauses({ visible }: RowClauseNodes): RowClauses {
  return visible === undefined ? {} : { visible: unchecked };
}

export function clausesOf(tree: BlockStatement): RowClauseNodes {
  return tree.kind === 'CreateAggregate' || tree.kind === 'CreateProjection' ? tree : {};
}

/** Checks the clauses of a definition that has no errors. */
export function rowClausesOf(
  { visible, clear }: RowClauseNodes,
  block: AggregateBlock | ProjectionBlock,
  context: Omit<BlockContext, 'text'>,
): RowClauses {
  const { name } = block;
  const [columns, source] =
    block.kind === 'aggregate'
      ? [block.state.columns, { kind: 'state', aggregate: name } as const]
      : [block.query.columns, { kind: 'projection', projection: name } as const];
  const relation = { name, source, columns: columns.filter(({ hidden }) => hidden !== true) };
  const conditionOf = (node: Expression, where: 'VISIBLE' | 'CLEAR'): CallerCondition => {
    const binding = createBinding(context.environment, context.report, { fixed: where, callers: 'before columns' });
    const id = binding.nextId();
    const scope = scopeOver({ id, ...relation, open: false, optional: false });
    const site: Site = { where, aggregates: 'refused', windows: false, queries: true, sensitive: 'masked' };
    const condition = bindCondition(node, { binding, scope, site });
    checkRowCondition(node, { condition, where, row: id, block }, binding);
    return { text: printExpression(node), condition };
  };
  const clauses = {
    ...(visible === undefined ? {} : { visible: visibleOf(visible.condition, (node) => conditionOf(node, 'VISIBLE')) }),
    ...(clear === undefined ? {} : { clear: conditionOf(clear, 'CLEAR') }),
  };
  return { ...clauses, clauseReferences: context.references() };
}

function visibleOf(
  condition: Expression | undefined,
  conditionOf: (node: Expression) => CallerCondition,
): CallerCondition | 'all' {
  return condition === undefined ? 'all' : conditionOf(condition);
}

export function withClauses(definition: Block, clauses: RowClauses): Block {
  return { ...definition, ...clauses };
}

/** The clauses of a checked block, if it has any. */
export function clausesOfBlock(block: Block): RowClauses | undefined {
  if (block.kind !== 'aggregate' && block.kind !== 'projection') return undefined;
  const { visible, clear, clauseReferences } = block;
  if (visible === undefined && clear === undefined) return undefined;
  return {
    ...(visible === undefined ? {} : { visible }),
    ...(clear === undefined ? {} : { clear }),
    ...(clauseReferences === undefined ? {} : { clauseReferences }),
  };
}

/** A checked block as it is before its clauses are checked. */
export function withoutClauses(block: Block): Block {
  if (clausesOfBlock(block) === undefined) return block;
  const { clear: _clear, clauseReferences: _named, ...definition } = block as AggregateBlock | ProjectionBlock; // has clauses
  return definition.visible === undefined ? definition : { ...definition, visible: unchecked };
}
