import { diagnose } from '../../../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../../language/diagnostics/diagnostic.ts';
import type { Span } from '../../../../language/source/span.ts';
import { kindWord } from '../../name/name-rules.ts';
import type { RegistryChange } from '../../environment/registry.ts';
import type { Entry } from '../workspace.ts';
import { dropSpan } from './drop-blocks.ts';

/** Reports each block that a change would break, at the changed place, with its name and its first problem. */
export function dependentErrors(
  broken: readonly Entry[],
  puts: readonly Entry[],
  drops: readonly Entry[],
  change: RegistryChange,
): readonly Diagnostic[] {
  const span = changeSpan(puts, drops, change);
  if (span === undefined) return [];
  return broken.flatMap((entry) => {
    const problem = entry.checked?.diagnostics.find((diagnostic) => diagnostic.severity === 'error');
    // Without a problem of its own it only depends on a block that has one.
    if (problem === undefined) return [];
    const dependent = `${kindWord(entry.kind)} '${entry.name}'`;
    const related = [{ message: 'here', span: problem.span }];
    return [diagnose('E0419', span, { dependent, problem: problem.message }, { related })];
  });
}

function changeSpan(puts: readonly Entry[], drops: readonly Entry[], change: RegistryChange): Span | undefined {
  const [put] = puts;
  if (put !== undefined) return put.tree().name.span;
  const [drop] = change.drop;
  return drops.length === 0 || drop === undefined ? undefined : dropSpan(drop);
}
