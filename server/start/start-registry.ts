import { blockKey } from '../../language/contract/block-kind.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Meanwhile } from '../../runtime/engine/meanwhile.ts';
import { createEntryTrial, tryUpcasts } from '../../runtime/engine/try-upcasts.ts';
import { fail } from '../../language/failure/failure.ts';
import type { QueryLimits } from '../operation/query/query-limits.ts';
import type { InspectLimits } from '../operation/inspect/inspect-limits.ts';
import type { KeepPosted } from '../registry/live/live-registry.ts';
import { withEventVersions } from '../registry/from-log/event-versions.ts';
import { checkedEvents, takeLater } from '../registry/checked-events.ts';
import { openModuleFolder } from '../registry/load/module-folder.ts';
import { hasMoreLanded, readsShapes } from '../registry/from-log/landed-history.ts';
import { readLoggedBlocks } from '../registry/from-log/logged-blocks.ts';
import { reconcile, type LoggedBlock, type Reconciled } from '../registry/from-log/reconcile.ts';
import type { SchemaEntry } from '../../runtime/store/entry.ts';
import type { Store } from '../../runtime/store/store.ts';
import { latePart } from './late-part.ts';
import type { RegistryServices } from './registry-services.ts';

export interface StartRegistryOptions {
  readonly store: Store;
  /** The domain generated from the files. */
  readonly domain: Domain;
  readonly version: string;
  /** The folder for modules of posted blocks, used by this server alone; if absent, they exist only until they are loaded. */
  readonly modules: string | undefined;
  readonly readOnly: boolean;
  /** If files hold the complete schema: saves posted definitions there. */
  readonly keepPosted?: KeepPosted;
  /** The defaults if absent. */
  readonly limits?: QueryLimits & InspectLimits;
  readonly accept?: 'files' | 'log';
  readonly warn: (message: string) => void;
}

export interface ServerRegistry {
  /** The domain to serve: that of the files, or of files and posted blocks together. */
  readonly domain: Domain;
  /** The files' changes to the log's registry; to be appended first. */
  readonly entry?: SchemaEntry;
  /** Refuses that entry if other servers append what it cannot read. Set whenever `entry` is. */
  readonly meanwhile?: Meanwhile;
  /** The services of a running server that need the compiler. It is loaded at the first call, after the server listens, so that its first answer comes early. */
  readonly serve: (engine: Engine) => () => Promise<RegistryServices>;
}

/** Compares files and log, and decides which domain is served. The compiler is loaded only when they differ. */
export async function startRegistry(options: StartRegistryOptions): Promise<ServerRegistry> {
  const logged = readLoggedBlocks(options.store.log);
  if (options.store.shared && logged.length > 0) {
    const theirs = await sharedRegistry(options, logged);
    if (theirs !== undefined) return theirs;
  }
  const { changes, kept, conflicts } = await reconcile(options.domain.blocks, logged, options.accept);
  const [conflict] = conflicts;
  if (conflict !== undefined)
    throw fail('R0502', {
      block: `${conflict.files.kind}:${conflict.files.name}`,
      files: conflict.files.text,
      log: conflict.log.text,
    });
  const entry: SchemaEntry | undefined =
    changes.length === 0 ? undefined : { kind: 'schema', origin: 'files', changes };
  const touchesHistory = options.store.turns.position().event > 0 && changes.length > 0;
  const checked = await checkedEvents(options.store);
  const stored = await options.store.log.eventKinds();
  const unchanged = kept.length === 0 && !hasMoreLanded(options.domain, stored) && !readsShapes(options.domain, stored);
  const domain = unchanged && !touchesHistory ? options.domain : await mergedDomain(options, kept, unchanged);
  if (entry !== undefined) await tryUpcasts(() => options.store.log.read(1), domain.events);
  if (domain === options.domain && options.modules !== undefined && !options.readOnly)
    openModuleFolder(options.modules).keepOnly(new Set());
  return {
    domain: await withEventVersions(domain, [...options.store.log.schema(), ...(entry === undefined ? [] : [entry])]),
    ...(entry === undefined || options.readOnly
      ? {}
      : {
          entry,
          meanwhile: {
            from: checked.entry + 1,
            take: takeLater(checked, changes, createEntryTrial(domain.events), moved),
          },
        }),
    serve: (engine) => lateServices(engine, options),
  };
}

function moved(): never {
  throw fail('R0508', {});
}

/**
 * On a log of several servers, a start that differs from it serves what the log says: in a rolling deployment the servers would otherwise
 * replace the schema of each other. Undefined if the files are to replace it.
 */
async function sharedRegistry(
  options: StartRegistryOptions,
  logged: readonly LoggedBlock[],
): Promise<ServerRegistry | undefined> {
  const { store, domain } = options;
  const { differingBlocks, formerEntry } = await import('../registry/from-log/shared-registry.ts');
  const differing = differingBlocks(domain.blocks, logged);
  if (differing.length > 0 && options.accept === 'files') {
    const entry = formerEntry(domain.blocks, store.log.schema());
    if (entry !== undefined) throw fail('R0507', { entry });
    return undefined;
  }
  if (differing.length > 0)
    options.warn(
      `the files differ from the registry of the log, which is served: ${differing.join(', ')}; --accept files puts the files in force`,
    );
  const stored = await store.log.eventKinds();
  const needsLog = differing.length > 0 || hasMoreLanded(domain, stored) || readsShapes(domain, stored);
  const { mergeDomain } = await import('../registry/from-log/merge-domain.ts');
  const served = needsLog ? await mergeDomain({ ...options, blocks: logged, unchanged: false }) : domain;
  return {
    domain: await withEventVersions({ ...served, eventStores: domain.eventStores }, store.log.schema()),
    serve: (engine) => lateServices(engine, options),
  };
}

/** Files and posted blocks compiled together, checked against the history and including its events. */
async function mergedDomain(
  options: StartRegistryOptions,
  kept: Reconciled['kept'],
  unchanged: boolean,
): Promise<Domain> {
  const { mergeDomain } = await import('../registry/from-log/merge-domain.ts');
  const overridden = new Set(kept.map(({ kind, name }) => blockKey(kind, name)));
  const files = options.domain.blocks.filter((block) => !overridden.has(blockKey(block.kind, block.name)));
  const all: readonly (LoggedBlock | Domain['blocks'][number])[] = [...files, ...kept];
  return mergeDomain({ ...options, blocks: all, unchanged });
}

function lateServices(engine: Engine, options: StartRegistryOptions): () => Promise<RegistryServices> {
  return latePart('the compiler of queries and schema', async () => {
    const { createRegistryServices } = await import('./registry-services.ts');
    return createRegistryServices(engine, options);
  });
}
