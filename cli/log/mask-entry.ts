import type { LogEntry } from '../../runtime/store/entry.ts';
import { writeJsonValue } from '../../language/values/json-write.ts';
import type { JsonValue } from '../../language/values/json.ts';
import { textMask } from '../../language/values/mask.ts';
import { readExactJson } from '../../language/values/json-parse.ts';
import { isObject } from '../../language/values/json.ts';
import type { parseScript } from '../../compiler/index.ts';

/**
 * Masks the payloads and arguments of entries that come in order. A field that was SENSITIVE in any version of its event or command is
 * always masked; versions are learned from the schema entries, which precede the entries that they define.
 */
export function createEntryMask(parse: typeof parseScript): (entry: LogEntry) => LogEntry {
  const sensitive = { CreateEvent: new Map<string, Set<string>>(), CreateCommand: new Map<string, Set<string>>() };
  const learn = (text: string): void => {
    for (const { statement } of parse({ name: 'log', text }).statements) {
      if (statement?.kind !== 'CreateEvent' && statement?.kind !== 'CreateCommand') continue;
      const blocks = sensitive[statement.kind];
      const known = blocks.get(statement.name.text) ?? new Set<string>();
      for (const field of statement.fields) if (field.sensitive) known.add(field.name.text);
      blocks.set(statement.name.text, known);
    }
  };
  const masked = (data: string, fields: ReadonlySet<string> | undefined): string =>
    fields === undefined || fields.size === 0 ? data : maskPayload(data, fields);
  return (entry) => {
    if (entry.kind === 'schema') for (const { text } of entry.changes) if (text !== undefined) learn(text);
    if (entry.kind !== 'command') return entry;
    const events = entry.events.map((event) => ({
      ...event,
      data: masked(event.data, sensitive.CreateEvent.get(event.type)),
    }));
    const kept = entry.cells?.arguments;
    if (kept === undefined) return { ...entry, events };
    const given = masked(kept, sensitive.CreateCommand.get(entry.command));
    return { ...entry, events, cells: { ...entry.cells, arguments: given } };
  };
}

/** Text becomes `****`, anything else NULL; numbers of the other fields stay as they are written. */
function maskPayload(data: string, fields: ReadonlySet<string>): string {
  const payload = readExactJson(data);
  if (!isObject(payload)) return data;
  const masked = [...payload].map(([field, value]): readonly [string, JsonValue] =>
    fields.has(field) ? [field, typeof value === 'string' ? textMask : null] : [field, value],
  );
  return writeJsonValue(new Map(masked));
}
