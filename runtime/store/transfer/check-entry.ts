/** The form of a log entry that comes from outside, field by field. */
import type {
  CommandEntry,
  InspectionEntry,
  LogEntry,
  SchemaChange,
  SchemaEntry,
  StoredEvent,
  TemplateInstance,
} from '../entry.ts';

type Check = (value: unknown) => boolean;
/** A check for each field of a form, so that one that is added there cannot be forgotten here. */
type Checks<T> = { readonly [Field in keyof Required<T>]: Check };

const text: Check = (value) => typeof value === 'string';
const whole: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const instant: Check = (value) => typeof value === 'string' && /^-?\d{1,19}$/.test(value);
const oneOf =
  (...known: readonly string[]): Check =>
  (value) =>
    typeof value === 'string' && known.includes(value);
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);
const record =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value) =>
    problemOf(value, fields) === undefined;

/** A payload: one JSON object, on one line, as `encode` writes it. */
const payload: Check = (value) => {
  if (typeof value !== 'string' || /[\t\n\r]/.test(value)) return false;
  try {
    const parsed: unknown = JSON.parse(value);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed);
  } catch {
    return false;
  }
};

const event: Checks<StoredEvent> = {
  position: whole,
  id: text,
  type: text,
  version: whole,
  streamType: text,
  streamId: text,
  seq: whole,
  data: payload,
};
const instance: Checks<TemplateInstance> = { name: text, parameters: text };
const change: Checks<SchemaChange> = {
  change: oneOf('put', 'drop'),
  block: oneOf('aggregate', 'command', 'event', 'decision', 'projection', 'eventstore', 'template'),
  name: text,
  text: optional(text),
  template: optional(text),
  instance: optional(text),
  instances: optional(listOf(record(instance))),
};
interface Kinds {
  readonly command: Checks<CommandEntry>;
  readonly schema: Checks<SchemaEntry>;
  readonly inspection: Checks<InspectionEntry>;
}
const numbered: Checks<Pick<LogEntry, 'number' | 'at'>> = { number: whole, at: instant };
const kinds: Kinds = {
  command: {
    kind: text,
    command: text,
    streamType: text,
    streamId: text,
    events: listOf(record(event)),
    commandId: optional(text),
    fingerprint: optional(text),
    rejection: optional(text),
    correlationId: optional(text),
    causationId: optional(text),
  },
  schema: { kind: text, origin: oneOf('files', 'create'), changes: listOf(record(change)) },
  inspection: {
    kind: text,
    name: text,
    inspected: oneOf('Decision', 'Projection'),
    block: text,
    input: text,
    fullSql: text,
  },
};

/** What is wrong with it, undefined when it is a log entry. */
export function checkEntry(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return 'it is no entry';
  if (!isKind(value.kind)) return 'it is an entry of an unknown kind';
  return problemOf(value, { ...numbered, ...kinds[value.kind] });
}

function isKind(value: unknown): value is keyof Kinds {
  return typeof value === 'string' && Object.hasOwn(kinds, value);
}

function problemOf(value: unknown, fields: Readonly<Record<string, Check>>): string | undefined {
  if (typeof value !== 'object' || value === null) return 'it is no object';
  const given = new Map<string, unknown>(Object.entries(value));
  for (const [name, check] of Object.entries(fields)) {
    if (!check(given.get(name))) return `'${name}' is not what it must be`;
  }
  const strange = [...given.keys()].find((name) => !Object.hasOwn(fields, name));
  return strange === undefined ? undefined : `'${strange}' is unknown`;
}
