/**
 * The registry of a running engine: the compiler's view of it, changed in memory first and then put in force. Takes block
 * statements and drops, gives a new handler table to the engine and a schema entry to the log; never decides a command.
 */
import {
  catalogChanges,
  changeRegistry,
  exportOrder,
  type ChangeResult,
  type Registry,
  type RegistryChange,
} from '../../compiler/index.ts';
import type { Engine } from '../engine/engine.ts';
import type { SchemaEntry } from '../store/entry.ts';
import type { DomainLoader } from './domain-loader.ts';
import type { HistoryReader } from './stored-history.ts';

export interface LiveRegistry {
  /** What text is checked against. Blocks that still wait for a forward name are known to it and not yet in its catalog. */
  readonly registry: () => Registry;
  /** Checks a change and keeps it, not yet in force. */
  readonly change: (change: LiveChange) => Promise<ChangeResult>;
  /** Puts all kept changes in force: generated, loaded, logged, swapped. Nothing to do is free. */
  readonly settle: () => Promise<void>;
}
export type LiveChange = Omit<RegistryChange, 'mode' | 'history'>;

export interface LiveRegistryOptions {
  readonly engine: Engine;
  readonly registry: Registry;
  readonly loader: DomainLoader;
  readonly history: HistoryReader;
  readonly origin: SchemaEntry['origin'];
}

export function createLiveRegistry(options: LiveRegistryOptions): LiveRegistry {
  const { engine, loader } = options;
  let registry = options.registry;
  let settled = options.registry;

  /** One after the other, so that what is put in force is never older than what is. */
  let settling: Promise<void> = Promise.resolve();
  const settle = (): Promise<void> => {
    const next = settling.then(putInForce);
    settling = next.catch(() => undefined);
    return next;
  };

  /** Checked against what is in force and what is kept; a change that cannot be put in force is forgotten whole. */
  async function putInForce(): Promise<void> {
    const next = registry;
    if (next.catalog === settled.catalog) return;
    try {
      const { catalog } = next;
      const changes = catalogChanges(settled.catalog, catalog, exportOrder(catalog));
      const domain = await loader.load(catalog);
      await engine.adopt(
        domain,
        changes.length === 0 ? undefined : { kind: 'schema', origin: options.origin, changes },
      );
      options.history.noteEvents(catalog.blocks.event);
      settled = next;
    } catch (error) {
      registry = settled;
      throw error;
    }
  }

  return {
    registry: () => registry,
    change: async (change) => {
      const history = await options.history.read();
      const result = changeRegistry(registry, { ...change, mode: 'script', history });
      registry = result.registry;
      return result;
    },
    settle,
  };
}
