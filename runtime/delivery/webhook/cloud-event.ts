import type { SubscriptionDefinition } from '../../../language/contract/subscription.ts';
import { writeJson } from '../../../language/values/json-write.ts';
import { maskTable } from '../../engine/mask.ts';
import type { DeliveredRow } from '../hand-out/delivered-row.ts';

export interface MessageOptions {
  /** The `source`; `/schemac/<name of the subscription>` if absent. */
  readonly source?: string | undefined;
  /** The message is a trial, which its receiver does not take for the row. */
  readonly test?: boolean;
}

/** A message for one row: its id, which is the same for each attempt, and the bytes that are signed and sent. */
export interface Message {
  readonly id: string;
  readonly body: Uint8Array;
}

/** A CloudEvents 1.0 message in structured mode. Sensitive values are masked: a receiver has no rights. */
export function messageOf(
  { name, columns }: Pick<SubscriptionDefinition, 'name' | 'columns'>,
  row: DeliveredRow,
  { source = `/schemac/${name}`, test = false }: MessageOptions,
): Message {
  // A full stop would end the id within the signed text.
  const id = `evt_${row.event}_${name}${test ? '_test' : ''}`;
  const { rows } = maskTable({ columns, rows: [row.values] });
  const data = columns.map(
    (column, at) => `${JSON.stringify(column.name)}:${writeJson(rows[0]?.[at] ?? null, column.type)}`,
  );
  const attributes = {
    specversion: '1.0',
    id,
    source,
    type: row.type,
    subject: row.stream,
    datacontenttype: 'application/json',
    sequence: String(row.position),
    ...(row.key === null ? {} : { partitionkey: row.key }),
    ...(test ? { test: true } : {}),
  };
  const head = JSON.stringify(attributes).slice(0, -1);
  const text = `${head},"time":${writeJson(row.at, { kind: 'TIMESTAMP' })},"data":{${data.join(',')}}}`;
  return { id, body: Buffer.from(text) };
}
