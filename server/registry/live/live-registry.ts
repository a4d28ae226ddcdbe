/**
 * The registry of a running engine: the compiler's view of it, changed in memory first and then put in force. Takes block statements and
 * drops, gives a new handler table to the engine and a schema entry to the log; never decides a command.
 */
import {
  catalogChanges,
  changeInSteps,
  changeRegistry,
  exportOrder,
  writtenText,
  type CatalogChange,
  type ChangeResult,
  type Registry,
  type RegistryChange,
  type StoredHistory,
} from '../../../compiler/index.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import { RegistryMoved, type Engine } from '../../../runtime/engine/engine.ts';
import type { Meanwhile } from '../../../runtime/engine/meanwhile.ts';
import { createEntryTrial, tryUpcasts } from '../../../runtime/engine/try-upcasts.ts';
import { fail } from '../../../language/failure/failure.ts';
import { changedClauses } from '../changed-clauses.ts';
import { checkedEvents, takeLater, type CheckedEvents } from '../checked-events.ts';
import { inSlices } from '../in-slices.ts';
import type { SchemaEntry } from '../../../runtime/store/entry.ts';
import { refusedWrite } from '../../../runtime/store/journal/log-failures.ts';
import type { DomainLoader } from '../load/domain-loader.ts';
import type { HistoryReader } from '../from-log/stored-history.ts';

export interface LiveRegistry {
  /** The definitions that text is checked against. Includes blocks that still wait for a later definition, which are not yet in its catalog. */
  readonly registry: () => Registry;
  /** Checks a change and keeps it, not yet in force. */
  readonly change: (change: LiveChange) => Promise<ChangeResult>;
  /** Checks a change and puts it in force. With errors nothing of it is kept; if it cannot be put in force, it fails as a whole. */
  readonly put: (change: LiveChange) => Promise<ChangeResult>;
  /**
   * Puts all kept changes in force: generated, loaded, logged, swapped. Waiting blocks are shown, but not logged. Free if there is nothing
   * to do. Fails if another change failed in between and discarded the kept changes.
   */
  readonly adopt: () => Promise<void>;
  /**
   * Puts the definitions of the files in force as a whole: blocks that they do not have are dropped. `compile` is called once all kept
   * changes are in force, and again if another change comes in between. It gives undefined if the files have errors: then nothing changes.
   * Gives the changes, in the order of the log.
   */
  readonly replace: (
    compile: (history: StoredHistory) => Promise<Registry | undefined>,
  ) => Promise<readonly CatalogChange[]>;
  /** Another server has put this registry in force, and the engine follows it. Changes that are kept here are discarded. */
  readonly replaced: (registry: Registry, domain: Domain, history: HistoryReader) => void;
}
export type LiveChange = Omit<RegistryChange, 'mode' | 'history'>;

/**
 * Saves changes to the files, if files hold the complete schema, before they are logged. Gives the function that undoes it. Fails if it
 * cannot: then nothing changes.
 */
export type KeepPosted = (changes: readonly CatalogChange[]) => () => void;

export interface LiveRegistryOptions {
  readonly engine: Engine;
  readonly registry: Registry;
  readonly loader: DomainLoader;
  readonly history: HistoryReader;
  readonly origin: SchemaEntry['origin'];
  /** Receives each domain that comes into force, with its definitions. */
  readonly onInForce?: (domain: Domain, registry: Registry) => void;
  /** If set, a posted change is saved to the files as soon as it is in force, and is logged as written by files. */
  readonly keepPosted?: KeepPosted;
}

export function createLiveRegistry(options: LiveRegistryOptions): LiveRegistry {
  const { engine, loader } = options;
  let { history } = options;
  let registry = options.registry;
  let inForce = options.registry;
  /** The version of the engine's registry that `inForce` is. */
  let version = engine.registryVersion();
  /** Stored events when the first change that is kept was checked; undefined if none is. */
  let seen: CheckedEvents | undefined;
  /** A failure that discarded kept changes, not yet reported to the caller that kept them. */
  let lost: { readonly error: unknown } | undefined;

  /** Runs one work after the other, so that the domain put in force is never older than the present one. */
  let settling: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const next = settling.then(work);
    settling = next.catch(() => undefined);
    return next;
  };

  async function adoptLogged(
    domain: Domain,
    origin: SchemaEntry['origin'],
    changes: readonly CatalogChange[],
    base: number,
    meanwhile: Meanwhile,
  ): Promise<void> {
    const { keepPosted } = options;
    if (keepPosted === undefined || origin === 'files') {
      await engine.adopt(domain, { kind: 'schema', origin, changes }, base, meanwhile);
      return;
    }
    const takeBack = keepPosted(changes);
    try {
      await engine.adopt(domain, { kind: 'schema', origin: 'files', changes }, base, meanwhile);
    } catch (error) {
      takeBack();
      throw error;
    }
  }

  /**
   * Checked against the definitions in force and the kept changes; a change that cannot be put in force is discarded completely, with
   * `RegistryMoved` because another server was faster.
   */
  async function adoptKept(origin: SchemaEntry['origin'], mayGoOn = within(engine)): Promise<readonly CatalogChange[]> {
    const next = registry;
    const [before, base] = [inForce, version];
    if (next.catalog === inForce.catalog && sameWaiting(next, inForce)) {
      seen = undefined;
      return [];
    }
    try {
      const { catalog } = next;
      const changes = catalogChanges(before.catalog, catalog, exportOrder(catalog));
      const domain = await loader.load(catalog, next.waiting, mayGoOn);
      const clauses = changedClauses(domain, catalog, before.catalog);
      const checked = seen ?? (await checkedEvents(engine.store));
      const end = engine.store.turns.position().entry;
      await tryUpcasts(() => engine.store.log.read(1), clauses, mayGoOn);
      if (inForce !== before) throw new RegistryMoved();
      const meanwhile = {
        from: Math.min(end, checked.entry) + 1,
        take: takeLater(checked, changes, createEntryTrial(clauses), () => {
          throw new RegistryMoved();
        }),
      };
      if (changes.length > 0) await adoptLogged(domain, origin, changes, base, meanwhile);
      else if (!sameWaiting(next, before)) await engine.adopt(domain);
      options.onInForce?.(domain, next);
      history.add(catalog.blocks);
      inForce = next;
      version = engine.registryVersion();
      seen = undefined;
      loader.tidy();
      return changes;
    } catch (error) {
      registry = inForce;
      seen = undefined;
      throw error;
    }
  }

  /** If the work fails, the changes kept before it are discarded with it. */
  async function losing<T>(kept: boolean, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (kept) lost = { error };
      throw error;
    }
  }

  const readHistory = async (): Promise<StoredHistory> => {
    if (seen === undefined || registry === inForce) seen = await checkedEvents(engine.store);
    return history.read();
  };

  const keep = async (change: LiveChange): Promise<ChangeResult> => {
    const stored = await readHistory();
    const result = changeRegistry(registry, { ...change, mode: 'script', history: stored });
    registry = result.registry;
    return result;
  };

  /** Keeps a change in slices, and checks it again if another change was kept meanwhile. */
  const keepInSlices = async (change: LiveChange, mayGoOn: () => void): Promise<ChangeResult> => {
    for (;;) {
      const before = registry;
      const stored = await readHistory();
      const result = await inSlices(changeInSteps(before, { ...change, mode: 'script', history: stored }), mayGoOn);
      if (registry !== before) continue;
      registry = result.registry;
      return result;
    }
  };

  return {
    registry: () => registry,
    change: keep,
    // All of it is in one turn: otherwise a failure of another change between check and apply would count as this change's success.
    put: (change) =>
      inTurn(async () => {
        const kept = registry !== inForce;
        const mayGoOn = within(engine);
        return onPresent(async () => {
          const result = await keepInSlices(change, mayGoOn);
          if (result.registry !== registry) throw new RegistryMoved();
          await losing(kept, () => adoptKept(options.origin, mayGoOn));
          return result;
        });
      }),
    adopt: async () => {
      await inTurn(async () => {
        await adoptKept(options.origin).catch((error: unknown) => {
          throw error instanceof RegistryMoved ? fail('R0508', {}) : error;
        });
        const told = lost;
        lost = undefined;
        if (told !== undefined) throw told.error;
      });
    },
    replace: (compile) =>
      inTurn(() =>
        onPresent(async () => {
          await losing(registry !== inForce, () => adoptKept(options.origin));
          const before = registry;
          const files = await compile(await readHistory());
          if (files === undefined) return [];
          if (registry !== before) throw new RegistryMoved();
          registry = files;
          return adoptKept('files');
        }),
      ),
    replaced: (next, domain, read) => {
      if (registry !== inForce) lost = { error: fail('R0508', {}) };
      registry = next;
      inForce = next;
      version = engine.registryVersion();
      options.onInForce?.(domain, next);
      history = read;
    },
  };
}

/** Does the work again when another change came in between: it is checked against the registry that is in force then. */
async function onPresent<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; attempt <= mostAttempts; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof RegistryMoved)) throw error;
    }
  }
  throw fail('R0508', {});
}
const mostAttempts = 10;

/** The most time that a change may take until its tables are built, in ms. Other requests continue meanwhile. */
const changeMilliseconds = 60_000;

/** Throws when a change has used its time, or can no longer be logged. */
function within({ store }: Engine): () => void {
  const end = performance.now() + changeMilliseconds;
  return () => {
    const trouble = store.turns.refusesWrites();
    if (trouble !== undefined) throw refusedWrite(trouble);
    if (performance.now() > end)
      throw fail('R0504', { problem: `compiling it takes longer than ${changeMilliseconds} ms` });
  };
}

function sameWaiting(one: Registry, other: Registry): boolean {
  return JSON.stringify(waitingTexts(one)) === JSON.stringify(waitingTexts(other));
}

function waitingTexts({ waiting }: Registry): readonly string[][] {
  return waiting.map(({ block, waitsFor }) => [writtenText(block), ...waitsFor]);
}
