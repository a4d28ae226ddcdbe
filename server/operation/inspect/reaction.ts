/** The commands that a reaction would execute for events, as rows (docs/language.md#inspections). */
import type { Catalog } from '../../../compiler/index.ts';
import { columnsOf } from '../../../language/contract/query.ts';
import type { ReactionDefinition } from '../../../language/contract/reaction.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { createHandlers } from '../../../runtime/engine/handlers.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import { inspectEachEvent } from '../../../runtime/delivery/reaction/inspect-each-event.ts';
import {
  createReactionInspector,
  type InspectedExecution,
  type InspectedSource,
} from '../../../runtime/delivery/reaction/inspect-reaction.ts';
import type { StateReader } from '../../../runtime/engine/state.ts';
import type { Row, TableColumn } from '../../../runtime/store/store.ts';
import type { Place } from '../../place/place.ts';
import { createSourceEvents } from './source-events.ts';

type Definition = ReactionDefinition<object, object>;

/** Events in pages, with those that can cancel a branch; or the events of the log, each on the state just after it. */
export type AskedReaction =
  | { readonly source: AsyncIterable<Table>; readonly cancels: AsyncIterable<Table> | undefined }
  | { readonly aggregate: string; readonly chosen: ReadonlySet<number> | undefined };

export interface ReactionOptions {
  /** µs since 1970. */
  readonly now: bigint;
  readonly random: () => number;
  readonly uuid: () => string;
}

/** Arguments are masked as text, so that no column is sensitive. */
export const reactionColumns: readonly TableColumn[] = columnsOf(
  'event_id global_position:BIGINT stream_id event_type branch command arguments:JSON? due:TIMESTAMP? would error?',
);

export interface ReactionPage {
  readonly rows: readonly Row[];
  /** Commands among them that are due already. */
  readonly overdue: number;
}

export async function* inspectReaction(
  place: Place,
  reaction: string,
  asked: AskedReaction,
  options: ReactionOptions,
): AsyncGenerator<ReactionPage, void, undefined> {
  const { domain, engine } = place;
  const { now, ...draws } = options;
  const definition = reactionOf(place, reaction);
  const { store, rules } = engine;
  const pages =
    'source' in asked
      ? decideNow(place, definition, asked, options)
      : inspectEachEvent(store, domain, {
          rules,
          definition,
          aggregate: asked.aggregate,
          draws,
          now,
          ...(asked.chosen === undefined ? {} : { chosen: asked.chosen }),
        });
  for await (const page of pages)
    yield {
      rows: page.map(rowOf),
      overdue: page.filter(({ would, due }) => would === 'execute' && due !== null && due <= now).length,
    };
}

function reactionOf({ domain }: Place, name: string): Definition {
  const definition = domain.reactions.find((reaction) => reaction.name === name);
  if (definition === undefined) throw new Error(`reaction ${name} is bound and not loaded`);
  return definition;
}

function rowOf({ facts, branch, command, arguments: given, due, would, error }: InspectedExecution): Row {
  const { event_id: id, global_position: position, stream_id: stream, event_type: type } = facts;
  return [id, position, stream, type, branch, command, given, due, would, error];
}

/** The aggregates of its events and of its commands: who may read all of them may read the result. */
export async function reactionAggregates(place: Place, reaction: string): Promise<readonly string[]> {
  const { blocks }: Catalog = (await place.registry()).catalog;
  const { events, aggregate, branches } = reactionOf(place, reaction);
  const landing = blocks.aggregate.filter(
    (block) => (aggregate ?? block.name) === block.name && block.events.some((event) => events.includes(event)),
  );
  const deciding = blocks.decision.filter(({ command }) => branches.some((branch) => branch.command === command));
  return [...new Set([...landing.map(({ name }) => name), ...deciding.map((decision) => decision.aggregate)])];
}

/** The events against the state as it is, those of one page against one state. */
async function* decideNow(
  { domain, engine }: Place,
  definition: Definition,
  { source, cancels }: Extract<AskedReaction, { source: unknown }>,
  { now, random, uuid }: ReactionOptions,
): AsyncGenerator<readonly InspectedExecution[], void, undefined> {
  const handlers = createHandlers(domain);
  const inspector = createReactionInspector(definition, handlers, { random, uuid });
  const byStream =
    cancels === undefined ? undefined : await cancelling(cancels, definition, createSourceEvents(handlers));
  const isCancelled = (event: InspectedSource, unless: readonly string[], due: bigint): boolean =>
    (byStream?.get(streamOf(event)) ?? []).some(
      ({ facts }) =>
        unless.includes(facts.event_type) &&
        facts.global_position > event.facts.global_position &&
        facts.occurred_at < due,
    );
  const atOnce = definition.branches.filter(({ due }) => due === undefined);
  const eventsOf = createSourceEvents(handlers);

  async function decide(reader: StateReader, event: InspectedSource): Promise<readonly InspectedExecution[]> {
    const made =
      atOnce.length === 0 ? [] : [...(await inspector.decide(reader, event, atOnce, null, { now, random, uuid }))];
    for (const branch of definition.branches) {
      if (branch.due === undefined) continue;
      const due = inspector.due(event, branch);
      if (due === null) made.push(inspector.undecided(event, branch, { due, would: 'never' }));
      else if (due instanceof Failure)
        made.push(inspector.undecided(event, branch, { due: null, would: 'fault', error: due }));
      else if (isCancelled(event, branch.unless, due))
        made.push(inspector.undecided(event, branch, { due, would: 'cancelled' }));
      else
        made.push(
          ...(await inspector.decide(reader, event, [branch], due, { now: due > now ? due : now, random, uuid })),
        );
    }
    return made;
  }

  for await (const page of source) {
    const events = eventsOf(page).filter(inspector.answers);
    yield await engine.inspectState(async (reader) => {
      const made: InspectedExecution[] = [];
      for (const event of events) made.push(...(await decide(reader, event)));
      return made;
    });
  }
}

function streamOf({ streamType, facts }: Pick<InspectedSource, 'streamType' | 'facts'>): string {
  return `${streamType}\n${facts.stream_id}`;
}

/** By stream, the events that can cancel a branch. */
async function cancelling(
  pages: AsyncIterable<Table>,
  { branches }: Definition,
  eventsOf: ReturnType<typeof createSourceEvents>,
): Promise<ReadonlyMap<string, readonly InspectedSource[]>> {
  const types = new Set(branches.flatMap(({ unless }) => unless));
  const found = new Map<string, InspectedSource[]>();
  for await (const page of pages)
    for (const event of eventsOf(page)) {
      if (!types.has(event.facts.event_type)) continue;
      const known = found.get(streamOf(event));
      if (known === undefined) found.set(streamOf(event), [event]);
      else known.push(event);
    }
  return found;
}
