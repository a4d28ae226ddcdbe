/**
 * Changes of a registry (docs/language.md#blocks). Takes the present registry and the blocks to put or drop; gives the registry after the
 * change, or diagnostics. Only blocks that depend on the change are checked again.
 */
import { hasErrors } from '../../../language/diagnostics/has-errors.ts';
import { atOnce, mapInSteps, type Steps } from '../../../language/source/steps.ts';
import { checkFiles } from './change/check-files.ts';
import { planDrops } from './change/drop-blocks.ts';
import { dependentErrors } from './change/dependent-errors.ts';
import { orderDiagnostics } from './change/order-diagnostics.ts';
import { planScript, type PutPlan } from './change/plan-puts.ts';
import { partitionWaiting, type Partition } from './change/partition-waiting.ts';
import { withInstances } from './change/template-instances.ts';
import { registryOf, workspaceOf } from './open-registry.ts';
import type { BlockChange, ChangeResult, Registry, RegistryChange } from '../environment/registry.ts';
import { updateCatalog } from './update-catalog.ts';
import type { BlockKey } from '../../../language/contract/block-kind.ts';
import type { Entry, Workspace } from './workspace.ts';

export function changeRegistry(registry: Registry, change: RegistryChange): ChangeResult {
  return atOnce(changeInSteps(registry, change));
}

/** `changeRegistry` in steps: one per block that is read or checked. */
export function* changeInSteps(registry: Registry, change: RegistryChange): Steps<ChangeResult> {
  const before = workspaceOf(registry);
  const result =
    change.mode === 'files' ? yield* replaceAll(registry, before, change) : yield* changeSome(registry, before, change);
  const files = Array.from(new Set(change.put.map((statement) => statement.span.file)));
  return { ...result, diagnostics: orderDiagnostics(result.diagnostics, files, change.mostErrors) };
}

/**
 * The files define the complete registry: everything is compiled together, and all errors are reported. If the given registry was also made
 * from files, only blocks that depend on a difference are checked.
 */
function* replaceAll(registry: Registry, before: Workspace, change: RegistryChange): Steps<ChangeResult> {
  const { plan, entries, diagnostics } = yield* checkFiles(change, before);
  if (hasErrors(diagnostics)) return { registry, diagnostics, changes: [] };
  const checked = withInstances(entries, new Map(), Array.from(entries.values()), change.instances ?? []);
  const dropped = Array.from(before.entries.values()).filter((entry) => !checked.has(entry.key));
  const workspace: Workspace = { entries: checked, waiting: new Map(), history: change.history };
  return {
    registry: registryOf(workspace, yield* updateCatalog(registry.catalog, before, workspace)),
    diagnostics,
    changes: [...(yield* putChanges(plan, checked, workspace)), ...dropped.map(droppedChange)],
  };
}

/** A script's statement, the blocks of an APPLY, or a posted text: put or dropped together, all or nothing. */
function* changeSome(registry: Registry, before: Workspace, change: RegistryChange): Steps<ChangeResult> {
  const plan = yield* planScript(change.put, new Map([...before.entries, ...before.waiting]));
  const drops = planDrops(change.drop, before);
  const planned = [...plan.diagnostics, ...drops.diagnostics];
  if (hasErrors(planned)) return { registry, diagnostics: planned, changes: [] };
  const puts = plan.puts.flatMap(({ entry, change: what }) => (what === 'unchanged' ? [] : [entry]));
  const partition = yield* partitionWaiting(before, puts, drops.entries, change);
  const diagnostics = [...partition.diagnostics, ...dependentErrors(partition.broken, puts, drops.entries, change)];
  if (hasErrors(diagnostics)) return { registry, diagnostics, changes: [] };
  const instances = change.instances ?? [];
  if (puts.length + drops.entries.length + instances.length === 0)
    return { registry, diagnostics, changes: yield* putChanges(plan, before.entries, before) };
  const workspace: Workspace = {
    ...partition.workspace,
    entries: withInstances(partition.workspace.entries, before.entries, puts, instances),
  };
  return {
    registry: registryOf(workspace, yield* updateCatalog(registry.catalog, before, workspace)),
    diagnostics,
    changes: [
      ...(yield* putChanges(plan, workspace.entries, workspace)),
      ...drops.entries.map((entry) => droppedChange(entry)),
    ],
    ...completedBlocks(partition, before),
  };
}

function putChanges(
  { puts }: PutPlan,
  entries: ReadonlyMap<BlockKey, Entry>,
  { waiting }: Workspace,
): Steps<readonly BlockChange[]> {
  return mapInSteps(puts, ({ entry: { key, kind, name }, change }) => {
    const waits = waiting.has(key);
    const block = (waits ? waiting.get(key) : entries.get(key))?.checked?.block;
    return { kind, name, change, ...(block === undefined ? {} : { block }), complete: !waits };
  });
}

function droppedChange({ kind, name }: Entry): BlockChange {
  return { kind, name, change: 'dropped', complete: true };
}

/** Waiting blocks that compile now. */
function completedBlocks({ workspace }: Partition, before: Workspace): { completed?: readonly BlockChange[] } {
  const completed = Array.from(before.waiting.values()).flatMap((entry): BlockChange[] => {
    const block = workspace.entries.get(entry.key)?.checked?.block;
    if (block === undefined || workspace.waiting.has(entry.key)) return [];
    return [{ kind: entry.kind, name: entry.name, change: 'created', block, complete: true }];
  });
  return completed.length === 0 ? {} : { completed };
}
