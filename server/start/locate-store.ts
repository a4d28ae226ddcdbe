import { existsSync } from 'node:fs';
import type { EventStoreDefinition } from '../../language/contract/domain.ts';
import { fail } from '../../language/failure/failure.ts';
import { chooseStore, type StoreRequest } from './choose-store.ts';

/** The directory of the store that an EVENTSTORE block names, to be read in place. Throws R0501 if there is none. */
export function locateStore(
  stores: readonly EventStoreDefinition[],
  name: string,
  request: Pick<StoreRequest, 'base' | 'environment'>,
): string {
  const { kind, directory } = chooseStore(stores, { ...request, eventStore: name });
  if (kind === 'postgres')
    throw fail('R0501', {
      store: name,
      problem: 'it is in PostgreSQL; ask a server that serves it, or export it into a directory',
    });
  if (kind === 'memory')
    throw fail('R0501', {
      store: name,
      problem: 'it is in the memory of its own process, which no other process can read',
    });
  if (!existsSync(directory)) throw fail('R0501', { store: name, problem: `there is no directory ${directory}` });
  return directory;
}
