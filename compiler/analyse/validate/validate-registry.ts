/**
 * VALIDATE REGISTRY (docs/language.md#looking-at-the-registry). Takes a catalog, in which every block compiles by itself; gives findings
 * across blocks. Findings never refuse anything.
 */
import type { Catalog } from '../../../language/catalog/catalog.ts';
import { mapInSteps, type Steps } from '../../../language/source/steps.ts';
import type { Finding, Rule } from './finding.ts';
import { branchCoverage } from './rules/branch-coverage.ts';
import { clearWithoutSecrets, commandsWithoutAllow, constantClauses } from './rules/caller-clauses.ts';
import { constantGuards } from './rules/constant-guards.ts';
import {
  aggregatesWithoutDecisions,
  commandsWithoutDecision,
  eventsNobodyEmits,
  projectionsOverSilence,
  reactionsOverSilence,
} from './rules/idle-blocks.ts';
import { orderedEnums } from './rules/ordered-enums.ts';
import { reactionCircles } from './rules/reaction-circles.ts';
import { unneededUpcasts } from './rules/unneeded-upcasts.ts';
import { unreachableEventNames } from './rules/unreachable-event-names.ts';

/** From impossible to merely suspicious, so that causes come before their consequences. */
const rules: readonly Rule[] = [
  commandsWithoutDecision,
  eventsNobodyEmits,
  aggregatesWithoutDecisions,
  projectionsOverSilence,
  reactionsOverSilence,
  reactionCircles,
  unreachableEventNames,
  unneededUpcasts,
  orderedEnums,
  constantGuards,
  constantClauses,
  clearWithoutSecrets,
  branchCoverage,
  commandsWithoutAllow,
];

/** The findings of all rules, in steps of one rule. */
export function* validateInSteps(catalog: Catalog): Steps<readonly Finding[]> {
  return (yield* mapInSteps(rules, (rule) => rule(catalog))).flat();
}

export type { Finding };
