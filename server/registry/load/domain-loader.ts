import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  emitInSteps,
  exportRegistry,
  mapInSteps,
  type Catalog,
  type EmittedModule,
  type WaitingBlock,
} from '../../../compiler/index.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import * as supplied from '../../../runtime/generated/supplied.ts';
import { inSlices } from '../in-slices.ts';
import { openModuleFolder } from './module-folder.ts';
import { runningDefinitions } from './running-definitions.ts';

export interface DomainLoader {
  /**
   * Makes a running domain of a catalog: emits its modules, and loads those that the domain before did not have. Blocks that wait are
   * only shown by it. `mayGoOn` is called between slices of the work, and throws where there is no use in the rest.
   */
  readonly load: (catalog: Catalog, waiting?: readonly WaitingBlock[], mayGoOn?: () => void) => Promise<Domain>;
  /** Removes what was laid down for domains before the one loaded last. */
  readonly tidy: () => void;
}

export interface DomainLoaderOptions {
  /** Where modules are laid down, by this loader alone. Without it they are in a private folder that goes when they are loaded. */
  readonly directory?: string | undefined;
  /** The tool's version, for the head comments of modules. */
  readonly version: string;
  /** A domain that runs: what it has of the catalogs to be loaded is not loaded again. */
  readonly running?: Domain;
}

/**
 * A module's name carries the hash of its content, and each file is held against what was just emitted before it is loaded, so that
 * nothing else is ever run from its folder. Of what it loaded a loader keeps the last domain's definitions, and nothing else.
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
    const temporary = own === undefined ? mkdtempSync(join(tmpdir(), 'schemac-')) : undefined;
    const folder = temporary === undefined ? own : openModuleFolder(temporary);
    const loaded = new Map<string, unknown>();
    const load = ({ file }: EmittedModule): void => {
      const make = folder?.load(file) as (given: typeof supplied) => unknown; // what `emitModules` says of its text
      loaded.set(file.path, make(supplied));
    };
    try {
      await inSlices(mapInSteps(modules, load), mayGoOn);
    } finally {
      if (temporary !== undefined) rmSync(temporary, { recursive: true, force: true });
    }
    return loaded;
  }

  return {
    load: async (catalog, waiting = [], mayGoOn = () => undefined) => {
      const exportText = exportRegistry(catalog);
      const { modules, rest } = await inSlices(emitInSteps(catalog, { version, exportText, waiting }), mayGoOn);
      const definitions = await define(modules, mayGoOn);
      known = definitions;
      const all = (kind: EmittedModule['kind']): never[] =>
        // A module gives the definition of its kind.
        modules.filter((module) => module.kind === kind).map(({ file }) => definitions.get(file.path)) as never[];
      return {
        ...rest,
        aggregates: all('aggregate'),
        commands: all('command'),
        events: all('event'),
        decisions: all('decision'),
        projections: all('projection'),
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
