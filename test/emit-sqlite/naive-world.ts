import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import { createMetaTables } from '../../compiler/emit/project/meta.ts';
import { fromPayload } from '../../language/values/payload.ts';
import type { Value } from '../../language/values/type.ts';
import type { Row, World } from '../kit/naive/world.ts';
import { eventStart, minute, type History, type StoredEvent } from './database.ts';

/** The rows that the read model of this history has, for the naive evaluator. */
export function naiveWorld(catalog: Catalog, history: History, given: Partial<World> = {}): World {
  let position = 0;
  const events = catalog.blocks.aggregate.map((block) => {
    const heads = new Map<string, number>();
    const rows = (history[block.name] ?? []).map((stored): Row => {
      const seq = (heads.get(stored.stream) ?? 0) + 1;
      heads.set(stored.stream, seq);
      position += 1;
      const payload = block.payload.map(({ name, type }): [string, Value] => [
        `data.${name.toLowerCase()}`,
        fromPayload(stored.data[name], type),
      ]);
      return new Map([...envelope(catalog, block.name, stored, position, seq), ...payload]);
    });
    return [block.name, rows] as const;
  });
  const meta = createMetaTables(catalog).map(({ name, columns, rows }) => {
    const named = rows.map((row): Row => new Map(columns.map((column, index) => [column.name, row[index] ?? null])));
    return [name, named] as const;
  });
  return { catalog, events: new Map(events), tables: new Map(meta), arguments: new Map(), now: eventStart, ...given };
}

function envelope(
  catalog: Catalog,
  aggregate: string,
  stored: StoredEvent,
  position: number,
  seq: number,
): [string, Value][] {
  const at = eventStart + BigInt(position - 1) * minute;
  const fields = findBlock(catalog, 'event', stored.type)?.fields ?? [];
  const tags = fields.flatMap(({ name, tag }) => {
    const value = stored.data[name];
    return tag && typeof value === 'string' ? [`${name}:${value.toLowerCase()}`] : [];
  });
  return [
    ['event_id', `id-${position}`],
    ['stream_type', aggregate],
    ['stream_id', stored.stream],
    ['aggregate_id', stored.stream],
    ['seq', BigInt(seq)],
    ['event_type', stored.type],
    ['occurred_at', at],
    ['timestamp', at],
    ['global_position', BigInt(position)],
    ['event_version', 1],
    ['tags', tags],
    ['stored_type', stored.type],
    ['data', new Map(fields.map(({ name, type }) => [name, fromPayload(stored.data[name], type)]))],
  ];
}
