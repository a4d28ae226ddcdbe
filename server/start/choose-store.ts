import { resolve } from 'node:path';
import type { EventStoreDefinition } from '../../language/contract/domain.ts';
import { fail } from '../../language/failure/failure.ts';

/** The event store, chosen once at start (docs/language.md#event-store). */
export interface StoreChoice {
  /** The chosen EVENTSTORE, when the schema has any. */
  readonly name?: string;
  readonly kind: 'embedded' | 'memory';
  /** Absolute; meaningless for `memory`. */
  readonly directory: string;
  readonly fsync: boolean;
  readonly rolloverBytes?: number;
  readonly maxBytes?: number;
}
export interface StoreRequest {
  /** `--data`: overrides the path. */
  readonly data?: string;
  /** `--eventstore`. */
  readonly eventStore?: string;
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
  if (type === 'postgres')
    throw fail('R0501', { store: chosen?.name ?? '', problem: "durable.type 'postgres' is not in this version" });
  const path = request.data ?? text('durable.path') ?? text('wal.path') ?? 'data';
  const rollover = numberOf(settings.get('wal.rollover_mb'));
  const memory = numberOf(settings.get('inmemory.max_mb'));
  return {
    ...(chosen === undefined ? {} : { name: chosen.name }),
    kind: type === 'memory' && request.data === undefined ? 'memory' : 'embedded',
    directory: resolve(request.base, path),
    fsync: isOn(settings.get('wal.fsync')),
    ...(rollover === undefined ? {} : { rolloverBytes: rollover * MEGABYTE }),
    ...(memory === undefined ? {} : { maxBytes: memory * MEGABYTE }),
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
