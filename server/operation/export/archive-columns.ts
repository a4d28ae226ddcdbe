/** The columns of an aggregate's events in an archive (docs/archive.md#columns). */
import type { Column } from '../../../language/contract/query.ts';
import type { AggregateTable } from '../../../language/contract/read-model.ts';
import { payloadColumnNames, type AggregateDefinition } from '../../../language/contract/relation.ts';
import type { Type } from '../../../language/values/type.ts';

export interface ArchiveColumn extends Column {
  /** The field that a payload column shows. */
  readonly field?: string;
}

/** The columns of `X$Events` that an archive has, in its order; the others repeat one of these. */
const eventColumnNames = [
  'event_id',
  'stream_type',
  'stream_id',
  'seq',
  'event_type',
  'occurred_at',
  'global_position',
  'event_version',
  'stored_type',
  'tags',
  'command_id',
  'correlation_id',
  'causation_id',
] as const;

/** The partition folders are named `month=…`, and readers take that as a column. */
const folderColumn = 'month';

/**
 * The columns of events, then one for each stored payload field. A field whose name, regardless of case, is taken by a column of `X$Events`
 * or by the folders gets `data_` before it, until it is free.
 */
export function archiveColumns(
  { eventColumns }: Pick<AggregateDefinition, 'eventColumns'>,
  table: AggregateTable,
): readonly ArchiveColumn[] {
  const found = eventColumnNames.map((name) => {
    const column = eventColumns.find((candidate) => candidate.name === name);
    if (column === undefined) throw new Error(`events have no column ${name}`);
    const { type, nullable, sensitive } = column;
    return { name, type, nullable, sensitive };
  });
  const marked = sensitiveFields(eventColumns);
  const names = payloadColumnNames(
    table.payload.map(({ name }) => name),
    [folderColumn, ...eventColumns.map(({ name }) => name)],
  );
  const fields = table.payload.flatMap((field, place): readonly ArchiveColumn[] => {
    const stored = storedTypes(table, field.name);
    if (stored.length === 0) return [];
    return [
      {
        name: names[place] ?? field.name,
        type: wideEnough(field.type, stored),
        nullable: true,
        sensitive: marked.has(lowerName(field)),
        field: field.name,
      },
    ];
  });
  return [...found, ...fields];
}

function lowerName({ name }: { readonly name: string }): string {
  return name.toLowerCase();
}

function sensitiveFields(eventColumns: readonly Column[]): ReadonlySet<string> {
  const payload = eventColumns.find(({ name }) => name === 'data')?.type;
  const fields = payload?.kind === 'STRUCT' ? payload.fields : [];
  return new Set(fields.filter(({ sensitive }) => sensitive === true).map(lowerName));
}

/** The types of a payload field in the events that store it; VOLATILE fields are never stored. */
function storedTypes({ events }: AggregateTable, field: string): readonly Type[] {
  const wanted = field.toLowerCase();
  return events.flatMap(({ fields }) =>
    fields.filter((one) => !one.volatile && lowerName(one) === wanted).map(({ type }) => type),
  );
}

const digits = { INT: 10, BIGINT: 19 } as const;

/** The common type of a BIGINT and a DECIMAL(18,4) has too few digits for a BIGINT in the language; a file has room for them. */
function wideEnough(type: Type, stored: readonly Type[]): Type {
  if (type.kind !== 'DECIMAL') return type;
  const whole = stored.map((one) => {
    if (one.kind === 'DECIMAL') return one.precision - one.scale;
    return one.kind === 'INT' || one.kind === 'BIGINT' ? digits[one.kind] : 0;
  });
  const precision = Math.max(type.precision, ...whole.map((count) => count + type.scale));
  return precision === type.precision ? type : { ...type, precision };
}
