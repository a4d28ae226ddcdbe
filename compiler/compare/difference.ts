import type { Block } from '../../language/catalog/block.ts';
import { kindTable } from '../../language/contract/block-kind.ts';

/**
 * Consequence of a difference for a system in production (docs/production.md#levels-and-codes): nothing to do;
 * something to look at; callers, readers or stored events that no longer work.
 */
export type Level = 'safe' | 'mind' | 'breaks';

/** Every code of a difference, with its level. Codes are stable: scripts allow differences by them. */
export const differenceCodes = {
  'block-added': 'safe',
  'command-field-added': 'safe',
  'command-field-widened': 'safe',
  'command-field-optional': 'safe',
  'check-removed': 'safe',
  'check-message-changed': 'safe',
  'event-field-added': 'safe',
  'posted-block-kept': 'safe',
  'event-changed': 'safe',
  'clause-changed': 'safe',
  'folds-built-anew': 'safe',
  'projection-changed': 'safe',
  'aggregate-changed': 'safe',
  'template-changed': 'safe',
  'decision-changed': 'mind',
  'guard-changed': 'mind',
  'state-changed': 'mind',
  'default-changed': 'mind',
  'enum-value-added': 'mind',
  'function-changed': 'mind',
  'event-field-hidden': 'mind',
  'stored-field-lost': 'mind',
  'event-field-widened': 'mind',
  'aggregate-column-added': 'mind',
  'aggregate-column-widened': 'mind',
  'projection-column-added': 'mind',
  'projection-column-widened': 'mind',
  'subscription-changed': 'mind',
  'subscription-column-added': 'mind',
  'subscription-column-widened': 'mind',
  'reaction-changed': 'mind',
  'reaction-removed': 'mind',
  'store-changed': 'mind',
  'block-changed': 'mind',
  'unused-block-removed': 'mind',
  'access-changed': 'breaks',
  'aggregate-removed': 'breaks',
  'stored-aggregate-removed': 'breaks',
  'aggregate-column-removed': 'breaks',
  'aggregate-column-retyped': 'breaks',
  'command-removed': 'breaks',
  'command-field-required': 'breaks',
  'command-field-removed': 'breaks',
  'command-field-retyped': 'breaks',
  'command-key-changed': 'breaks',
  'check-added': 'breaks',
  'decision-removed': 'breaks',
  'enum-value-removed': 'breaks',
  'event-removed': 'breaks',
  'event-renamed': 'breaks',
  'event-field-removed': 'breaks',
  'event-field-retyped': 'breaks',
  'projection-removed': 'breaks',
  'projection-column-removed': 'breaks',
  'projection-column-retyped': 'breaks',
  'subscription-removed': 'breaks',
  'subscription-column-removed': 'breaks',
  'subscription-column-retyped': 'breaks',
  'stored-events': 'breaks',
} as const satisfies Readonly<Record<string, Level>>;

export type DifferenceCode = keyof typeof differenceCodes;

export interface Difference {
  readonly level: Level;
  readonly code: DifferenceCode;
  /** `command Fill`. */
  readonly block: string;
  readonly message: string;
}

export function difference(code: DifferenceCode, block: Pick<Block, 'kind' | 'name'>, message: string): Difference {
  return { level: differenceCodes[code], code, block: `${kindTable[block.kind].word} ${block.name}`, message };
}

const order: readonly Level[] = ['breaks', 'mind', 'safe'];

/** Differences without repetition, those that break first. */
export function sortedDifferences(differences: readonly Difference[]): readonly Difference[] {
  const distinct = [...new Map(differences.map((one) => [`${one.code} ${one.block} ${one.message}`, one])).values()];
  return order.flatMap((level) => distinct.filter((one) => one.level === level));
}
