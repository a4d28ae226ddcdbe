import { ask, textOf } from './ask.ts';
import { reshapeFields, type Columns } from './column-types.ts';
import type { Connection } from './connection.ts';
import { parseExact, plainJson } from './json-rows.ts';
import type { CallOptions, Handed, HandedRow, NextOptions, Refusal, Subscribed } from './options.ts';
import { retried } from './retried.ts';

const facts = reshapeFields({ position: 'BIGINT', attempt: 'INT', late: 'BOOLEAN' }, plainJson);
/** Milliseconds beyond the wait for a row, in which the answer of `next` must come. */
const spare = 10_000;

/** The rows of a subscription, which consumers compete for. */
export function subscribed<Row>(connection: Connection, name: string, columns: Columns): Subscribed<Row> {
  const rowOf = reshapeFields(columns, plainJson);
  const post = (action: string, body: object, call: CallOptions): Promise<Readonly<Record<string, unknown>>> =>
    retried(connection, call, async () => {
      const answer = await ask(
        connection,
        {
          method: 'POST',
          path: `/api/subscriptions/${name}/${action}`,
          accept: 'application/json',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        },
        call,
      );
      return parseExact(await textOf(answer.chunks)) as Readonly<Record<string, unknown>>;
    });
  const handedOf = (lease: string, until: string, rows: readonly object[]): Handed<Row> => ({
    lease,
    until,
    // The generated module pairs the columns with the type `Row`.
    rows: rows.map((row) => ({ ...rowOf(row), ...facts(row) }) as HandedRow<Row>),
    ack: async (positions, call = {}) => {
      await post('ack', { lease, ...named(positions) }, call);
    },
    nack: async (refusal, positions, call = {}) => {
      await post('nack', { lease, ...named(positions), ...refused(refusal) }, call);
    },
    extend: async (seconds, call = {}) => {
      const { until: end } = await post('extend', { lease, lease_seconds: seconds }, call);
      return String(end);
    },
  });
  return {
    next: async (given: NextOptions = {}) => {
      const { max, waitSeconds = 20, leaseSeconds, ...call } = given;
      const body = { max, wait_seconds: waitSeconds, lease_seconds: leaseSeconds };
      const timeout = call.timeout ?? Math.max(connection.timeout, waitSeconds * 1000 + spare);
      const { lease, until, rows } = await post('next', body, { ...call, timeout });
      // the form is in the server's document
      return typeof lease === 'string' ? handedOf(lease, String(until), rows as readonly object[]) : undefined;
    },
  };
}

/** Positions have at most 16 digits: numbers have them exactly. */
function named(positions: readonly (number | bigint)[] | undefined): object {
  return positions === undefined ? {} : { positions: positions.map(Number) };
}

function refused({ reason, delaySeconds, park, stop }: Refusal): object {
  return { reason, delay_seconds: delaySeconds, park, stop };
}
