import { typeName } from '../../language/values/type.ts';
import type { DecisionBlock, ProjectionBlock } from '../../language/catalog/block.ts';
import type { Catalog } from '../../language/catalog/catalog.ts';
import type { TypedExpression } from '../../language/catalog/expression.ts';
import { someExpression } from '../../language/catalog/map-expression.ts';
import type { BoundQuery } from '../../language/catalog/query.ts';
import { answerParts, type AnswerPart } from '../plan/answer-parts.ts';
import type { Fold } from '../../language/plan/fold.ts';
import { planState } from '../plan/plan-state.ts';
import type { DescribedTable } from './described.ts';

/** EXPLAIN (docs/language.md#looking-at-the-registry): each part, whether it is a fold or a scan, and why. */
const columns = ['part', 'answered by', 'detail'];

/** The relations that a decision reads and the events that it emits. */
export function explainDecision(decision: DecisionBlock, catalog: Catalog): DescribedTable {
  const plan = planState(decision.state, catalog);
  const writes = decision.branches.flatMap(({ emits }) =>
    emits.map(({ event, aggregate }) => ['writes', event, `stream of ${aggregate}`]),
  );
  switch (plan.kind) {
    case 'none':
      return { columns, rows: [['state', 'nothing', 'the decision has no STATE'], ...writes] };
    case 'scan': {
      const parts = decision.state === undefined ? [] : answerParts(decision.state, catalog, 'state', { kept: false });
      const beneath = parts.filter(({ part }) => part !== 'state');
      return { columns, rows: [['state', 'scan', plan.why], ...beneath.map(partRow), ...writes] };
    }
    case 'folds':
      return { columns, rows: [...plan.lookups.map(({ fold }) => ['state', 'fold', foldText(fold)]), ...writes] };
    default:
      return plan satisfies never;
  }
}

export function explainProjection(projection: ProjectionBlock, catalog: Catalog): DescribedTable {
  return explained(answerParts(projection.query, catalog, projection.name, { kept: true }));
}

export function explainQuery(query: BoundQuery, catalog: Catalog): DescribedTable {
  return explained(answerParts(query, catalog, 'query', { kept: false }));
}

function explained(parts: readonly AnswerPart[]): DescribedTable {
  return { columns, rows: parts.length === 0 ? [['query', 'nothing', 'it reads no events']] : parts.map(partRow) };
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
