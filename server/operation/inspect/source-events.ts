import { scalarText } from '../../../language/values/scalar-text.ts';
import type { Value } from '../../../language/values/type.ts';
import type { Handlers } from '../../../runtime/engine/handlers.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { InspectedSource } from '../../../runtime/delivery/reaction/inspect-reaction.ts';
import type { Row } from '../../../runtime/store/store.ts';

/**
 * Reads rows with the columns of `X$Events`, page by page, as events. Rows without positions are numbered, and those
 * without an event (rejections of an inspection) are left out.
 */
export function createSourceEvents(handlers: Handlers): (page: Table) => readonly InspectedSource[] {
  let count = 0n;
  return ({ columns, rows }) => {
    const place = (name: string): number => columns.findIndex((column) => column.name.toLowerCase() === name);
    const at = {
      id: place('event_id'),
      streamType: place('stream_type'),
      streamId: place('stream_id'),
      seq: place('seq'),
      type: place('event_type'),
      occurred: place('occurred_at'),
      position: place('global_position'),
      correlation: place('correlation_id'),
      data: place('data'),
    };
    const struct = columns[at.data]?.type;
    const stored = struct?.kind === 'STRUCT' ? struct.fields : [];
    const cell = (row: Row, index: number): Value => row[index] ?? null;
    const sourceOf = (row: Row): InspectedSource | undefined => {
      count += 1n;
      const type = scalarText(cell(row, at.type));
      const definition = handlers.event(type);
      const seq = cell(row, at.seq);
      const occurred = cell(row, at.occurred);
      if (definition === undefined || typeof seq !== 'bigint' || typeof occurred !== 'bigint') return undefined;
      const data = cell(row, at.data);
      const position = cell(row, at.position);
      const correlation = cell(row, at.correlation);
      // A column has the fields of all events of the aggregate.
      const own = new Set(definition.fields.map(({ name }) => name.toLowerCase()));
      return {
        streamType: scalarText(cell(row, at.streamType)),
        facts: {
          stream_id: scalarText(cell(row, at.streamId)),
          event_id: scalarText(cell(row, at.id)),
          event_type: type,
          seq,
          occurred_at: occurred,
          global_position: typeof position === 'bigint' ? position : count,
          correlation_id: typeof correlation === 'string' ? correlation : null,
        },
        fields: stored
          .filter(({ name }) => own.has(name.toLowerCase()))
          .map(({ name, type: as }) => ({
            name,
            type: as,
            value: data instanceof Map ? ((data as ReadonlyMap<string, Value>).get(name) ?? null) : null,
          })),
      };
    };
    return rows.map(sourceOf).filter((source) => source !== undefined);
  };
}
