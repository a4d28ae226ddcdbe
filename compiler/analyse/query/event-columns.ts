/** Columns of event relations as queries name them (docs/language.md#aggregate). */
import { type Column, columnsOf } from '../../../language/contract/query.ts';
import type { AggregateBlock } from '../../../language/catalog/block.ts';
import type { ScopeColumn } from './scope.ts';

/** All columns of `X$Events` in order, the hidden ones last; `data` is a STRUCT of the payload, which carries its marks leaf by leaf. */
export function eventColumns(payload: readonly Column[]): readonly Column[] {
  const fields = payload.map(({ name, type, sensitive }) => ({
    name,
    type,
    ...(sensitive ? { sensitive: true as const } : {}),
  }));
  return [
    ...columnsOf('event_id stream_type stream_id seq:BIGINT event_type occurred_at:TIMESTAMP'),
    { name: 'data', type: { kind: 'STRUCT', fields }, nullable: true, sensitive: false },
    ...columnsOf('timestamp:TIMESTAMP~ global_position:BIGINT~ event_version:INT~ tags:STRING[]~ command_id?~'),
    ...columnsOf('correlation_id?~ causation_id?~ aggregate_id~ stored_type~'),
  ];
}

/** The columns of an event relation with its payload fields, hidden, as `data.<field>`. */
export function eventScopeColumns(block: AggregateBlock): readonly ScopeColumn[] {
  return [
    ...block.eventColumns,
    ...block.payload.map((field) => ({ ...field, name: `data.${field.name}`, hidden: true as const })),
  ];
}

/** A session's table; the fields of a recorded inspection's `data` can be named like those of events. */
export function tableScopeColumns(columns: readonly Column[]): readonly ScopeColumn[] {
  return columns.flatMap((outer): readonly ScopeColumn[] => {
    if (outer.type.kind !== 'STRUCT') return [outer];
    const leaves = outer.type.fields.map((field) => ({
      name: `${outer.name}.${field.name}`,
      type: field.type,
      nullable: true,
      sensitive: outer.sensitive || field.sensitive === true,
      hidden: true as const,
    }));
    return [outer, ...leaves];
  });
}

/** Whether the rows of a table are events: then it can replace an event relation, and its rows are in their order. */
export function isEventTable(columns: readonly Column[]): boolean {
  const has = (name: string): boolean => columns.some((candidate) => candidate.name === name);
  return (
    has('event_type') &&
    has('stream_id') &&
    columns.some((candidate) => candidate.name === 'data' && candidate.type.kind === 'STRUCT')
  );
}
