import type { BlockKey } from '../../../../language/contract/block-kind.ts';
import type { Diagnostic } from '../../../../language/diagnostics/diagnostic.ts';
import type { Steps } from '../../../../language/source/steps.ts';
import type { RegistryChange } from '../../environment/registry.ts';
import type { Entry, Workspace } from '../workspace.ts';
import { checkAll } from './check-all.ts';
import { planFiles, type PutPlan } from './plan-puts.ts';
import { reuseChecked } from './reuse-checked.ts';

export interface CheckedFiles {
  readonly plan: PutPlan;
  /** Every block that is put, checked. */
  readonly entries: ReadonlyMap<BlockKey, Entry>;
  readonly diagnostics: readonly Diagnostic[];
}

/** Checks files as one compilation against the checks of the version before; `recordUses`: with the uses of names. */
export function* checkFiles(change: RegistryChange, before: Workspace, recordUses = false): Steps<CheckedFiles> {
  const plan = yield* planFiles(change.put, before.entries);
  const { entries, changed } = reuseChecked(plan.puts, before, change.history);
  const { history, lost } = change;
  // Versions come from the stored history alone, so that files give the same registry, whatever preceded it.
  const checked = yield* checkAll({
    history,
    lenientPayload: change.lenientPayload === true,
    accepted: change.accepted === true,
    before: new Map(),
    entries,
    changed,
    ...(recordUses && { recordUses }),
    ...(lost === undefined ? {} : { lost }),
  });
  const found = Array.from(checked.values()).flatMap((entry) => entry.checked?.diagnostics ?? []);
  return { plan, entries: checked, diagnostics: [...plan.diagnostics, ...found] };
}
