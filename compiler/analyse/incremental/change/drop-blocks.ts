import { namedBy } from '../../../../language/catalog/block.ts';
import { diagnose } from '../../../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../../../language/diagnostics/diagnostic.ts';
import { nearestNames } from '../../../../language/diagnostics/suggestion.ts';
import type { Span } from '../../../../language/source/span.ts';
import { kindWord } from '../../name/name-rules.ts';
import type { RegistryChange } from '../../environment/registry.ts';
import { type BlockKey, blockKey } from '../../../../language/contract/block-kind.ts';
import { type Entry, type Workspace } from '../workspace.ts';

export interface DropPlan {
  readonly entries: readonly Entry[];
  readonly diagnostics: readonly Diagnostic[];
}

/** DROP: the block must exist, and no remaining block may refer to it; otherwise its referrers are listed. */
export function planDrops(drops: RegistryChange['drop'], before: Workspace): DropPlan {
  const diagnostics: Diagnostic[] = [];
  const entries = drops.flatMap((drop): readonly Entry[] => {
    const key = blockKey(drop.kind, drop.name);
    const entry = before.entries.get(key) ?? before.waiting.get(key);
    if (entry !== undefined) return [entry];
    const names = Array.from(before.entries.values()).flatMap((other) =>
      other.kind === drop.kind ? [other.name] : [],
    );
    const parameters = {
      kind: kindWord(drop.kind),
      name: drop.name,
      nearest: nearestNames(drop.name, names),
      known: names,
    };
    diagnostics.push(diagnose('E0201', dropSpan(drop), parameters));
    return [];
  });
  const dropped = new Set(entries.map((entry) => entry.key));
  for (const [index, entry] of entries.entries()) {
    const referrers = referrersOf(entry, before, dropped);
    const drop = drops[index];
    if (referrers.length === 0 || drop === undefined) continue;
    const related = referrers.map((referrer) => ({ message: 'used here', span: referrer.tree().name.span }));
    const names = referrers.map((referrer) => `${kindWord(referrer.kind)} '${referrer.name}'`);
    diagnostics.push(
      diagnose(
        'E0420',
        dropSpan(drop),
        { kind: kindWord(entry.kind), name: entry.name, referrers: names },
        { related },
      ),
    );
  }
  return { entries, diagnostics };
}

function referrersOf(entry: Entry, before: Workspace, dropped: ReadonlySet<BlockKey>): readonly Entry[] {
  const reference = `${entry.kind}:${entry.name}`;
  return [...before.entries.values(), ...before.waiting.values()].filter(({ key, checked }) => {
    if (dropped.has(key) || checked?.block === undefined) return false;
    return namedBy(checked.block).includes(reference);
  });
}

/** The place where a script names the block; a drop without a text is shown as if a text asked for it. */
export function dropSpan(drop: RegistryChange['drop'][number]): Span {
  if (drop.span !== undefined) return drop.span;
  const text = `DROP ${drop.kind.toUpperCase()} ${drop.name};`;
  const start = text.length - drop.name.length - 1;
  return { file: { name: 'change', text }, start, end: text.length - 1 };
}
