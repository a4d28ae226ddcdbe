import { Failure } from '../../../language/failure/failure.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Registry } from '../../../compiler/index.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { CompileEntry, Engine, PrepareChange } from '../../../runtime/engine/engine.ts';
import type { AnnouncedChange } from '../../../runtime/store/side/announcements.ts';
import type { Entries } from '../../../runtime/store/store.ts';
import { compileInSteps } from '../from-log/compile-blocks.ts';
import { withEventVersions } from '../from-log/event-versions.ts';
import { historyInSteps } from '../from-log/history-from-log.ts';
import { readLoggedBlocks } from '../from-log/logged-blocks.ts';
import type { HistoryReader } from '../from-log/stored-history.ts';
import { inSlices } from '../in-slices.ts';
import { createDomainLoader } from '../load/domain-loader.ts';
import type { LiveRegistry } from './live-registry.ts';

/** Puts the changes of other servers in force, or prepares those that they have announced. */
export interface FollowedRegistry {
  readonly compile: CompileEntry;
  readonly prepare: PrepareChange;
}

interface Compiled {
  readonly registry: Registry;
  readonly history: HistoryReader;
  readonly domain: Domain;
}

/**
 * Compiles the registry of the log as a start would, so that all servers agree. The loader has no folder, since a change of this server may be using
 * it meanwhile. Where a server finds its store remains its own matter.
 */
export function followRegistry(engine: Engine, version: string, live: () => Promise<LiveRegistry>): FollowedRegistry {
  const { store } = engine;
  let prepared: (AnnouncedChange & Compiled) | undefined;

  const compiled = async (log: Pick<Entries, 'schema' | 'eventKinds'>): Promise<Compiled> => {
    const { eventStores } = engine.domain();
    const history = await inSlices(historyInSteps(log));
    const registry = await inSlices(compileInSteps(readLoggedBlocks(log), await history.read()));
    const loaded = await createDomainLoader({ version, running: engine.domain() }).load(registry.catalog);
    return { registry, history, domain: await withEventVersions({ ...loaded, eventStores }, log.schema()) };
  };
  const follow: CompileEntry = async (entry, takeOver) => {
    const known = await live();
    const ready = prepared;
    prepared = undefined;
    const isReady =
      ready !== undefined &&
      ready.base === store.log.schema().length - 1 &&
      ready.entry.origin === entry.origin &&
      isDeepStrictEqual(ready.entry.changes, entry.changes);
    const { registry, history, domain } = isReady ? ready : await compiled(store.log);
    await takeOver(domain);
    known.replaced(registry, domain, history);
  };
  return {
    prepare: async (change) => {
      prepared = undefined;
      const announced = { ...change.entry, number: 0, at: '0' };
      const made = await compiled({
        schema: () => [...store.log.schema(), announced],
        eventKinds: store.log.eventKinds,
      });
      await engine.prepare(made.domain);
      prepared = { ...change, ...made };
    },
    compile: async (entry, takeOver) => {
      try {
        await follow(entry, takeOver);
      } catch (error) {
        if (error instanceof Failure && error.code === 'R0413') throw error;
        const problem = error instanceof Error ? error.message : String(error);
        throw new Error(
          `entry ${entry.number} of the log changes the schema, and this server (schemac ${version}) cannot follow: ${problem}`,
          { cause: error },
        );
      }
    },
  };
}
