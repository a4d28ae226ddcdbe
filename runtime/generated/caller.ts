/** The caller in generated expressions (docs/callers.md#the-caller). Without a caller NULL, and FALSE for a role. */
import { callerValue } from '../../language/contract/caller.ts';
import type { DecisionContext } from '../../language/contract/decision.ts';
import type { Value } from '../../language/values/type.ts';

/** The TypeScript type of a claim's value, by the kind of its type. */
interface ClaimValues {
  readonly STRING: string;
  readonly UUID: string;
  readonly INT: number;
  readonly DATE: number;
  readonly BIGINT: bigint;
  readonly TIMESTAMP: bigint;
  readonly DECIMAL: bigint;
  readonly BOOLEAN: boolean;
  readonly LIST: readonly Value[];
}

/** `CURRENT_USER`. */
export function currentUser({ caller }: DecisionContext): string | null {
  return caller?.subject ?? null;
}

/** `HAS_ROLE('clerk')`. */
export function hasRole({ caller }: DecisionContext, role: string): boolean {
  return caller?.roles.has(role) ?? false;
}

/** `CLAIM(name)`, which has a value of its declared type. */
export function claim<K extends keyof ClaimValues>(
  { caller }: DecisionContext,
  name: string,
  _type: K,
): ClaimValues[K] | null {
  return callerValue(caller, { of: 'claim', claim: name }) as ClaimValues[K] | null;
}
