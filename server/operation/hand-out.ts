/** Rows of subscriptions for consumers that compete. */
import { columnsOf } from '../../language/contract/query.ts';
import type { HandedOut, NextRequest } from '../../runtime/delivery/hand-out/subscriptions.ts';
import { Refused } from '../../runtime/delivery/refused.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { raw } from '../../runtime/engine/raw.ts';
import { served, type Wish } from './operate.ts';
import { shownTable, type Shown } from './shown.ts';

/** The facts of each row before its columns. */
const handedFacts = columnsOf('position:BIGINT attempt:INT late:BOOLEAN');

export type Handed = Pick<HandedOut, 'lease' | 'until'> & { readonly table: Shown<Table> };

/** Hands out the next rows, and waits for the first. `whenGone` tells whether the consumer got its lease, which is given back untried if not. */
export async function next(
  { domain, caller, deliveries }: Wish,
  name: string,
  wanted: Omit<NextRequest, 'signal'>,
  whenGone: (then: (isSent: boolean) => void) => void,
): Promise<Handed> {
  const { webhook } = domain.subscriptions.find((each) => each.name === name) ?? {};
  // Rows that go to an address are not handed out to others as well.
  if (webhook !== undefined)
    throw new Refused('other delivery', `'${name}' is delivered to a webhook, so its rows are not handed out`);
  const subscriptions = served(deliveries);
  const gone = new AbortController();
  const taken: { lease?: string | undefined } = {};
  whenGone((isSent) => {
    gone.abort();
    if (isSent || taken.lease === undefined) return;
    subscriptions.giveBack(name, taken.lease).catch(() => undefined); // it runs out
  });
  const { definition, lease, until, rows } = await subscriptions.next(name, { ...wanted, signal: gone.signal });
  taken.lease = lease;
  const table = {
    columns: [...handedFacts, ...definition.columns],
    rows: rows.map(({ position, attempt, late, values }) => [BigInt(position), attempt, late, ...values]),
  };
  return { lease, until, table: shownTable(raw(table), caller) };
}
