import {
  type Catalog,
  emitInSteps,
  type EmittedModule,
  exportRegistry,
  mapInSteps,
  type WaitingBlock,
  writtenText,
} from '../../../compiler/index.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import { inSlices } from '../in-slices.ts';
import { definitionOf, loadText } from './load-text.ts';
import { openModuleFolder } from './module-folder.ts';

export interface DomainLoader {
  /**
   * Makes a running domain from a catalog: emits its modules, and loads those that the previous domain did not have. Waiting blocks are
   * only shown by it. `mayGoOn` is called between slices of the work, and throws when the rest is useless.
   */
  readonly load: (catalog: Catalog, waiting?: readonly WaitingBlock[], mayGoOn?: () => void) => Promise<Domain>;
  /** Removes the modules of domains before the last loaded one. */
  readonly tidy: () => void;
}

export interface DomainLoaderOptions {
  /** The folder for modules, used by this loader alone. If absent, no module is written to a file. */
  readonly directory?: string | undefined;
  /** The tool's version, for the head comments of modules. */
  readonly version: string;
  /** A running domain: definitions that it shares with a catalog are not loaded again. */
  readonly running?: Domain;
}

/**
 * A module's name carries the hash of its content, and each file is compared with the emitted text before it is loaded, so that no other
 * code is ever run from the folder. A loader keeps only the definitions of the last domain.
 */
export function createDomainLoader({ directory, version, running }: DomainLoaderOptions): DomainLoader {
  const own = directory === undefined ? undefined : openModuleFolder(directory);
  let runs = running === undefined ? undefined : runningDefinitions(running);
  /** By the paths of their modules. */
  let known: ReadonlyMap<string, unknown> | undefined;

  async function define(modules: readonly EmittedModule[], mayGoOn: () => void): Promise<ReadonlyMap<string, unknown>> {
    const before = known ?? new Map(modules.flatMap((module) => entryOf(module.file.path, runs?.(module))));
    runs = undefined;
    const missing = modules.filter(({ file }) => !before.has(file.path));
    const loaded = missing.length === 0 ? new Map<string, unknown>() : await loadAll(missing, mayGoOn);
    return new Map(modules.map(({ file: { path } }) => [path, before.get(path) ?? loaded.get(path)]));
  }

  async function loadAll(
    modules: readonly EmittedModule[],
    mayGoOn: () => void,
  ): Promise<ReadonlyMap<string, unknown>> {
    const loaded = new Map<string, unknown>();
    const load = ({ file }: EmittedModule): void => {
      loaded.set(file.path, own === undefined ? loadText(file) : definitionOf(own.load(file)));
    };
    await inSlices(mapInSteps(modules, load), mayGoOn);
    return loaded;
  }

  return {
    load: async (catalog, waiting = [], mayGoOn = () => undefined) => {
      const exportText = exportRegistry(catalog);
      const { modules, data } = await inSlices(emitInSteps(catalog, { version, exportText, waiting }), mayGoOn);
      const definitions = await define(modules, mayGoOn);
      known = definitions;
      const all = (kind: EmittedModule['kind']): never[] =>
        // A module exports the definition of its kind.
        modules.filter((module) => module.kind === kind).map(({ file }) => definitions.get(file.path)) as never[];
      return {
        ...data,
        aggregates: all('aggregate'),
        commands: all('command'),
        events: all('event'),
        decisions: all('decision'),
        projections: all('projection'),
        subscriptions: all('subscription'),
        reactions: all('reaction'),
      };
    },
    tidy: () => {
      own?.keepOnly(new Set(known?.keys()));
    },
  };
}

function entryOf(path: string, definition: unknown): readonly (readonly [string, unknown])[] {
  return definition === undefined ? [] : [[path, definition]];
}

/**
 * Finds the running domain's definition for a module that was emitted again: it exists if the block and all sources of the module have the
 * same text as the domain's, and the stored events have added nothing to it since.
 */
function runningDefinitions(domain: Domain): (module: EmittedModule) => unknown {
  const texts = new Map(domain.blocks.map(({ kind, name, text }) => [`${kind} ${name}`, text]));
  const events = new Map(domain.events.map((event) => [event.name, event]));
  const aggregates = new Map(domain.aggregates.map((aggregate) => [aggregate.name, aggregate]));
  const definitions = {
    aggregate: aggregates,
    command: new Map(domain.commands.map((command) => [command.name, command])),
    event: events,
    decision: new Map(domain.decisions.map((decision) => [decision.name, decision])),
    projection: new Map(domain.projections.map((projection) => [projection.name, projection])),
    subscription: new Map(domain.subscriptions.map((subscription) => [subscription.name, subscription])),
    reaction: new Map(domain.reactions.map((reaction) => [reaction.name, reaction])),
  };
  const isSame = (block: EmittedModule['sources'][number]): boolean => {
    if (texts.get(`${block.kind} ${block.name}`) !== writtenText(block)) return false;
    if (block.kind === 'event') {
      const event = events.get(block.name);
      return event?.version === block.version && versionsRead(event) === versionsRead(block);
    }
    if (block.kind !== 'aggregate') return true;
    return aggregates.get(block.name)?.events.join() === block.events.join();
  };
  return ({ kind, name, sources }) => (sources.every(isSame) ? definitions[kind].get(name) : undefined);
}

/** The stored versions that the clauses of an event read: a build without a log knows none of them. */
function versionsRead({
  upcasts = [],
}: {
  readonly upcasts?: readonly { readonly versions: readonly number[] }[];
}): string {
  return upcasts.map(({ versions }) => versions.join()).join(';');
}
