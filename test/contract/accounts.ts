/** A small registry as data, and entries of it, for the test suites of stores. */
import type { Column, CompiledQuery } from '../../language/contract/query.ts';
import type { AggregateTable, ReadModelDefinition } from '../../language/contract/read-model.ts';
import type { CommandEntry, LogEntry, StoredEvent } from '../../runtime/store/entry.ts';
import type { QueryOptions, Row, Store, Turn } from '../../runtime/store/store.ts';
import type { Type } from '../../language/values/type.ts';

export const text: Type = { kind: 'STRING' };
export const bigint: Type = { kind: 'BIGINT' };
export const int: Type = { kind: 'INT' };
export const money: Type = { kind: 'DECIMAL', precision: 12, scale: 2 };

type Field = AggregateTable['events'][number]['fields'][number];

export function field(name: string, type: Type, mark?: 'tag' | 'volatile'): Field {
  return { name, type, tag: mark === 'tag', volatile: mark === 'volatile' };
}

/** `events`: fields of each event. The payload columns are the union of all, the widest type of each. */
export function aggregate(
  name: string,
  events: Readonly<Record<string, readonly Field[]>>,
  payload?: AggregateTable['payload'],
): AggregateTable {
  const columns = new Map(
    Object.values(events)
      .flat()
      .map((one) => [one.name, { name: one.name, type: one.type }]),
  );
  return {
    aggregate: name,
    payload: payload ?? [...columns.values()],
    events: Object.entries(events).map(([event, fields]) => ({ name: event, fields })),
  };
}

export const account = aggregate('Account', {
  Opened: [field('owner', text, 'tag'), field('secret', text, 'volatile')],
  Deposited: [field('amount', money), field('balance', money)],
});

export const accounts: ReadModelDefinition = {
  aggregates: [account],
  meta: [{ name: 'meta_aggregates', columns: [{ name: 'name', type: text }], rows: [['Account']] }],
  sqlite: {
    views: [
      {
        name: 'a$Account',
        sql: 'SELECT stream_id AS aggregate_id, MAX("d$balance") AS balance FROM "e$Account" GROUP BY stream_id',
      },
    ],
  },
};

export const none: ReadModelDefinition = { aggregates: [], meta: [], sqlite: { views: [] } };

export function column(name: string, type: Type): Column {
  return { name, type, nullable: true, sensitive: false };
}

export function query(
  sql: string,
  columns: readonly Column[],
  parameters: CompiledQuery['parameters'] = [],
): CompiledQuery {
  return { columns, parameters, reads: [], sqlite: { sql } };
}

export const eventCount = query('SELECT COUNT(*) FROM "e$Account"', [column('count', bigint)]);
export const balances = query('SELECT aggregate_id, balance FROM "a$Account" ORDER BY aggregate_id', [
  column('aggregate_id', text),
  column('balance', money),
]);

export interface Deposit {
  readonly to: string;
  readonly amount?: string;
  readonly commandId?: string;
}

/** The events of one deposit, with the positions that the turn gives. */
export async function deposit(turn: Turn, { to, amount = '1.00', commandId }: Deposit): Promise<LogEntry> {
  return turn.append(
    await command(turn, 'Deposit', to, [['Deposited', { amount, balance: amount }]], commandId),
    1_700_000_000_000_000n,
  );
}

/** An entry of one stream with these events next. */
export async function command(
  turn: Turn,
  name: string,
  streamId: string,
  payloads: readonly (readonly [type: string, payload: object])[],
  commandId?: string,
  streamType = 'Account',
): Promise<CommandEntry> {
  const head = await turn.head(streamType, streamId);
  const position = turn.nextPosition();
  const events = payloads.map(([type, payload], index): StoredEvent => ({
    position: position + index,
    id: `id-${position + index}`,
    type,
    version: 1,
    streamType,
    streamId,
    seq: head + 1 + index,
    data: JSON.stringify(payload),
  }));
  return {
    kind: 'command',
    command: name,
    streamType,
    streamId,
    events,
    ...(commandId !== undefined && { commandId, fingerprint: `f-${commandId}` }),
  };
}

export async function count(store: Store, options?: QueryOptions): Promise<bigint> {
  const rows: readonly Row[] = await store.tables.query(eventCount, [], options);
  return rows[0]?.[0] as bigint; // COUNT is one row of one BIGINT
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
