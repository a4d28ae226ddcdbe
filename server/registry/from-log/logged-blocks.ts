import type { Entries } from '../../../runtime/store/store.ts';
import { blockKey, type BlockKey } from '../../../language/contract/block-kind.ts';
import { defined } from '../../../language/values/defined.ts';
import type { LoggedBlock } from './reconcile.ts';

/** The registry of the log: the last definition of every block that was not dropped, in the order of first appearance. */
export function readLoggedBlocks(log: Pick<Entries, 'schema'>): readonly LoggedBlock[] {
  const blocks = new Map<BlockKey, LoggedBlock>();
  for (const entry of log.schema()) {
    for (const { change, block, name, text = '', template, instance, instances } of entry.changes) {
      const key = blockKey(block, name);
      if (change === 'drop') {
        // A log may say that `bike` was put and then `Bike` dropped, which had given way to it.
        if (blocks.get(key)?.name === name) blocks.delete(key);
      } else
        blocks.set(
          key,
          defined<LoggedBlock>({ kind: block, name, text, origin: entry.origin, template, instance, instances }),
        );
    }
  }
  return [...blocks.values()];
}
