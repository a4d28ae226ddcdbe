import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventStoreDefinition } from '../contract/domain.ts';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import { createSystemRandom } from '../engine/system-random.ts';
import { createDomainLoader } from '../registry/domain-loader.ts';
import { createInspections, keptName, type AboutInspection } from '../registry/inspections.ts';
import { createLiveRegistry } from '../registry/live-registry.ts';
import { registryFromLog } from '../registry/registry-from-log.ts';
import { systemClock } from '../store/disk/node-disk.ts';
import type { Store } from '../store/store.ts';
import { scalarText } from '../values/scalar-text.ts';
import type { InspectionRecord } from './context.ts';
import { createOtherStores } from './other-stores.ts';
import { createSession, type Session } from './session.ts';
import { createSessionTables, type SessionTables } from './tables.ts';

export interface SessionOptions {
  readonly store: Store;
  /** The tool's version, for the head comments of generated modules. */
  readonly version: string;
  /** Where modules are generated; without it a fresh private folder that goes with the session. */
  readonly modules?: string;
  readonly lenientPayload?: boolean;
  /** The directory of the store that an EVENTSTORE block names; without it no other store is read. */
  readonly locate?: (stores: readonly EventStoreDefinition[], name: string) => string;
}

export interface OpenSession extends Session {
  readonly engine: Engine;
  readonly close: () => Promise<void>;
}

/** A session that owns its store: the registry is the log's, and what the text creates is appended to it. */
export async function openSession(options: SessionOptions): Promise<OpenSession> {
  const { store } = options;
  const temporary = options.modules === undefined ? mkdtempSync(join(tmpdir(), 'schemac-')) : undefined;
  const loader = createDomainLoader(options.modules ?? temporary ?? '', options.version);
  const { registry, history } = await registryFromLog(store);
  const engine = await createEngine({
    store,
    domain: await loader.load(registry.catalog),
    clock: systemClock,
    randomBytes: createSystemRandom(),
  });
  const live = createLiveRegistry({ engine, registry, loader, history, origin: 'create' });
  const tables = createSessionTables(store, 'local');
  await restoreTables(store, tables);
  const { locate } = options;
  const otherStores =
    locate === undefined
      ? undefined
      : createOtherStores({
          engine,
          loader,
          locate: (name) => locate(engine.domain().eventStores, name),
          readModel: 'inline',
        });
  const session = createSession({
    engine,
    live,
    tables,
    clock: systemClock,
    random: Math.random,
    uuid: randomUUID,
    inspections: () => readInspections(engine),
    lenientPayload: options.lenientPayload === true,
    ...(otherStores === undefined ? {} : { otherStores }),
  });
  return {
    ...session,
    engine,
    close: async () => {
      await live.settle();
      await otherStores?.close();
      await engine.close();
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
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
    const kept = await store.inspectionTables.load(name);
    if (kept === 'missing' || kept === 'damaged' || kept.about === undefined) continue;
    const about = JSON.parse(kept.about) as AboutInspection;
    await tables.put(name, about.seen, kept.rows, kept.columns);
  }
}
