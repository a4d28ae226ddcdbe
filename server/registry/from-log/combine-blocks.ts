import type { Registry, StoredHistory } from '../../../compiler/index.ts';
import { blockKey } from '../../../language/contract/block-kind.ts';
import type { RegisteredBlock } from '../../../language/contract/domain.ts';
import { Failure } from '../../../language/failure/failure.ts';
import type { Store } from '../../../runtime/store/store.ts';
import { compileBlocks } from './compile-blocks.ts';
import { readHistoryFromLog } from './history-from-log.ts';
import { readLoggedBlocks } from './logged-blocks.ts';

/**
 * The registry for reading another store: the given blocks, and the store's own blocks for names that are missing. If the two do not
 * compile together, only those blocks of the store are added that its events need, and if that fails none. Throws a `Failure` R0503 if the
 * events of the store forbid a given block.
 */
export async function combineBlocks(blocks: readonly RegisteredBlock[], store: Store): Promise<Registry> {
  const history = await readHistoryFromLog(store.log).read();
  const known = new Set(blocks.map(({ kind, name }) => blockKey(kind, name)));
  const missing = readLoggedBlocks(store.log).filter(
    (block) => block.kind !== 'eventstore' && !known.has(blockKey(block.kind, block.name)),
  );
  const readable = missing.filter(({ kind }) => kind === 'aggregate' || kind === 'event' || kind === 'projection');
  return (
    compiled([...blocks, ...missing], history) ??
    compiled([...blocks, ...readable], history) ??
    compileBlocks(blocks, history)
  );
}

function compiled(blocks: readonly RegisteredBlock[], history: StoredHistory): Registry | undefined {
  try {
    return compileBlocks(blocks, history);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
