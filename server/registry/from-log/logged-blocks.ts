import type { Store } from '../../../runtime/store/store.ts';
import { blockKey, type LoggedBlock } from './reconcile.ts';

/** The registry of the log: the last definition of every block that was not dropped, in the order of first appearance. */
export function readLoggedBlocks(store: Store): readonly LoggedBlock[] {
  const blocks = new Map<string, LoggedBlock>();
  for (const entry of store.schema()) {
    for (const { change, block, name, text, template, instance, instances } of entry.changes) {
      if (change === 'drop') blocks.delete(blockKey({ kind: block, name }));
      else
        blocks.set(blockKey({ kind: block, name }), {
          kind: block,
          name,
          text: text ?? '',
          origin: entry.origin,
          ...(template === undefined ? {} : { template }),
          ...(instance === undefined ? {} : { instance }),
          ...(instances === undefined ? {} : { instances }),
        });
    }
  }
  return [...blocks.values()];
}
