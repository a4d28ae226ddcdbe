import { definitionText } from '../../../compiler/index.ts';
import { blockKey, type BlockKey } from '../../../language/contract/block-kind.ts';
import type { RegisteredBlock } from '../../../language/contract/domain.ts';
import type { LogEntry, SchemaEntry } from '../../../runtime/store/entry.ts';

/** Where a server finds its store differs between servers of one log. */
function isCompared({ kind }: Pick<RegisteredBlock, 'kind'>): boolean {
  return kind !== 'eventstore';
}

/** The blocks that only one of them has, or that both define differently, in words. */
export function differingBlocks(files: readonly RegisteredBlock[], log: readonly RegisteredBlock[]): readonly string[] {
  const [ours, theirs] = [textsOf(files), textsOf(log)];
  const names = new Map([...log, ...files].filter(isCompared).map((block) => [keyOf(block), block]));
  return [...names]
    .filter(([key]) => ours.get(key) !== theirs.get(key))
    .map(([, { kind, name }]) => `${kind} ${name}`)
    .sort();
}

/** The last entry after which the registry of the log was exactly that of the files, before it changed again. */
export function formerEntry(
  files: readonly RegisteredBlock[],
  schema: readonly (LogEntry & SchemaEntry)[],
): number | undefined {
  const wanted = textsOf(files);
  const present = new Map<BlockKey, string>();
  let found: number | undefined;
  for (const entry of schema.slice(0, -1)) {
    for (const { change, block, name, text = '' } of entry.changes) {
      if (block === 'eventstore') continue;
      if (change === 'drop') present.delete(blockKey(block, name));
      else present.set(blockKey(block, name), definitionText(text));
    }
    if (present.size === wanted.size && [...wanted].every(([key, text]) => present.get(key) === text))
      found = entry.number;
  }
  return found;
}

function textsOf(blocks: readonly RegisteredBlock[]): ReadonlyMap<BlockKey, string> {
  return new Map(blocks.filter(isCompared).map((block) => [keyOf(block), definitionText(block.text)]));
}

function keyOf({ kind, name }: RegisteredBlock): BlockKey {
  return blockKey(kind, name);
}
