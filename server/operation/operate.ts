/** What operators see of subscriptions and reactions, and do about both alike. */
import type { Domain } from '../../language/contract/domain.ts';
import type { Position, Subscriptions } from '../../runtime/delivery/hand-out/subscriptions.ts';
import { Refused } from '../../runtime/delivery/refused.ts';
import { standingTable, type Standings } from '../../runtime/delivery/standing.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import { raw } from '../../runtime/engine/raw.ts';
import { mayKnow, type Caller } from './caller.ts';
import { shownTable, type Shown } from './shown.ts';

/** A block that has deliveries. */
export type Kind = 'subscription' | 'reaction';

/** The deliveries of a server, for one caller. */
export interface Deliveries {
  readonly engine: Engine;
  readonly domain: Domain;
  readonly caller: Caller;
  /** Undefined where no place of a subscription is kept. */
  readonly subscriptions?: Subscriptions | undefined;
  readonly standings: Standings;
}

/** Places are kept beside the log, so a server that only reads has none. */
export function served({ subscriptions }: Pick<Deliveries, 'subscriptions'>): Subscriptions {
  if (subscriptions !== undefined) return subscriptions;
  const problem = 'this server only reads, and handing out rows writes positions';
  throw new Refused('not served', `${problem}; ask another server of the log`);
}

/** How far those that are asked for have come, as far as the caller may know it. */
export async function standing(at: Deliveries, kind: Kind, isAsked: (name: string) => boolean): Promise<Shown<Table>> {
  if (kind === 'subscription') served(at);
  const relation = `meta_${kind}s` as const;
  const found = await at.standings(relation, (name) => isAsked(name) && mayKnow(at.caller, relation, name));
  return shownTable(raw(standingTable(relation, found, at.domain.subscriptions)), at.caller);
}

export async function pause(at: Deliveries, kind: Kind, name: string): Promise<'stopped'> {
  if (kind === 'subscription') await served(at).stop(name, 'paused');
  else await at.engine.reactions.pause(name, at.caller.subject);
  return 'stopped';
}

/** Goes on, perhaps behind another position. Where no reaction answers, other servers of the log go on. */
export async function start(
  at: Deliveries,
  kind: Kind,
  name: string,
  position?: Position,
): Promise<'running' | 'stopped'> {
  const { reactions, store } = at.engine;
  if (kind === 'subscription') {
    await served(at).start(name, position);
    return 'running';
  }
  const behind = position === 'end' ? (await store.freshPosition()).event : position;
  await reactions.start(name, behind, at.caller.subject);
  return reactions.runs === 'never' ? 'stopped' : 'running';
}
