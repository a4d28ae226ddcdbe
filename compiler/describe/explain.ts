import { typeName } from '../../language/values/type.ts';
import type { AggregateBlock, DecisionBlock, ProjectionBlock, ReactionBlock } from '../../language/catalog/block.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { someExpression } from '../../language/catalog/map-expression.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import { answerParts, type AnswerPart } from '../plan/answer-parts.ts';
import { planAsOf } from '../plan/as-of.ts';
import type { Fold } from '../../language/plan/fold.ts';
import { planState } from '../plan/plan-state.ts';
import { blocksRead, visibleLookup } from '../plan/visible-lookup.ts';
import type { DescribedTable } from './describe.ts';

/** EXPLAIN (docs/language.md#looking-at-the-registry): each part, whether it is a fold or a scan, and why. */
const columns = ['part', 'answered by', 'detail'];

/** The reads of a decision or a reaction, then the events or commands that it gives; or the parts of a projection. */
export function explainBlock(block: DecisionBlock | ProjectionBlock | ReactionBlock, catalog: Catalog): DescribedTable {
  switch (block.kind) {
    case 'decision': {
      const emits = block.branches.flatMap((branch) => branch.emits);
      const writes = emits.map(({ event, aggregate }) => ['writes', event, `stream of ${aggregate}`]);
      return { columns, rows: [...stateRows(block, catalog), ...writes] };
    }
    case 'projection':
      return explained(answerParts(block.query, catalog, block.name, { kept: true }), visibleRows([block], catalog));
    case 'reaction': {
      const executes = block.branches.map(({ command, dueText }) => ['executes', command, dueText ?? 'at once']);
      return { columns, rows: [...stateRows(block, catalog), ...executes] };
    }
  }
}

/** The reads of a block's STATE. */
function stateRows({ kind, state }: DecisionBlock | ReactionBlock, catalog: Catalog): DescribedTable['rows'] {
  const plan = planState(state, catalog);
  switch (plan.kind) {
    case 'none':
      return [['state', 'nothing', `the ${kind} has no STATE`]];
    case 'scan': {
      const parts = state === undefined ? [] : answerParts(state, catalog, 'state', { kept: false });
      const beneath = parts.filter(({ part }) => part !== 'state');
      return [['state', 'scan', plan.why], ...beneath.map(partRow)];
    }
    case 'folds':
      return plan.lookups.map(({ fold }) => ['state', 'fold', foldText(fold)]);
    default:
      return plan satisfies never;
  }
}

export function explainQuery(query: BoundQuery, catalog: Catalog): DescribedTable {
  const visible = visibleRows([...blocksRead(query, catalog)], catalog);
  return explained(answerParts(query, catalog, 'query', { kept: false }), visible);
}

/** Describes the sources of a query as of a position: some streams, or relations as they were. */
export function explainAsOf(query: BoundQuery, catalog: Catalog, position: number): DescribedTable {
  const plan = planAsOf(query, catalog);
  const part = `as of position ${position}`;
  switch (plan.by) {
    case 'streams':
      return {
        columns,
        rows: [[part, 'streams', 'it reads the events of the named streams up to there, and no others']],
      };
    case 'registry':
      return { columns, rows: [[part, 'registry', 'it reads the schema entries of the log up to there']] };
    case 'nothing':
      return { columns, rows: [[part, 'nothing', 'it reads nothing of the store']] };
    case 'history': {
      const { rows } = explainQuery(query, catalog);
      const detail = 'computed apart from the live read model, from the nearest snapshot before it or the whole log';
      return { columns, rows: [[part, 'history', detail], ...rows] };
    }
    default:
      return plan satisfies never;
  }
}

function explained(parts: readonly AnswerPart[], visible: DescribedTable['rows']): DescribedTable {
  if (parts.length === 0) return { columns, rows: [['query', 'nothing', 'it reads no events']] };
  return { columns, rows: [...parts.map(partRow), ...visible] };
}

/** For each block with VISIBLE, whether the rows of a caller are looked up. */
function visibleRows(blocks: readonly (AggregateBlock | ProjectionBlock)[], catalog: Catalog): DescribedTable['rows'] {
  return blocks.flatMap((block) => {
    const lookup = visibleLookup(block, catalog);
    if (lookup === undefined) return [];
    const { found, why } = lookup;
    if (why !== undefined) return [['VISIBLE', 'scan', `${block.name}: ${why}`]];
    // A condition about roles alone shows all rows, or none.
    if (found.length === 0) return [['VISIBLE', 'nothing', `${block.name}: it reads no column`]];
    return [['VISIBLE', 'index', `${block.name} by ${found.map(({ column }) => column).join(', ')}`]];
  });
}

function partRow(answer: AnswerPart): readonly string[] {
  if (answer.by === 'fold') return [answer.part, 'fold', foldText(answer.fold)];
  return [answer.part, 'scan', `${answer.reads.join(', ')}: ${answer.why}`];
}

function foldText(fold: Fold): string {
  const slots = fold.slots.map((slot) => `${slot.function} ${typeName(slot.type)}`).join(', ');
  const key = fold.key.length === 0 ? 'in one row' : `by ${fold.key.map(keyText).join(', ')}`;
  return `${fold.aggregate}$Events ${key}${slots === '' ? '' : `: ${slots}`}`;
}

function keyText(part: TypedExpression): string {
  if (part.kind === 'column') return part.column;
  const read = new Set<string>();
  someExpression(part, (piece) => {
    if (piece.kind === 'column') read.add(piece.column);
    return false;
  });
  return read.size === 0 ? 'a constant' : `a value of ${[...read].join(', ')}`;
}
