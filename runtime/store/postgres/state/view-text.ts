/** The text of a view `"X$Events"` of a log's events, for programs that read the database. */
import { createHash } from 'node:crypto';
import { payloadColumnNames } from '../../../../language/contract/relation.ts';
import type { Type } from '../../../../language/values/type.ts';
import type { EventView, FieldSource, ReadShape, ViewField } from './event-view.ts';

export interface ViewText {
  readonly name: string;
  /** Names and types of the columns, in order: a view can be replaced by one that only has more of them. */
  readonly columns: readonly string[];
  /** After `CREATE VIEW … AS`. */
  readonly query: string;
  readonly comment: string;
}

const eventColumns = [
  ['global_position', 'bigint'],
  ['event_id', 'text'],
  ['stream_type', 'text'],
  ['stream_id', 'text'],
  ['seq', 'bigint'],
  ['event_type', 'text'],
  ['stored_type', 'text'],
  ['event_version', 'integer'],
  ['occurred_at', 'timestamptz'],
  ['upcast', 'boolean'],
] as const;

/** `namespace` is a checked name (`namespace.ts`). */
export function viewText(namespace: string, { aggregate, shapes, fields }: EventView): ViewText {
  const names = payloadColumnNames(
    fields.map(({ name }) => name),
    eventColumns.map(([name]) => name),
  );
  const computed = shapes.filter(({ isComputed }) => isComputed);
  const payload = fields.map((field, place) => `${fieldText(field)} AS "${names[place] ?? field.name}"`);
  const head = eventColumns.map(([name]) => {
    if (name === 'event_type') return `${presentType(shapes)} AS event_type`;
    if (name === 'stored_type') return 'event_type AS stored_type';
    if (name === 'upcast') return `${computed.map(isOfShape).join(' OR ') || 'false'} AS upcast`;
    return name;
  });
  return {
    name: viewName(aggregate),
    columns: [
      ...eventColumns.map((column) => column.join(' ')),
      ...fields.map(({ type }, place) => `${names[place] ?? ''} ${databaseType(type)}`),
    ],
    query: `SELECT\n  ${[...head, ...payload].join(',\n  ')}\nFROM "${namespace}".event WHERE stream_type = ${literal(aggregate)}`,
    comment: `The events of the aggregate ${aggregate}. SENSITIVE fields are NULL; so are those that an UPCAST clause computes, where upcast is true. Made by schemac, which replaces it with the schema.`,
  };
}

/** A longer name would be cut, and two aggregates could have one view. Names of aggregates are plain ASCII. */
export function viewName(aggregate: string): string {
  const name = `${aggregate}$Events`;
  if (Buffer.byteLength(name) <= 63) return name;
  return `${aggregate.slice(0, 46)}_${createHash('sha256').update(aggregate).digest('hex').slice(0, 8)}$Events`;
}

function presentType(shapes: readonly ReadShape[]): string {
  const others = shapes.filter(({ stored, event }) => stored !== event);
  if (others.length === 0) return 'event_type';
  return `CASE ${others.map((shape) => `WHEN ${isOfShape(shape)} THEN ${literal(shape.event)}`).join(' ')} ELSE event_type END`;
}

function isOfShape({ stored, versions }: ReadShape): string {
  return isStored({ stored, versions: { only: versions } });
}

function isStored({ stored, versions }: Pick<FieldSource, 'stored' | 'versions'>): string {
  const [word, list] = 'only' in versions ? ['IN', versions.only] : ['NOT IN', versions.except];
  const type = `event_type = ${literal(stored)}`;
  return list.length === 0 ? type : `(${type} AND event_version ${word} (${list.join(', ')}))`;
}

/** The payload form of a value (`language/values/type.ts`) as one of the database. */
function fieldText({ type, sensitive, sources }: ViewField): string {
  const wanted = databaseType(type);
  if (sensitive || sources.length === 0) return `NULL::${wanted}`;
  const isWhole = type.kind === 'LIST' || type.kind === 'STRUCT';
  const byText = new Map<string, string[]>();
  for (const source of sources) {
    const text = keyText(source, isWhole);
    byText.set(text, [...(byText.get(text) ?? []), isStored(source)]);
  }
  const cases = [...byText].map(([text, stored]) => `WHEN ${stored.join(' OR ')} THEN ${text}`);
  const found = `CASE ${cases.join(' ')} END`;
  return isWhole ? found : `(${found})::${wanted}`;
}

function keyText({ key, isRespelled }: FieldSource, isWhole: boolean): string {
  const [arrow, each] = isWhole ? ['->', 'json_each'] : ['->>', 'json_each_text'];
  const exact = `data${arrow}${literal(key)}`;
  if (!isRespelled) return exact;
  return `coalesce(${exact}, (SELECT value FROM ${each}(data) WHERE lower(key) = ${literal(key.toLowerCase())} LIMIT 1))`;
}

/** Without lengths and precisions: a stored value of another event may be longer, and would make the whole view fail. */
function databaseType({ kind }: Type): string {
  switch (kind) {
    case 'INT':
    case 'BIGINT':
      return 'bigint';
    case 'DECIMAL':
      return 'numeric';
    case 'DOUBLE':
      return 'double precision';
    case 'BOOLEAN':
      return 'boolean';
    case 'TIMESTAMP':
      return 'timestamptz';
    case 'DATE':
      return 'date';
    case 'UUID':
      return 'uuid';
    case 'JSON':
    case 'LIST':
    case 'STRUCT':
      return 'json';
    case 'STRING':
    case 'INTERVAL':
    case 'WALL':
    case 'NULL':
      return 'text';
  }
}

function literal(text: string): string {
  return text.includes('\\')
    ? `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    : `'${text.replaceAll("'", "''")}'`;
}
