import { deliveredFacts, type SubscriptionDefinition } from '../../../language/contract/subscription.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { failures } from '../../../language/failure/catalogue.ts';
import type { Engine } from '../../engine/engine.ts';
import { unmasked } from '../../engine/unmasked.ts';
import type { Row } from '../../store/store.ts';

/** A row of a subscription with the facts of its event. */
export interface DeliveredRow {
  readonly position: number;
  readonly event: string;
  readonly type: string;
  readonly stream: string;
  /** µs since 1970. */
  readonly at: bigint;
  readonly key: string | null;
  /** The row's own columns, unmasked. */
  readonly values: Row;
}

/** An event whose row cannot be computed. */
export interface FaultyEvent {
  readonly position: number;
  readonly reason: string;
}

export interface DeliveredPage {
  readonly rows: readonly DeliveredRow[];
  readonly faulty: readonly FaultyEvent[];
  /** Every event up to here was looked at. */
  readonly through: number;
}

/** Limits of one reading, beyond which fewer events are read. */
const limits = { rows: 10_000, bytes: 8 * 1024 * 1024, milliseconds: 2000 } as const;

/**
 * The rows of the events after one position, up to another at most. An event whose row fails is left out and named, so that the others are
 * delivered. Fails with `Overtaken` when another registry is in force.
 */
export async function readRows(
  { query }: Pick<Engine, 'query'>,
  domain: Domain,
  subscription: SubscriptionDefinition,
  { after, until }: { readonly after: number; readonly until: number },
): Promise<DeliveredPage> {
  let last = until;
  for (;;) {
    try {
      const { rows } = unmasked(
        await query(subscription.query, [BigInt(after), BigInt(last)], {
          ...limits,
          compiledFor: domain.readModel,
        }),
      );
      return { rows: rows.map(rowOf), faulty: [], through: last };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      const { kind } = failures[error.code];
      if (kind !== 'schema' && kind !== 'budget') throw error;
      if (last > after + 1) last = after + Math.floor((last - after) / 2);
      // A reading that took too long says nothing about the event.
      else if (kind === 'budget') throw error;
      else return { rows: [], faulty: [{ position: last, reason: error.message }], through: last };
    }
  }
}

/** The row of the event at a position; undefined if the definition leaves it out, or if it fails. */
export async function readRow(
  engine: Pick<Engine, 'query'>,
  { domain, definition }: { readonly domain: Domain; readonly definition: SubscriptionDefinition },
  position: number,
): Promise<DeliveredRow | undefined> {
  const { rows } = await readRows(engine, domain, definition, { after: position - 1, until: position });
  return rows[0];
}

/** Events at the end of the log among which the last row is looked for. */
const lastEvents = [100, 20_000] as const;

/** The last row up to a position; undefined if no event shortly before it gives one. */
export async function readLastRow(
  engine: Pick<Engine, 'query'>,
  domain: Domain,
  subscription: SubscriptionDefinition,
  end: number,
): Promise<DeliveredRow | undefined> {
  for (const events of lastEvents) {
    let after = Math.max(0, end - events);
    let last: DeliveredRow | undefined;
    while (after < end) {
      const { rows, through } = await readRows(engine, domain, subscription, { after, until: end });
      last = rows.at(-1) ?? last;
      after = through;
    }
    if (last !== undefined || end <= events) return last;
  }
  return undefined;
}

const facts = deliveredFacts.length;

function rowOf(row: Row): DeliveredRow {
  const [position, event, type, stream, at, key] = row;
  return {
    position: Number(position),
    // Texts, by the types of these facts.
    event: event as string,
    type: type as string,
    stream: stream as string,
    at: at as bigint, // a TIMESTAMP
    key: typeof key === 'string' ? key : null,
    values: row.slice(facts + 1),
  };
}
