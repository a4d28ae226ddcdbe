import type { Domain } from '../../language/contract/domain.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { fail } from '../../language/failure/failure.ts';
import type { HttpOptions } from '../http/options.ts';
import type { ConsoleLimits } from '../console/console-limits.ts';
import type { KeepPosted, LiveRegistry } from '../registry/live/live-registry.ts';
import { withEventVersions } from '../registry/from-log/event-versions.ts';
import { openModuleFolder } from '../registry/load/module-folder.ts';
import { hasMoreLanded } from '../registry/from-log/landed-history.ts';
import { readLoggedBlocks } from '../registry/from-log/logged-blocks.ts';
import { blockKey, reconcile, type LoggedBlock, type Reconciled } from '../registry/from-log/reconcile.ts';
import { preparedSelection } from '../registry/select/prepared-selection.ts';
import type { SchemaEntry } from '../../runtime/store/entry.ts';
import type { Store } from '../../runtime/store/store.ts';
import { latePart } from './late-part.ts';

export interface StartRegistryOptions {
  readonly store: Store;
  /** What the files generated. */
  readonly domain: Domain;
  readonly version: string;
  /** Where modules of posted blocks are laid down, for nobody else; without it they are there only until they are loaded. */
  readonly modules: string | undefined;
  readonly readOnly: boolean;
  /** Where files stay the whole truth while schema is posted. */
  readonly keepPosted?: KeepPosted;
  /** The defaults where it is absent. */
  readonly limits?: ConsoleLimits;
  readonly accept?: 'files' | 'log';
  readonly warn: (message: string) => void;
}

export interface ServerRegistry {
  /** The domain to serve: the files' own, or files and posted blocks together. */
  readonly domain: Domain;
  /** What the files change in the log's registry; to be appended first. */
  readonly entry?: SchemaEntry;
  readonly serve: (engine: Engine) => RegistryServices;
}
/** What HTTP is handed that needs the registry's trees. */
export type RegistryServices = Required<Pick<HttpOptions, 'select' | 'head' | 'inspections' | 'create' | 'console'>> & {
  /** The compiler's view of the registry, the one that every change goes through. */
  readonly live: () => Promise<LiveRegistry>;
  /** Loads what answers these, which the first request would else wait for. Fails with R0411 where that cannot be done now. */
  readonly load: () => Promise<void>;
};

/** Compares files and log, and decides what is served. The compiler is loaded only when they differ. */
export async function startRegistry(options: StartRegistryOptions): Promise<ServerRegistry> {
  const logged = readLoggedBlocks(options.store);
  const { changes, kept, conflicts } = reconcile(options.domain.blocks, logged, options.accept);
  const [conflict] = conflicts;
  if (conflict !== undefined)
    throw fail('R0502', { block: blockKey(conflict.files), files: conflict.files.text, log: conflict.log.text });
  const entry: SchemaEntry | undefined =
    changes.length === 0 ? undefined : { kind: 'schema', origin: 'files', changes };
  const touchesHistory = options.store.position().event > 0 && changes.length > 0;
  const unchanged = kept.length === 0 && !hasMoreLanded(options.domain, await options.store.eventKinds());
  const domain = unchanged && !touchesHistory ? options.domain : await mergedDomain(options, kept, unchanged);
  if (domain === options.domain && options.modules !== undefined && !options.readOnly)
    openModuleFolder(options.modules).keepOnly(new Set());
  return {
    domain: withEventVersions(domain, [...options.store.schema(), ...(entry === undefined ? [] : [entry])]),
    ...(entry === undefined || options.readOnly ? {} : { entry }),
    serve: (engine) => lazyServices(engine, options),
  };
}

/** Files and posted blocks compiled together, against what the history allows and with what it adds. */
async function mergedDomain(
  options: StartRegistryOptions,
  kept: Reconciled['kept'],
  unchanged: boolean,
): Promise<Domain> {
  const { mergeDomain } = await import('../registry/from-log/merge-domain.ts');
  const overridden = new Set(kept.map(blockKey));
  const files = options.domain.blocks.filter((block) => !overridden.has(blockKey(block)));
  const all: readonly (LoggedBlock | Domain['blocks'][number])[] = [...files, ...kept];
  return mergeDomain({ ...options, blocks: all, unchanged });
}

/** What compiles text and filters is not loaded before the server listens, so that its first answer comes early. */
function lazyServices(engine: Engine, options: StartRegistryOptions): RegistryServices {
  const services = latePart('what compiles queries and schema', async () => {
    const { createRegistryServices } = await import('./registry-services.ts');
    return createRegistryServices(engine, options);
  });
  return {
    load: async () => {
      await services();
    },
    select: async (domain, selection) => {
      const query = preparedSelection(domain, selection);
      return query === undefined ? (await services()).select(domain, selection) : { query, parameters: [] };
    },
    head: async (aggregate, streamId) => (await services()).head(aggregate, streamId),
    inspections: {
      records: async (budget) => (await services()).inspections.records(budget),
      find: async (...asked) => (await services()).inspections.find(...asked),
    },
    create: async (text, subject) => (await services()).create(text, subject),
    live: async () => (await services()).live(),
    console: async (...asked) => (await services()).console(...asked),
  };
}
