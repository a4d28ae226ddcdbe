import type { Store } from '../store/store.ts';
import { blockKey, type LoggedBlock } from './reconcile.ts';

/** The registry as the log has it: the last definition of every block that was not dropped, in the order of first appearance. */
export async function readLoggedBlocks(store: Store): Promise<readonly LoggedBlock[]> {
  const blocks = new Map<string, LoggedBlock>();
  for await (const entry of store.read(1)) {
    if (entry.kind !== 'schema') continue;
    for (const { change, block, name, text, template, instance } of entry.changes) {
      if (change === 'drop') blocks.delete(blockKey({ kind: block, name }));
      else
        blocks.set(blockKey({ kind: block, name }), {
          kind: block,
          name,
          text: text ?? '',
          origin: entry.origin,
          ...(template === undefined ? {} : { template }),
          ...(instance === undefined ? {} : { instance }),
        });
    }
  }
  return [...blocks.values()];
}
