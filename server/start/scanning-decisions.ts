import type { Domain } from '../../language/contract/domain.ts';
import { sharedStateMilliseconds } from '../../runtime/engine/state.ts';

/**
 * The sentence of a start on a log of several servers about decisions whose STATE scans: while one of them is decided the others may wait. Undefined
 * without any.
 */
export function scanningDecisions({ decisions }: Pick<Domain, 'decisions'>): string | undefined {
  const scanning = decisions.filter(
    ({ state }) => state !== undefined && (state.folds === undefined || state.compose === undefined),
  );
  if (scanning.length === 0) return undefined;
  const names = scanning.map(({ name }) => name).sort();
  return `these decisions scan events for their STATE, which may take ${sharedStateMilliseconds} ms where servers share a log: ${names.join(', ')}; EXPLAIN DECISION shows why`;
}
