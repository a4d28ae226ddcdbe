import * as assert from 'uvu/assert';
import type { DecisionContext, DecisionDefinition, Emission } from '../../language/contract/decision.ts';

/** A context with fixed time and randomness: 2026-01-01T00:00:00Z, 0.5, and UUIDs that count from 1. */
export function fixedContext(now = 1_767_225_600_000_000n): DecisionContext {
  let made = 0;
  return {
    now,
    random: () => 0.5,
    uuid: () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`,
  };
}

/**
 * Given–when–then for a generated decision: `given(decision, state).when(command).emits([…])`. Emissions are compared whole, in
 * order, across branches; `rejects` holds when no branch emits.
 */
export function given<C, S>(decision: DecisionDefinition<C, S>, state: S, context: DecisionContext = fixedContext()) {
  return {
    when: (command: C) => {
      const emitted = decision.decide(command, state, context).flatMap((branch) => branch ?? []);
      return {
        emits: (expected: readonly Emission[]) => assert.equal(emitted, expected),
        rejects: () => assert.equal(emitted, []),
      };
    },
  };
}
