/**
 * The relation `X$Commands` (docs/language.md#recorded-commands): the commands of an aggregate that the log recorded. It is read from the
 * log when a query names it.
 */
import { commonType, type Catalog, type DecisionBlock } from '../../compiler/index.ts';
import { type Column, columnsOf } from '../../language/contract/query.ts';
import { fromPayload } from '../../language/values/payload.ts';
import { hasTextMask, textMask } from '../../language/values/mask.ts';
import type { StructField, Type, Value } from '../../language/values/type.ts';
import { readCaller } from '../../runtime/engine/recording.ts';
import type { CommandEntry, LogEntry } from '../../runtime/store/entry.ts';
import type { Row, Entries } from '../../runtime/store/store.ts';
import { readRecordedMarks, type RecordedMarks } from './from-log/recorded-marks.ts';

const json: Type = { kind: 'JSON' };

/** The decisions of an aggregate's commands. */
function decisionsOf(catalog: Catalog, aggregate: string): readonly DecisionBlock[] {
  return catalog.blocks.decision.filter((decision) => decision.aggregate === aggregate);
}

/** Makes a member for all arguments of a name, sensitive if one of them is; without a common type it is JSON. */
function argumentFields(catalog: Catalog, aggregate: string): readonly StructField[] {
  const decided = new Set(decisionsOf(catalog, aggregate).map(({ command }) => command));
  const found = new Map<string, StructField>();
  for (const { name: command, fields } of catalog.blocks.command) {
    if (!decided.has(command)) continue;
    for (const { name, type, sensitive } of fields) {
      const before = found.get(name.toLowerCase());
      const marked = sensitive || before?.sensitive === true;
      const shared = before === undefined ? type : (commonType([before.type, type]) ?? json);
      found.set(name.toLowerCase(), {
        name: before?.name ?? name,
        type: shared,
        ...(marked ? { sensitive: true as const } : {}),
      });
    }
  }
  return [...found.values()];
}

/** All columns of `X$Commands`, the hidden ones last. */
export function commandColumns(catalog: Catalog, aggregate: string): readonly Column[] {
  const fields = argumentFields(catalog, aggregate);
  return [
    ...columnsOf('entry:BIGINT at:TIMESTAMP command decision? stream_id outcome'),
    { name: 'data', type: { kind: 'STRUCT', fields }, nullable: true, sensitive: false },
    ...columnsOf('events:BIGINT[] branches:STRING[] rejection? subject? command_id? correlation_id? causation_id?'),
    ...columnsOf(
      'registry_version:BIGINT defaulted:STRING[]~ withheld:STRING[]~ unrecorded:BIGINT~ arguments:JSON?~ caller:JSON?~',
    ),
  ];
}

const pageRows = 1000;

/** Its rows from an entry on, in the order of the log, page by page, with all columns. */
export async function* commandRows(
  log: Pick<Entries, 'schema' | 'read'>,
  catalog: Catalog,
  aggregate: string,
  from = 1,
): AsyncGenerator<readonly Row[], void, undefined> {
  const fields = argumentFields(catalog, aggregate);
  const decisions = new Map(decisionsOf(catalog, aggregate).map((decision) => [decision.command, decision]));
  const masked = createArgumentMask(log, catalog);
  const ownFields = new Map(catalog.blocks.command.map((command) => [command.name, namesOf(command.fields)]));
  let changes = log.schema().filter(({ number }) => number < from).length;
  let page: Row[] = [];
  for await (const entry of log.read(from)) {
    if (entry.kind === 'schema') changes += 1;
    if (entry.kind !== 'command' || entry.streamType !== aggregate || !isRecorded(entry)) continue;
    const version = entry.cells?.registry ?? changes;
    const hides = (field: string): boolean => masked({ block: 'command', name: entry.command, field }, version);
    const hidesClaim = (field: string): boolean => masked({ block: 'claim', name: field, field }, version);
    const own = ownFields.get(entry.command) ?? new Set<string>();
    page.push([
      ...rowOf(entry, { fields, own }, decisions.get(entry.command), changes, hides),
      argumentsOf(entry, hides),
      callerOf(entry, hidesClaim),
    ]);
    if (page.length < pageRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

function namesOf(fields: readonly { readonly name: string }[]): ReadonlySet<string> {
  return new Set(fields.map(({ name }) => name.toLowerCase()));
}

/** The members of `data`, and the names of those that the row's command has, in lower case. */
interface Members {
  readonly fields: readonly StructField[];
  readonly own: ReadonlySet<string>;
}

/**
 * Whether the value of an argument or a claim is not shown: it is SENSITIVE today, or was when it was recorded. The value of an argument that
 * the command no longer has, or of a claim that is no longer there, and whose definition the log does not have either, is not shown if the event store keeps SENSITIVE ones.
 */
function createArgumentMask(
  log: Pick<Entries, 'schema'>,
  { blocks }: Catalog,
): (...of: Parameters<RecordedMarks>) => boolean {
  const keepsSensitive = blocks.eventstore.some(({ options }) =>
    options.some(({ key, value }) => key.toLowerCase() === 'envelope.sensitive_arguments' && value === true),
  );
  const today = {
    command: new Map(
      blocks.command.map(({ name, fields }) => [
        name,
        new Map(fields.map((field) => [field.name.toLowerCase(), field.sensitive])),
      ]),
    ),
    claim: new Map(blocks.claim.map(({ name, sensitive }) => [name, new Map([[name.toLowerCase(), sensitive]])])),
  };
  const then = readRecordedMarks(log);
  return (of, changes) => {
    const now = today[of.block].get(of.name)?.get(of.field.toLowerCase());
    return now === true || (then(of, changes) ?? now ?? keepsSensitive);
  };
}

/** The arguments as they were recorded, also those that the command of today does not have or takes in another type. */
function argumentsOf({ cells }: CommandEntry, hides: (name: string) => boolean): Value {
  if (cells?.arguments === undefined) return null;
  const recorded = Object.entries(JSON.parse(cells.arguments) as Readonly<Record<string, unknown>>);
  const shown = recorded.map(([name, value]): readonly [string, unknown] => [
    name,
    value !== null && hides(name) ? textMask : value,
  ]);
  const withheld = (cells.withheld ?? []).map((name): readonly [string, unknown] => [name, textMask]);
  return JSON.stringify(Object.fromEntries([...shown, ...withheld]));
}

/** All roles of the caller, and the claims that were read, with masks in place of values that are not shown or were not kept. */
function callerOf({ cells }: CommandEntry, hides: (claim: string) => boolean): Value {
  if (cells?.caller === undefined) return null;
  const { roles, claims, withheld } = readCaller(cells.caller);
  const masked = (name: string): readonly [string, unknown] => [name, textMask];
  const shown = Object.entries(claims).map(([name, value]) =>
    value !== null && hides(name) ? masked(name) : ([name, value] as const),
  );
  const all = [...shown, ...withheld.map(masked)].sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ roles, claims: Object.fromEntries(all) });
}

/** Events that were imported or appended without a command's record are no commands with recorded facts. */
function isRecorded(entry: CommandEntry): boolean {
  return entry.commandId !== undefined || entry.cells !== undefined;
}

function rowOf(
  entry: CommandEntry & LogEntry,
  members: Members,
  decision: DecisionBlock | undefined,
  changes: number,
  hides: (name: string) => boolean,
): Row {
  const { cells = {} } = entry;
  const branches = (cells.branches ?? []).map((index) => decision?.branches[index - 1]?.id ?? null);
  return [
    BigInt(entry.number),
    BigInt(entry.at),
    entry.command,
    decision?.name ?? null,
    entry.streamId,
    outcomeOf(entry),
    dataOf(cells, members, hides),
    entry.events.map(({ position }) => BigInt(position)),
    branches,
    entry.rejection ?? cells.failure ?? null,
    cells.subject ?? null,
    entry.commandId ?? null,
    entry.correlationId ?? null,
    entry.causationId ?? null,
    BigInt(cells.registry ?? changes),
    cells.defaulted ?? [],
    cells.withheld ?? [],
    BigInt(cells.unrecorded ?? 0),
  ];
}

function outcomeOf({ rejection, cells }: CommandEntry): string {
  if (cells?.failure !== undefined) return 'failed';
  return rejection === undefined ? 'emitted' : 'rejected';
}

/**
 * The recorded arguments in the fields of today, without those of other commands; what no longer fits is NULL, and what was not kept shows that there
 * was something, as does what was recorded as SENSITIVE in a field that is no longer.
 */
function dataOf(
  cells: NonNullable<CommandEntry['cells']>,
  { fields, own }: Members,
  hides: (name: string) => boolean,
): Value {
  if (cells.arguments === undefined) return null;
  const kept = new Map(
    Object.entries(JSON.parse(cells.arguments) as Readonly<Record<string, unknown>>).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const withheld = new Set(cells.withheld?.map((name) => name.toLowerCase()));
  return new Map(
    fields.flatMap(({ name, type, sensitive }): [string, Value][] => {
      const key = name.toLowerCase();
      if (!own.has(key) && !kept.has(key) && !withheld.has(key)) return [];
      const isHidden = (kept.get(key) ?? null) !== null && sensitive !== true && hides(name);
      if (isHidden || withheld.has(key)) return [[name, hasTextMask(type) ? textMask : null]];
      return [[name, fitting(kept.get(key), type)]];
    }),
  );
}

function fitting(stored: unknown, type: Type): Value {
  if (stored === undefined || stored === null) return null;
  if (type.kind === 'JSON' && typeof stored !== 'string') return JSON.stringify(stored);
  try {
    return fromPayload(stored, type);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
