import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createEngine } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import { createDomainLoader } from '../registry/domain-loader.ts';
import { createLiveRegistry } from '../registry/live-registry.ts';
import { registryFromLog } from '../registry/registry-from-log.ts';
import { createHistoryReader } from '../registry/stored-history.ts';
import { systemClock } from '../store/clock.ts';
import type { Store } from '../store/store.ts';
import type { InspectionRecord } from './context.ts';
import { createSession, type Session } from './session.ts';
import { createSessionTables } from './tables.ts';

export interface SessionOptions {
  readonly store: Store;
  /** The tool's version, for the head comments of generated modules. */
  readonly version: string;
  /** Where modules are generated; without it a fresh private folder that goes with the session. */
  readonly modules?: string;
  readonly lenientPayload?: boolean;
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
  const history = createHistoryReader(store);
  const registry = await registryFromLog(store, history);
  const engine = await createEngine({
    store,
    domain: await loader.load(registry.catalog),
    clock: systemClock,
    randomBytes: (length) => new Uint8Array(randomBytes(length)),
  });
  const live = createLiveRegistry({ engine, registry, loader, history, origin: 'create' });
  const session = createSession({
    engine,
    live,
    tables: createSessionTables(store, 'local'),
    clock: systemClock,
    random: Math.random,
    uuid: randomUUID,
    inspections: () => readInspections(store),
    lenientPayload: options.lenientPayload === true,
  });
  return {
    ...session,
    engine,
    close: async () => {
      await live.settle();
      await engine.close();
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    },
  };
}

/** The records of inspections, each target's last. */
async function readInspections(store: Store): Promise<readonly InspectionRecord[]> {
  const records = new Map<string, InspectionRecord>();
  for await (const entry of store.read(1)) {
    if (entry.kind !== 'inspection') continue;
    const { name, inspected, input, fullSql } = entry;
    records.set(name, { name, kind: inspected, inputTable: input, outputTable: name, fullSql });
  }
  return [...records.values()];
}
