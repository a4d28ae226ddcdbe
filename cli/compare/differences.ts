/** All that a comparison of two registries finds, with a store also for its events. */
import type { Difference, DifferenceCode } from '../../compiler/index.ts';
import { kindTable } from '../../language/contract/block-kind.ts';
import type { Store } from '../../runtime/store/store.ts';
import type { RegistrySide } from './registry-side.ts';
import { withSentFields } from './sent-fields.ts';
import { storedDifferences } from './stored-differences.ts';

/** Finds all differences for readers and callers, and with a store those for its events. */
export async function differencesOf(
  old: RegistrySide,
  next: RegistrySide,
  store: Store | undefined,
): Promise<readonly Difference[]> {
  const { compareCatalogs, sortedDifferences } = await import('../../compiler/index.ts');
  if (store === undefined) return compareCatalogs(old.catalog, next.catalog);
  const counts = new Map<string, number>();
  for (const { aggregate, count } of await store.log.eventKinds())
    counts.set(aggregate, (counts.get(aggregate) ?? 0) + count);
  const stored = next.compile === undefined ? undefined : await storedDifferences(next.compile, store);
  // Compiled with the history, aggregates have the events that no decision emits any longer.
  const catalog = stored?.served?.catalog ?? next.catalog;
  const kept = old.isOfLog === true && next.compile !== undefined ? await postedBlocks(store) : new Set<string>();
  const seen = compareCatalogs(old.catalog, catalog, (aggregate) => counts.get(aggregate) ?? 0);
  const withCounts = await withSentFields(
    store,
    seen.map((one) => keepPosted(one, kept)),
  );
  return sortedDifferences([...(stored?.differences ?? []), ...withCounts]);
}

/** The blocks that were posted to the store: files without them do not drop them. */
async function postedBlocks(store: Store): Promise<ReadonlySet<string>> {
  const { readLoggedBlocks } = await import('../../server/registry/from-log/logged-blocks.ts');
  const posted = readLoggedBlocks(store.log).filter(({ origin }) => origin === 'create');
  return new Set(posted.map(({ kind, name }) => `${kindTable[kind].word} ${name}`));
}

const removals: ReadonlySet<string> = new Set<DifferenceCode>([
  ...([
    'aggregate-removed',
    'stored-aggregate-removed',
    'command-removed',
    'decision-removed',
    'event-removed',
  ] as const),
  ...(['projection-removed', 'subscription-removed', 'reaction-removed', 'unused-block-removed'] as const),
]);

/** Difference of a posted block that files do not have. */
export const postedBlockKept = {
  level: 'safe',
  code: 'posted-block-kept',
  message: 'it was posted and is not in the files: it stays until it is dropped',
} as const;

function keepPosted(found: Difference, kept: ReadonlySet<string>): Difference {
  if (!removals.has(found.code) || !kept.has(found.block)) return found;
  return { ...found, ...postedBlockKept };
}
