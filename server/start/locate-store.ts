import { existsSync } from 'node:fs';
import type { EventStoreDefinition } from '../../language/contract/domain.ts';
import { fail } from '../../language/failure/failure.ts';
import type { StoreLocation } from '../place/store-location.ts';
import { chooseStore, type StoreRequest } from './choose-store.ts';

/** The place of the store that an EVENTSTORE block names, to be read there. Throws R0501 if there is none. */
export function locateStore(
  stores: readonly EventStoreDefinition[],
  name: string,
  request: Pick<StoreRequest, 'base' | 'environment'>,
): StoreLocation {
  const choice = chooseStore(stores, { ...request, eventStore: name });
  if (choice.kind === 'postgres') {
    const { url, namespace } = choice;
    return { kind: 'database', url, ...(namespace !== undefined && { namespace }) };
  }
  if (choice.kind === 'memory')
    throw fail('R0501', {
      store: name,
      problem: 'it is in the memory of its own process, which no other process can read',
    });
  const { directory } = choice;
  if (!existsSync(directory)) throw fail('R0501', { store: name, problem: `there is no directory ${directory}` });
  return { kind: 'directory', directory };
}
