import type { Registry } from '../../../compiler/index.ts';
import type { Entries } from '../../../runtime/store/store.ts';
import { compileBlocks } from './compile-blocks.ts';
import { readHistoryFromLog } from './history-from-log.ts';
import { readLoggedBlocks } from './logged-blocks.ts';
import type { HistoryReader } from './stored-history.ts';

/** The registry in the log, compiled, and the definitions of its stored events. */
export async function registryFromLog(
  log: Pick<Entries, 'schema' | 'eventKinds'>,
): Promise<{ readonly registry: Registry; readonly history: HistoryReader }> {
  const history = readHistoryFromLog(log);
  return { registry: compileBlocks(readLoggedBlocks(log), await history.read()), history };
}
