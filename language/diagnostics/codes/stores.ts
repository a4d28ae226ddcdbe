import { entry } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** E08xx: settings of event stores. */
export const stores = {
  E0801: entry<{ key: string; nearest: readonly string[] }>({
    severity: 'error',
    title: 'unknown section of settings',
    message: (p) => `there is no setting '${p.key}'${suggestion(p.nearest)}`,
    explanation:
      'Settings belong to the sections envelope, id, ordering, durable, partition, row_group, stats, bloom, inmemory, wal, compaction, read, ' +
      'retention, security, projection and strict; one more, default, marks the store a server opens.',
    example: 'CREATE EVENTSTORE s WITH (colour.depth = 1);',
  }),
  E0802: entry<{ key: string; nearest: readonly string[] }>({
    severity: 'error',
    title: 'misspelt setting',
    message: (p) => `there is no setting '${p.key}'${suggestion(p.nearest)}`,
    explanation: 'The key is almost the name of a setting that has an effect, so it is taken for a typing error.',
    example: "CREATE EVENTSTORE s WITH (durable.tpye = 'memory');",
  }),
  E0803: entry<{ key: string; takes: string }>({
    severity: 'error',
    title: 'invalid setting value',
    message: (p) => `setting '${p.key}' takes ${p.takes}`,
    explanation: 'The value has the wrong type, or is not one of the allowed values.',
    example: "CREATE EVENTSTORE s WITH (durable.type = 'tape');",
  }),
  E0804: entry<{ keys: readonly string[] }>({
    severity: 'warning',
    title: 'setting without effect',
    message: (p) => `stored, but without effect in this version: ${p.keys.join(', ')}`,
    explanation:
      'Every setting of a known section is accepted and stored for DESCRIBE and EXPORT. These have no effect; nor has wal.path where durable.path is given.',
    example: 'CREATE EVENTSTORE s WITH (bloom.enabled = true);',
  }),
  E0805: entry<{ key: string }>({
    severity: 'error',
    title: 'setting given twice',
    message: (p) => `setting '${p.key}' is given twice`,
    explanation: 'Each setting takes one value.',
    example: "CREATE EVENTSTORE s WITH (durable.type = 'memory', durable.type = 'embedded');",
  }),
  E0806: entry<Record<never, never>>({
    severity: 'error',
    title: 'events are immutable',
    message: () => `setting 'strict.immutable_events' can only be true: events are immutable`,
    explanation: 'Nothing in this system changes or removes a stored event.',
    example: 'CREATE EVENTSTORE s WITH (strict.immutable_events = false);',
  }),
  E0807: entry<{ type: string; instead: string }>({
    severity: 'warning',
    title: 'store of another type',
    message: (p) => `durable.type '${p.type}': ${p.instead}`,
    explanation: "The store types of this version are 'embedded', 'memory' and 'postgres'.",
    example: "CREATE EVENTSTORE s WITH (durable.type = 'parquet');",
  }),
} as const;
