import type { Difference, DifferenceCode } from '../../compiler/index.ts';
import { kindTable } from '../../language/contract/block-kind.ts';
import type { Store } from '../../runtime/store/store.ts';
import { readAllowed } from '../compare/allowed.ts';
import { openComparedStore, readSide, type RegistrySide } from '../compare/registry-side.ts';
import { breaksAny, judge, showDifferences } from '../compare/show-differences.ts';
import { storedDifferences } from '../compare/stored-differences.ts';
import type { Run } from '../declaration.ts';
import { usageFault } from '../exit-fault.ts';
import { writeJsonLine } from '../output/json-line.ts';
import type { Flags } from '../settings/settings.ts';

/** `schemac diff <old> <new>`: what each changed block means for callers, readers and stored events; 1 if anything breaks. */
export const runDiff: Run = async (shell, [before, after, ...more], flags) => {
  if (before === undefined || after === undefined || more.length > 0)
    throw usageFault('diff takes an old and a new side: paths, log, or log@<position or time>');
  const isAllowed = readAllowed(allowFlags(flags));
  const store = await openComparedStore(shell, flags);
  try {
    const old = await readSide(shell, before, store);
    const next = await readSide(shell, after, store);
    const differences = judge(await differencesOf(old, next, store), isAllowed);
    if (flags['json'] === true) writeJsonLine(shell.output, { breaks: breaksAny(differences), differences });
    else showDifferences(shell.output, differences);
    return breaksAny(differences) ? 1 : 0;
  } finally {
    await store?.close();
  }
};

/** What readers and callers see, and with a store what its events say. */
export async function differencesOf(
  old: RegistrySide,
  next: RegistrySide,
  store: Store | undefined,
): Promise<readonly Difference[]> {
  const { compareCatalogs, sortedDifferences } = await import('../../compiler/index.ts');
  if (store === undefined) return compareCatalogs(old.catalog, next.catalog);
  const counts = new Map<string, number>();
  for (const { aggregate, count } of await store.eventKinds())
    counts.set(aggregate, (counts.get(aggregate) ?? 0) + count);
  const stored = next.sources === undefined ? undefined : await storedDifferences(next.sources, store);
  // Compiled with the history, aggregates have the events that no decision emits any longer.
  const catalog = stored?.served?.catalog ?? next.catalog;
  const kept = old.isOfLog === true && next.sources !== undefined ? await postedBlocks(store) : new Set<string>();
  const seen = compareCatalogs(old.catalog, catalog, (aggregate) => counts.get(aggregate) ?? 0);
  return sortedDifferences([...(stored?.differences ?? []), ...seen.map((one) => keepPosted(one, kept))]);
}

/** The blocks that were posted to the store: files without them do not drop them. */
async function postedBlocks(store: Store): Promise<ReadonlySet<string>> {
  const { readLoggedBlocks } = await import('../../server/registry/from-log/logged-blocks.ts');
  const posted = readLoggedBlocks(store).filter(({ origin }) => origin === 'create');
  return new Set(posted.map(({ kind, name }) => `${kindTable[kind].word} ${name}`));
}

const removals: ReadonlySet<string> = new Set<DifferenceCode>([
  ...(['aggregate-removed', 'command-removed', 'decision-removed', 'event-removed'] as const),
  ...(['projection-removed', 'unused-block-removed'] as const),
]);

function keepPosted(found: Difference, kept: ReadonlySet<string>): Difference {
  if (!removals.has(found.code) || !kept.has(found.block)) return found;
  const message = 'it was posted and is not in the files: it stays until it is dropped';
  return { ...found, level: 'safe', code: 'posted-block-kept', message };
}

export function allowFlags({ allow }: Flags): readonly string[] {
  return Array.isArray(allow) ? allow.map(String) : [];
}
