/**
 * VALIDATE REGISTRY (docs/language.md#looking-at-the-registry). Takes a catalog, in which every block compiles by itself; gives what is odd across them.
 * Nothing here is refused anywhere.
 */
import type { Catalog } from '../../../language/catalog/catalog.ts';
import type { Finding, Rule } from './finding.ts';
import { aggregatesWithoutDecisions } from './rules/aggregates-without-decisions.ts';
import { branchCoverage } from './rules/branch-coverage.ts';
import { commandsWithoutDecision } from './rules/commands-without-decision.ts';
import { constantGuards } from './rules/constant-guards.ts';
import { eventsNobodyEmits } from './rules/events-nobody-emits.ts';
import { projectionsOverSilence } from './rules/projections-over-silence.ts';
import { unreachableEventNames } from './rules/unreachable-event-names.ts';

/** From what can never happen at all to what only looks odd, so that causes come before what follows from them. */
const rules: readonly Rule[] = [
  commandsWithoutDecision,
  eventsNobodyEmits,
  aggregatesWithoutDecisions,
  projectionsOverSilence,
  unreachableEventNames,
  constantGuards,
  branchCoverage,
];

export function validateRegistry(catalog: Catalog): readonly Finding[] {
  return rules.flatMap((rule) => rule(catalog));
}

export type { Finding };
