import { Failure } from '../../../language/failure/failure.ts';
import type { CompileEntry, Engine } from '../../../runtime/engine/engine.ts';
import { compileInSteps } from '../from-log/compile-blocks.ts';
import { withEventVersions } from '../from-log/event-versions.ts';
import { historyInSteps } from '../from-log/history-from-log.ts';
import { readLoggedBlocks } from '../from-log/logged-blocks.ts';
import { inSlices } from '../in-slices.ts';
import { createDomainLoader } from '../load/domain-loader.ts';
import type { LiveRegistry } from './live-registry.ts';

/**
 * Puts a change of another server in force: compiles the registry of the log as a start would, so that both agree. The loader has no
 * folder, since a change of this server may be using it meanwhile. Where a server finds its store remains its own matter.
 */
export function followRegistry(engine: Engine, version: string, live: () => Promise<LiveRegistry>): CompileEntry {
  const follow: CompileEntry = async (_entry, takeOver) => {
    const { store } = engine;
    const { eventStores } = engine.domain();
    const known = await live();
    const history = await inSlices(historyInSteps(store));
    const registry = await inSlices(compileInSteps(readLoggedBlocks(store), await history.read()));
    const loaded = await createDomainLoader({ version, running: engine.domain() }).load(registry.catalog);
    const domain = withEventVersions({ ...loaded, eventStores }, store.schema());
    await takeOver(domain);
    known.replaced(registry, domain, history);
  };
  return async (entry, takeOver) => {
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
  };
}
