/** The acts of operators on subscriptions and reactions alike, and their view of both. */
import type { Position, Subscriptions } from '../../runtime/delivery/hand-out/subscriptions.ts';
import type { Deliveries } from '../../runtime/delivery/deliveries.ts';
import { Refused } from '../../runtime/delivery/refused.ts';
import { standingTable } from '../../runtime/delivery/standing.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { raw } from '../../runtime/engine/raw.ts';
import { mayKnow } from './rights.ts';
import type { Reader } from './read/reader.ts';
import { shownTable, type Shown } from './shown.ts';

/** A block that has deliveries. */
export type Kind = 'subscription' | 'reaction';

/** A wish of one caller about the deliveries of a server. */
export interface Wish extends Pick<Reader, 'domain' | 'caller'> {
  readonly options: Pick<Reader['options'], 'engine'>;
  readonly deliveries: Deliveries;
}

/** Positions are stored outside the log, so a server that only reads has none. */
export function served({ subscriptions }: Deliveries): Subscriptions {
  if (subscriptions !== undefined) return subscriptions;
  const problem = 'this server only reads, and handing out rows writes positions';
  throw new Refused('not served', `${problem}; ask another server of the log`);
}

/** Progress of the blocks that are asked for, as far as the caller may know it. */
export async function standing(
  { domain, caller, deliveries }: Wish,
  kind: Kind,
  isAsked: (name: string) => boolean,
): Promise<Shown<Table>> {
  if (kind === 'subscription') served(deliveries);
  const relation = `meta_${kind}s` as const;
  const found = await deliveries.standings(relation, (name) => isAsked(name) && mayKnow(caller, relation, name));
  return shownTable(raw(standingTable(relation, found, domain.subscriptions)), caller);
}

export async function pause({ options, caller, deliveries }: Wish, kind: Kind, name: string): Promise<'stopped'> {
  if (kind === 'subscription') await served(deliveries).stop(name, 'paused');
  else await options.engine.reactions.pause(name, caller.subject);
  return 'stopped';
}

/** Starts it again, perhaps behind another position. If this server answers no reactions, other servers of the log do. */
export async function start(
  { options, caller, deliveries }: Wish,
  kind: Kind,
  name: string,
  position?: Position,
): Promise<'running' | 'stopped'> {
  const { reactions, store } = options.engine;
  if (kind === 'subscription') {
    await served(deliveries).start(name, position);
    return 'running';
  }
  const behind = position === 'end' ? (await store.turns.fresh()).event : position;
  await reactions.start(name, behind, caller.subject);
  return reactions.runs === 'never' ? 'stopped' : 'running';
}
