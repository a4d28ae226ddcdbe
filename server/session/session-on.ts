import { randomUUID } from 'node:crypto';
import type { EventStoreDefinition } from '../../language/contract/domain.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { fail } from '../../language/failure/failure.ts';
import type { DomainLoader } from '../registry/load/domain-loader.ts';
import { aboutOf, inspectionRows, openKept, standingRecords, tablesOf } from '../operation/kept.ts';
import type { LiveRegistry } from '../registry/live/live-registry.ts';
import { systemClock } from '../../runtime/store/disk/node-disk.ts';
import type { Row, TableHead } from '../../runtime/store/store.ts';
import type { SessionContext } from './context.ts';
import { createOtherStores, type OtherStoresOptions } from '../place/other-stores.ts';
import type { StoreLocation } from '../place/store-location.ts';
import { createSession, type Session } from './session.ts';
import { createSessionTables, type SessionTables } from './tables.ts';
import { createStandings, type Standings } from '../../runtime/delivery/standing.ts';

export interface SessionOnOptions
  extends Pick<OtherStoresOptions, 'readModel'>, Pick<SessionContext, 'alone' | 'sessionClock' | 'reacts'> {
  readonly engine: Engine;
  readonly live: LiveRegistry;
  readonly loader: DomainLoader;
  /** Must differ between the sessions of one store. */
  readonly prefix: string;
  readonly lenientPayload: boolean;
  /** µs since 1970; the clock of the system by default. */
  readonly clock?: () => bigint;
  readonly readSchema?: (path: string) => string;
  /** Progress in a server that the session joined; the reactions of the engine alone by default. */
  readonly standings?: Standings;
  /** The place of the store that an EVENTSTORE block names; if absent no other store is read. */
  readonly locate?: (stores: readonly EventStoreDefinition[], name: string) => StoreLocation;
}

/** A session on an engine that the caller keeps open; `release` drops its tables and closes the other stores that it read. */
export async function createSessionOn(
  options: SessionOnOptions,
): Promise<{ readonly session: Session; readonly release: () => Promise<void> }> {
  const { engine, locate } = options;
  const tables = createSessionTables(engine.store, options.prefix);
  await restoreTables(engine, tables);
  const otherStores =
    locate === undefined
      ? undefined
      : createOtherStores({ ...options, locate: (name) => locate(engine.domain().eventStores, name) });
  const session = createSession({
    ...options,
    tables,
    clock: options.clock ?? systemClock,
    random: Math.random,
    uuid: () => randomUUID(),
    standings: options.standings ?? createStandings({ engine }),
    inspections: () => inspectionRows(engine),
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

/** Restores the tables of earlier inspections of this store. */
async function restoreTables(engine: Engine, tables: SessionTables): Promise<void> {
  for (const record of await standingRecords(engine))
    for (const name of tablesOf(record, 'output')) {
      const kept = await openKept(engine, name, 'output');
      if (kept === undefined || aboutOf(kept).rebuilt === true) continue;
      tables.restore(name, { ...kept, pages: () => pagesStillKept(engine, name, kept) });
    }
}

/** Another session may have dropped the table since, or replaced it by one with other columns. */
async function* pagesStillKept(engine: Engine, name: string, { columns }: TableHead): AsyncGenerator<readonly Row[]> {
  const kept = await openKept(engine, name, 'output');
  if (kept === undefined || JSON.stringify(kept.columns) !== JSON.stringify(columns))
    throw fail('R0106', { kind: 'table', name, known: [] });
  yield* kept.pages();
}
