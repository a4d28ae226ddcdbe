import { error, warning } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** E08xx: settings of event stores. */
export const stores = {
  E0801: error<{ key: string; nearest: readonly string[] }>(
    (p) => `there is no setting '${p.key}'${suggestion(p.nearest)}`,
  ),
  E0802: error<{ key: string; nearest: readonly string[] }>(
    (p) => `there is no setting '${p.key}'${suggestion(p.nearest)}`,
  ),
  E0803: error<{ key: string; takes: string }>((p) => `setting '${p.key}' takes ${p.takes}`),
  E0804: warning<{ keys: readonly string[] }>(
    (p) => `stored, but without effect in this version: ${p.keys.join(', ')}`,
  ),
  E0805: error<{ key: string }>((p) => `setting '${p.key}' is given twice`),
  E0806: error<Record<never, never>>(() => `setting 'strict.immutable_events' can only be true: events are immutable`),
  E0807: warning<{ type: string; instead: string }>((p) => `durable.type '${p.type}': ${p.instead}`),
} as const;
