import type { LogEntry } from '../../runtime/store/entry.ts';
import type { parseScript } from '../../compiler/index.ts';

/**
 * Masks the payloads of entries that come in order. A field that was SENSITIVE in any version of its event stays so; versions are
 * learned from the schema entries on the way, which stand before the events that they define.
 */
export function createEntryMask(parse: typeof parseScript): (entry: LogEntry) => LogEntry {
  const sensitive = new Map<string, Set<string>>();
  const learn = (text: string): void => {
    for (const { statement } of parse({ name: 'log', text }).statements) {
      if (statement?.kind !== 'CreateEvent') continue;
      const known = sensitive.get(statement.name.text) ?? new Set<string>();
      for (const field of statement.fields) if (field.sensitive) known.add(field.name.text);
      sensitive.set(statement.name.text, known);
    }
  };
  return (entry) => {
    if (entry.kind === 'schema') for (const { text } of entry.changes) if (text !== undefined) learn(text);
    if (entry.kind !== 'command') return entry;
    const events = entry.events.map((event) => {
      const fields = sensitive.get(event.type);
      return fields === undefined || fields.size === 0 ? event : { ...event, data: maskPayload(event.data, fields) };
    });
    return { ...entry, events };
  };
}

/** Text becomes `****`, anything else NULL. */
function maskPayload(data: string, fields: ReadonlySet<string>): string {
  const payload = new Map(Object.entries(JSON.parse(data) as Record<string, unknown>));
  for (const field of fields) {
    const value = payload.get(field);
    if (value !== undefined) payload.set(field, typeof value === 'string' ? '****' : null);
  }
  return JSON.stringify(Object.fromEntries(payload));
}
