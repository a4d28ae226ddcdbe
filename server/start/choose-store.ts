import { resolve } from 'node:path';
import { isReadEngine, type ReadEngine } from '../../language/contract/read-model.ts';
import type { EventStoreDefinition } from '../../language/contract/domain.ts';
import { defaultReadSettings, type ReadSettings } from '../http/settings.ts';
import { fail } from '../../language/failure/failure.ts';

/** The event store, chosen once at start (docs/language.md#event-store). */
export type StoreChoice = (EmbeddedChoice | MemoryChoice | PostgresChoice) & {
  /** The chosen EVENTSTORE, when the schema has any. */
  readonly name?: string;
  /** Settings for reads, as far as a request does not say. */
  readonly read?: ReadSettings;
  /** Maximum memory of the read model. */
  readonly maxBytes?: number;
  readonly readEngine?: ReadEngine;
  /** Memory for pages of a read model on disk. */
  readonly cacheBytes?: number;
};
interface EmbeddedChoice {
  readonly kind: 'embedded';
  /** Absolute. */
  readonly directory: string;
  readonly fsync: boolean;
  readonly rolloverBytes?: number;
}
interface MemoryChoice {
  readonly kind: 'memory';
  readonly directory?: never;
}
export interface PostgresChoice {
  readonly kind: 'postgres';
  /** Directory of this server alone, for files that it can make again; absolute. */
  readonly directory?: string;
  readonly url: string;
  readonly listenUrl?: string;
  readonly namespace?: string;
  readonly pollMilliseconds?: number;
}
export interface StoreRequest {
  /** `--data`: overrides the path. */
  readonly data?: string;
  /** `--eventstore`. */
  readonly eventStore?: string;
  /** `SCHEMAC_READ_ENGINE` or the configuration: overrides `read.engine`. */
  readonly readEngine?: ReadEngine;
  /** Relative paths start here: the configuration file's folder, else the working directory. */
  readonly base: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

type Setting = EventStoreDefinition['options'][number]['value'];

const MEGABYTE = 1024 * 1024;

/** No EVENTSTORE: an embedded store in `./data`. One: that one. Several: the named one, or the one with `default = true`. */
export function chooseStore(stores: readonly EventStoreDefinition[], request: StoreRequest): StoreChoice {
  const chosen = pick(stores, request.eventStore);
  const settings = new Map((chosen?.options ?? []).map(({ key, value }) => [key.toLowerCase(), value]));
  const text = (key: string): string | undefined => textOf(settings.get(key), request.environment);
  const type = text('durable.type') ?? 'embedded';
  const memory = numberOf(settings.get('inmemory.max_mb'));
  const lag = numberOf(settings.get('read.max_lag_ms'));
  const consistency = settings.get('read.consistency');
  const cache = numberOf(settings.get('read.cache_mb'));
  const readEngine = request.readEngine ?? settings.get('read.engine');
  const common = {
    ...((lag !== undefined || consistency === 'local') && {
      read: {
        consistency: consistency === 'local' ? consistency : defaultReadSettings.consistency,
        maxLagMilliseconds: lag ?? defaultReadSettings.maxLagMilliseconds,
      },
    }),
    ...(chosen !== undefined && { name: chosen.name }),
    ...(memory !== undefined && { maxBytes: memory * MEGABYTE }),
    ...(isReadEngine(readEngine) && { readEngine }),
    ...(cache !== undefined && { cacheBytes: cache * MEGABYTE }),
  };
  if (type === 'postgres') {
    const poll = numberOf(settings.get('read.poll_ms'));
    return {
      ...common,
      ...postgresChoice(chosen?.name ?? '', text, request),
      ...(poll !== undefined && { pollMilliseconds: poll }),
    };
  }
  if (type === 'memory' && request.data === undefined) return { ...common, kind: 'memory' };
  const path = request.data ?? text('durable.path') ?? text('wal.path') ?? 'data';
  const rollover = numberOf(settings.get('wal.rollover_mb'));
  return {
    ...common,
    kind: 'embedded',
    directory: resolve(request.base, path),
    fsync: isOn(settings.get('wal.fsync')),
    ...(rollover !== undefined && { rolloverBytes: rollover * MEGABYTE }),
  };
}

function postgresChoice(
  store: string,
  text: (key: string) => string | undefined,
  { data, base }: StoreRequest,
): PostgresChoice {
  const url = text('durable.url');
  if (url === undefined)
    throw fail('R0501', { store, problem: "durable.type 'postgres' needs durable.url = ENV('DATABASE_URL')" });
  const listenUrl = text('durable.listen_url');
  for (const [key, value] of [
    ['durable.url', url],
    ['durable.listen_url', listenUrl],
  ] as const) {
    if (value?.includes('****') === true)
      throw fail('R0501', {
        store,
        problem: `the password of ${key} is not kept in schema text; take the URL from ENV('DATABASE_URL')`,
      });
  }
  const namespace = text('durable.namespace');
  return {
    kind: 'postgres',
    url,
    ...(data !== undefined && { directory: resolve(base, data) }),
    ...(listenUrl !== undefined && { listenUrl }),
    ...(namespace !== undefined && { namespace }),
  };
}

function pick(stores: readonly EventStoreDefinition[], named: string | undefined): EventStoreDefinition | undefined {
  const list = stores.map(({ name }) => name).join(', ');
  if (named !== undefined) {
    const found = stores.find(({ name }) => name === named);
    if (found === undefined)
      throw fail('R0501', {
        store: named,
        problem: stores.length === 0 ? 'the schema has no event store' : `the schema has ${list}`,
      });
    return found;
  }
  if (stores.length <= 1) return stores[0];
  const byDefault = stores.filter(({ options }) =>
    options.some(({ key, value }) => key.toLowerCase() === 'default' && value === true),
  );
  if (byDefault.length !== 1)
    throw fail('R0501', { store: list, problem: 'name one with --eventstore, or give one of them default = true' });
  return byDefault[0];
}

function textOf(value: Setting | undefined, environment: StoreRequest['environment']): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || !('env' in value)) return undefined;
  const found = environment[value.env];
  if (found === undefined) throw fail('R0501', { store: value.env, problem: 'this environment variable is not set' });
  return found;
}

function numberOf(value: Setting | undefined): number | undefined {
  const number = typeof value === 'string' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number > 0 ? number : undefined;
}

function isOn(value: Setting | undefined): boolean {
  return value !== false && value !== 'false' && value !== 'off';
}
