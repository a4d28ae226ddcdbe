import type { Domain, RegisteredBlock } from '../../../language/contract/domain.ts';
import type { Store } from '../../../runtime/store/store.ts';
import { compileBlocks } from './compile-blocks.ts';
import { createDomainLoader } from '../load/domain-loader.ts';
import { readHistoryFromLog } from './history-from-log.ts';

export interface MergeOptions {
  readonly store: Store;
  readonly domain: Domain;
  readonly version: string;
  readonly modules: string | undefined;
  readonly blocks: readonly RegisteredBlock[];
  /** Nothing was posted, and the history adds nothing: the files' own domain can serve once it is checked. */
  readonly unchanged: boolean;
  readonly warn: (message: string) => void;
}

/** The domain of all blocks together; throws a `Failure` R0503 when they do not compile or the stored history forbids one. */
export async function mergeDomain(options: MergeOptions): Promise<Domain> {
  const history = readHistoryFromLog(options.store.log);
  const registry = compileBlocks(options.blocks, await history.read(), options.warn);
  if (options.unchanged) return options.domain;
  const { modules: directory, version, domain: running } = options;
  const loader = createDomainLoader({ directory, version, running });
  const domain = await loader.load(registry.catalog);
  loader.tidy();
  return domain;
}
