import { isReadEngine } from '../../../language/contract/read-model.ts';
import type { StoreSetting } from '../../../language/catalog/block.ts';

/** Sections of keys (docs/language.md#event-store). All keys of these sections are stored. */
export const storeSections: readonly string[] = [
  'envelope',
  'id',
  'ordering',
  'durable',
  'partition',
  'row_group',
  'stats',
  'bloom',
  'inmemory',
  'wal',
  'compaction',
  'read',
  'retention',
  'security',
  'projection',
  'strict',
];

export interface StoreKey {
  readonly key: string;
  readonly takes: string;
  readonly accepts: (value: StoreSetting) => boolean;
}

const isEnv = (value: StoreSetting): boolean => typeof value === 'object' && !Array.isArray(value);
const text = (key: string): StoreKey => ({
  key,
  takes: "a text that is not empty, or ENV('NAME')",
  accepts: (value) => isEnv(value) || (typeof value === 'string' && value !== ''),
});
const truth = (key: string): StoreKey => ({
  key,
  takes: 'true or false',
  accepts: (value) => typeof value === 'boolean',
});
const count = (key: string): StoreKey => ({
  key,
  takes: 'a whole number above 0',
  accepts: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value > 0,
});

/** `durable.type` by name: its meaning in this version, if it needs a warning. */
export const durableTypes: ReadonlyMap<string, string | undefined> = new Map([
  ['embedded', undefined],
  ['memory', undefined],
  ['parquet', 'for now the embedded store is used'],
  ['postgres', undefined],
]);

/** The keys that have an effect. A key close to one of these is taken for a typing error. */
export const knownKeys: readonly StoreKey[] = [
  {
    key: 'durable.type',
    takes: "'embedded', 'memory', 'parquet' or 'postgres'",
    accepts: (value) => typeof value === 'string' && durableTypes.has(value),
  },
  text('durable.path'),
  text('durable.url'),
  text('durable.listen_url'),
  text('durable.namespace'),
  truth('wal.fsync'),
  count('wal.rollover_mb'),
  text('wal.path'),
  truth('strict.immutable_events'),
  truth('strict.uuid_format'),
  truth('id.command_id.required'),
  {
    key: 'envelope.commands',
    takes: "'keyed', 'emitted' or 'all'",
    accepts: (value) => value === 'keyed' || value === 'emitted' || value === 'all',
  },
  truth('envelope.sensitive_arguments'),
  count('envelope.commands_per_second'),
  count('inmemory.max_mb'),
  count('read.poll_ms'),
  count('read.max_lag_ms'),
  {
    key: 'read.consistency',
    takes: "'latest' or 'local'",
    accepts: (value) => value === 'latest' || value === 'local',
  },
  { key: 'read.engine', takes: "'memory', 'disk' or 'auto'", accepts: isReadEngine },
  {
    key: 'read.cache_mb',
    takes: 'a whole number from 8 to 1024',
    accepts: (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 8 && value <= 1024,
  },
  truth('default'),
];
