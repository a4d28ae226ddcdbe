/**
 * Progress of subscriptions and reactions, as values of the relations that show it. A server has both; a session without a server knows its
 * reactions only.
 */
import { type Column, columnsOf } from '../../language/contract/query.ts';
import { standingColumns, type StandingRelation } from '../../language/contract/standing.ts';
import { webhookText, type SubscriptionDefinition } from '../../language/contract/subscription.ts';
import type { Engine } from '../engine/engine.ts';
import type { Table } from '../engine/outcome.ts';
import type { Row } from '../store/store.ts';

/** The values of `standingColumns` by name, of the subscriptions or reactions that are wanted. */
export type Standings = (
  relation: StandingRelation,
  isWanted: (name: string) => boolean,
) => Promise<ReadonlyMap<string, Row>>;

export interface StandingsFrom {
  readonly engine: Engine;
  /** Absent where no place of a subscription is kept. */
  readonly ofSubscription?: ((definition: SubscriptionDefinition) => Promise<Row>) | undefined;
}

export function createStandings({ engine, ofSubscription }: StandingsFrom): Standings {
  const ofReaction = async (name: string): Promise<Row> => {
    const { standing, runs } = engine.reactions;
    const { stopped, examined, ready, lagSeconds, waiting, nextDue, parked, lastError } = await standing(name);
    return [
      ...stateOf(runs === 'never' ? 'this server answers no events' : stopped),
      ...[BigInt(examined), BigInt(ready), BigInt(Math.floor(lagSeconds)), BigInt(waiting), nextDue ?? null],
      ...[BigInt(parked), lastError ?? null],
    ];
  };
  return async (relation, isWanted) => {
    const { subscriptions, reactions } = engine.domain();
    const found = new Map<string, Row>();
    if (relation === 'meta_reactions')
      for (const { name } of reactions) if (isWanted(name)) found.set(name, await ofReaction(name));
    if (relation === 'meta_subscriptions' && ofSubscription !== undefined)
      for (const definition of subscriptions)
        if (isWanted(definition.name)) found.set(definition.name, await ofSubscription(definition));
    return found;
  };
}

/** The first columns: `state` and `reason`. */
export function stateOf(reason: string | undefined): Row {
  return [reason === undefined ? 'running' : 'stopped', reason ?? null];
}

/** The value of the parameter of a query that shows them (`standingParameter`). */
export function standingsText(standings: ReadonlyMap<string, Row>): string {
  return JSON.stringify(Object.fromEntries(standings), (_, value: unknown) =>
    typeof value === 'bigint' ? Number(value) : value,
  );
}

/** The rows of a meta relation, whose first column is the name, with what is known of each. */
export function withStandings(table: Table, relation: StandingRelation, standings: ReadonlyMap<string, Row>): Table {
  const { columns } = table;
  const places = columns.map((column) => standingColumns[relation].findIndex(({ name }) => name === column.name));
  return {
    columns,
    rows: table.rows.map((row) => {
      const [of] = row;
      const known = typeof of === 'string' ? standings.get(of) : undefined;
      return known === undefined ? row : row.map((value, at) => known[places[at] ?? -1] ?? value);
    }),
  };
}

/** The columns of the tables that show only how far they have come. */
export const standingTables: Readonly<Record<StandingRelation, readonly Column[]>> = {
  meta_subscriptions: [...columnsOf('name'), ...standingColumns.meta_subscriptions, ...columnsOf('webhook?')],
  meta_reactions: [...columnsOf('name'), ...standingColumns.meta_reactions],
};

/** Such a table, by name. */
export function standingTable(
  relation: StandingRelation,
  standings: ReadonlyMap<string, Row>,
  subscriptions: readonly SubscriptionDefinition[],
): Table {
  const addressOf = (wanted: string): string | null => {
    const target = subscriptions.find((each) => each.name === wanted)?.webhook;
    return target === undefined ? null : webhookText(target);
  };
  const rows = [...standings]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([of, row]): Row => [of, ...row, ...(relation === 'meta_subscriptions' ? [addressOf(of)] : [])]);
  return { columns: standingTables[relation], rows };
}
