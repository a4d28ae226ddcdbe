import { randomUUID } from 'node:crypto';
import type { EventStoreDefinition } from '../contract/domain.ts';
import type { Engine } from '../engine/engine.ts';
import type { DomainLoader } from '../registry/domain-loader.ts';
import { createInspections, keptName } from '../registry/inspections.ts';
import type { LiveRegistry } from '../registry/live-registry.ts';
import { systemClock } from '../store/disk/node-disk.ts';
import type { Store } from '../store/store.ts';
import { scalarText } from '../values/scalar-text.ts';
import type { InspectionRecord } from './context.ts';
import { createOtherStores, openPlace, type OtherStoresOptions } from './other-stores.ts';
import type { Place } from './place.ts';
import { createSession, type Session } from './session.ts';
import { createSessionTables, type SessionTables } from './tables.ts';

export interface SessionOnOptions extends Pick<OtherStoresOptions, 'readModel'> {
  readonly engine: Engine;
  readonly live: LiveRegistry;
  readonly loader: DomainLoader;
  /** Sessions of one store must differ in it. */
  readonly prefix: string;
  readonly lenientPayload: boolean;
  /** Nobody else waits for the store, so that a long inspection may hold it. */
  readonly alone?: boolean;
  /** The directory of the store that an EVENTSTORE block names; without it no other store is read. */
  readonly locate?: (stores: readonly EventStoreDefinition[], name: string) => string;
}

/** A session on an engine that somebody else keeps; `release` lets go of its tables and of the other stores that it read. */
export async function createSessionOn(
  options: SessionOnOptions,
): Promise<{ readonly session: Session; readonly release: () => Promise<void> }> {
  const { engine, locate } = options;
  const tables = createSessionTables(engine.store, options.prefix);
  await restoreTables(engine.store, tables);
  const otherStores =
    locate === undefined
      ? undefined
      : createOtherStores({ ...options, locate: (name) => locate(engine.domain().eventStores, name) });
  const { readModel, loader } = options;
  const aside = (): Promise<Place> => openPlace('', engine.store.location, { engine, loader, readModel });
  const session = createSession({
    ...options,
    ...(options.alone === true ? {} : { aside }),
    tables,
    clock: systemClock,
    random: Math.random,
    uuid: randomUUID,
    inspections: () => readInspections(engine),
    ...(otherStores === undefined ? {} : { otherStores }),
  });
  return {
    session,
    release: async () => {
      await otherStores?.close();
      for (const { name } of tables.all()) await tables.drop(name);
    },
  };
}

/** The records of inspections. */
async function readInspections(engine: Engine): Promise<readonly InspectionRecord[]> {
  const rows = await createInspections(engine).records();
  return rows.map(([name, kind, inputTable, outputTable, fullSql]) => ({
    name: scalarText(name),
    kind: kind === 'Projection' ? 'Projection' : 'Decision',
    inputTable: scalarText(inputTable),
    outputTable: scalarText(outputTable),
    fullSql: scalarText(fullSql),
  }));
}

/** What earlier inspections of this store left is there again. */
async function restoreTables(store: Store, tables: SessionTables): Promise<void> {
  for (const name of await store.inspectionTables.names()) {
    if (name.startsWith(keptName('', 'input'))) continue;
    const kept = await store.inspectionTables.open(name);
    if (kept !== 'missing' && kept !== 'damaged') tables.restore(name, kept);
  }
}
