import { applicationsOf } from '../../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import { atOnce, type Steps } from '../../../language/source/steps.ts';
import type { Registry } from '../environment/registry.ts';
import { placeInSteps } from './place-findings.ts';

/** The warnings among VALIDATE's findings, each at the name of its block in the text: `check` reports them for files that compile. */
export function crossCheck(registry: Registry): readonly Diagnostic[] {
  return atOnce(crossCheckInSteps(registry));
}

/** `crossCheck` in steps of one rule. */
export function* crossCheckInSteps(registry: Registry): Steps<readonly Diagnostic[]> {
  return (yield* placeInSteps(registry)).flatMap(({ severity, code, message, span }) =>
    severity !== 'warning' || span === undefined
      ? []
      : [{ code, severity, message, span, related: applicationsOf(span) }],
  );
}
