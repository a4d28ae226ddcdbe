/** Checks the form of a log entry from outside, field by field. */
import { blockKinds } from '../../language/contract/block-kind.ts';
import { cellsProblem, commandCells } from './cells.ts';
import type {
  CommandEntry,
  InspectionEntry,
  LogEntry,
  SchemaChange,
  SchemaEntry,
  StoredEvent,
  TemplateInstance,
} from './entry.ts';
import { fieldProblem, listOf, objectText, oneOf, optional, record, text, wholeFrom } from './form-check.ts';
import type { Check, Checks } from './form-check.ts';

const whole = wholeFrom(0);
const instant: Check = (value) => typeof value === 'string' && /^-?\d{1,19}$/.test(value);

const event: Checks<StoredEvent> = {
  position: whole,
  id: text,
  type: text,
  version: whole,
  streamType: text,
  streamId: text,
  seq: whole,
  data: objectText,
};
const instance: Checks<TemplateInstance> = { name: text, parameters: text };
const change: Checks<SchemaChange> = {
  change: oneOf('put', 'drop'),
  block: oneOf(...blockKinds),
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
    cells: () => true, // `cellsProblem` gives the reason
  },
  schema: { kind: text, origin: oneOf('files', 'create'), changes: listOf(record(change)) },
  inspection: {
    kind: text,
    name: text,
    inspected: oneOf('Decision', 'Projection', 'Reaction'),
    block: text,
    input: text,
    fullSql: text,
  },
};

/** The reason why it is no log entry, undefined when it is one. */
export function checkEntry(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || !('kind' in value)) return 'it is no entry';
  if (!isKind(value.kind)) return `it is an entry of the kind ${JSON.stringify(value.kind)}, ${newer(kinds)}`;
  const fields = { ...numbered, ...kinds[value.kind] };
  const problem = fieldProblem(value, fields);
  if (problem !== undefined) {
    const { field, known } = problem;
    return known ? `'${field}' is not what it must be` : `it has the field '${field}', ${newer(fields)}`;
  }
  if (!('cells' in value)) return undefined;
  const wrong = cellsProblem(value.cells);
  if (wrong === undefined) return undefined;
  if (wrong.field === '') return "'cells' is not what it must be";
  return wrong.known
    ? `the cell '${wrong.field}' is not what it must be`
    : `it has the cell '${wrong.field}', ${newer(commandCells)}`;
}

function newer(known: object): string {
  return `which a newer schemac wrote; this version reads ${Object.keys(known).join(', ')}`;
}

function isKind(value: unknown): value is keyof Kinds {
  return typeof value === 'string' && Object.hasOwn(kinds, value);
}
