import { typeName } from '../../runtime/values/type.ts';
import type { DecisionBlock, ProjectionBlock } from '../catalog/block.ts';
import type { Catalog } from '../catalog/catalog.ts';
import type { BoundQuery } from '../catalog/query.ts';
import type { Fold } from '../plan/fold.ts';
import { foldQuery } from '../plan/fold-query.ts';
import { planState } from '../plan/plan-state.ts';
import type { DescribedTable } from './described.ts';

/** EXPLAIN (language.md section 9): each part, whether it is a fold or a scan, and why. */
const columns = ['part', 'answered by', 'detail'];

/** What a decision reads and writes. */
export function explainDecision(decision: DecisionBlock, catalog: Catalog): DescribedTable {
  const plan = planState(decision.state, catalog);
  const writes = decision.branches.flatMap(({ emits }) =>
    emits.map(({ event, aggregate }) => ['writes', event, `stream of ${aggregate}`]),
  );
  switch (plan.kind) {
    case 'none':
      return { columns, rows: [['state', 'nothing', 'the decision has no STATE'], ...writes] };
    case 'scan':
      return { columns, rows: [['state', 'scan', plan.why], ...writes] };
    case 'folds':
      return { columns, rows: [...plan.lookups.map(({ fold }) => ['state', 'fold', foldText(fold)]), ...writes] };
    default:
      return plan satisfies never;
  }
}

export function explainProjection(projection: ProjectionBlock): DescribedTable {
  return explainQuery(projection.query);
}

export function explainQuery(query: BoundQuery): DescribedTable {
  const folded = foldQuery(query);
  return {
    columns,
    rows: [typeof folded === 'string' ? ['query', 'scan', folded] : ['query', 'fold', foldText(folded.fold)]],
  };
}

function foldText(fold: Fold): string {
  const slots = fold.slots.map((slot) => `${slot.function} ${typeName(slot.type)}`).join(', ');
  return `${fold.aggregate}$Events under ${fold.key.length === 0 ? 'one key' : `${fold.key.length} key part(s)`}: ${slots}`;
}
