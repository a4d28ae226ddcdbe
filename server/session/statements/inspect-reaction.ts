import {
  bindInspectReaction,
  type BoundInspectReaction,
  type BoundQuery,
  type Catalog,
  type InspectReaction,
} from '../../../compiler/index.ts';
import type { ReactionDefinition } from '../../../language/contract/reaction.ts';
import { Failure } from '../../../language/failure/failure.ts';
import type { Type } from '../../../language/values/type.ts';
import { createHandlers, type Handlers } from '../../../runtime/engine/handlers.ts';
import { inspectEachEvent } from '../../../runtime/delivery/reaction/inspect-each-event.ts';
import {
  createReactionInspector,
  type InspectedExecution,
  type InspectedSource,
} from '../../../runtime/delivery/reaction/inspect-reaction.ts';
import type { StateReader } from '../../../runtime/engine/state.ts';
import type { Row, TableColumn } from '../../../runtime/store/store.ts';
import { keptName } from '../../registry/inspections.ts';
import type { StatementContext } from '../context.ts';
import { evaluateInside } from '../evaluate.ts';
import { sourcePages } from '../input-pages.ts';
import { aboutText } from '../../inspect/keep-input.ts';
import { checkRecordable, keepInput, recordInspection, showOutput } from '../keep-inspection.ts';
import type { StatementResult } from '../outcome.ts';
import { createSourceEvents } from '../source-events.ts';
import { inspectWith, instantOf } from '../inspected.ts';
import { longRun, progressText } from './inspect.ts';

type Definition = ReactionDefinition<object, object>;

/** INSPECT REACTION: the commands that a reaction would execute for each event of the source (docs/language.md#inspections). */
export async function runInspectReaction(
  context: StatementContext,
  statement: InspectReaction,
): Promise<StatementResult> {
  checkRecordable(context);
  return inspectWith(
    context,
    statement.schema,
    (registry, scope) => bindInspectReaction(registry, statement, scope),
    (at, inspect) => show(at, statement, inspect),
  );
}

const text: Type = { kind: 'STRING' };
const column = (name: string, type: Type = text, nullable = false): TableColumn => ({
  name,
  type,
  nullable,
  sensitive: false,
});

/** Arguments are masked as text, so that no column is sensitive. */
const targetColumns: readonly TableColumn[] = [
  column('event_id'),
  column('global_position', { kind: 'BIGINT' }),
  column('stream_id'),
  column('event_type'),
  column('branch'),
  column('command'),
  column('arguments', { kind: 'JSON' }, true),
  column('due', { kind: 'TIMESTAMP' }, true),
  column('would'),
  column('error', text, true),
];

function rowOf({ facts, branch, command, arguments: given, due, would, error }: InspectedExecution): Row {
  const { event_id: id, global_position: position, stream_id: stream, event_type: type } = facts;
  return [id, position, stream, type, branch, command, given, due, would, error];
}

async function show(
  context: StatementContext,
  statement: InspectReaction,
  inspect: BoundInspectReaction,
): Promise<StatementResult> {
  const now = instantOf(context);
  const definition = context.reg.domain.reactions.find(({ name }) => name === inspect.reaction);
  if (definition === undefined) throw new Error(`reaction ${inspect.reaction} is bound and not loaded`);
  const aggregates = aggregatesOf(context.reg.registry().catalog, definition);
  const { target } = inspect;
  const rows = await context.engine.store.inspectionTables.write(keptName(target, 'output'), {
    columns: targetColumns,
    about: aboutText({ aggregates }),
  });
  let written = 0;
  let overdue = 0;
  try {
    for await (const page of inspect.each === undefined
      ? decideNow(context, now, inspect, definition)
      : decideEach(context, now, inspect, definition)) {
      await rows.add(page.map(rowOf));
      written += page.length;
      overdue += page.filter(({ would, due }) => would === 'execute' && due !== null && due <= now).length;
      if (written % longRun === 0) await context.progress(`${progressText(written, undefined)} commands inspected`);
    }
    await rows.keep();
  } catch (error) {
    await rows.discard();
    throw error;
  }
  const inspection = { target, inspected: 'Reaction', block: inspect.reaction, aggregates } as const;
  if (inspect.each === undefined) await keepInput(context, statement.source, inspection);
  await showOutput(context, target);
  await recordInspection(context, inspection, statement.source);
  return { kind: 'inspect', into: target, rows: written, rejected: 0, overdue };
}

/** The aggregates of its events and of its commands: who may read all of them may read the result. */
function aggregatesOf(catalog: Catalog, { events, aggregate, branches }: Definition): readonly string[] {
  const landing = catalog.blocks.aggregate.filter(
    (block) => (aggregate ?? block.name) === block.name && block.events.some((event) => events.includes(event)),
  );
  const deciding = catalog.blocks.decision.filter(({ command }) =>
    branches.some((branch) => branch.command === command),
  );
  return [...new Set([...landing.map(({ name }) => name), ...deciding.map((decision) => decision.aggregate)])];
}

/** The events of the source against the state as it is, those of one page against one state. */
async function* decideNow(
  context: StatementContext,
  now: bigint,
  { source, cancels }: BoundInspectReaction,
  definition: Definition,
): AsyncGenerator<readonly InspectedExecution[], void, undefined> {
  const { random, uuid } = context;
  const handlers = createHandlers(context.reg.domain);
  const inspector = createReactionInspector(definition, handlers, { random, uuid });
  const cancelling = cancels === undefined ? [] : await cancellingEvents(context, cancels, definition, handlers);
  const byStream = new Map<string, InspectedSource[]>();
  for (const event of cancelling) byStream.set(streamOf(event), [...(byStream.get(streamOf(event)) ?? []), event]);
  const isCancelled = (event: InspectedSource, unless: readonly string[], due: bigint): boolean =>
    (byStream.get(streamOf(event)) ?? []).some(
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

  for await (const page of sourcePages(context, source)) {
    const events = eventsOf(page).filter(inspector.answers);
    yield await context.reg.engine.inspectState(async (reader) => {
      const made: InspectedExecution[] = [];
      for (const event of events) made.push(...(await decide(reader, event)));
      return made;
    });
  }
}

function streamOf({ streamType, facts }: Pick<InspectedSource, 'streamType' | 'facts'>): string {
  return `${streamType}\n${facts.stream_id}`;
}

/** The events of the source that can cancel a branch, without their fields. */
async function cancellingEvents(
  context: StatementContext,
  cancels: BoundQuery,
  { branches }: Definition,
  handlers: Handlers,
): Promise<readonly InspectedSource[]> {
  const types = new Set(branches.flatMap(({ unless }) => unless));
  const eventsOf = createSourceEvents(handlers);
  const found: InspectedSource[] = [];
  for await (const page of sourcePages(context, cancels))
    found.push(...eventsOf(page).filter(({ facts }) => types.has(facts.event_type)));
  return found;
}

/** The events of the log, each against the state just after it; long, and beside all other work of the store. */
async function* decideEach(
  context: StatementContext,
  now: bigint,
  { source, each }: BoundInspectReaction,
  definition: Definition,
): AsyncGenerator<readonly InspectedExecution[], void, undefined> {
  const { random, uuid } = context;
  const { domain, engine } = context.reg;
  const { store, rules } = engine;
  const chosen =
    each?.events === 'chosen'
      ? new Set((await evaluateInside(context, source)).rows.map(([position]) => Number(position)))
      : undefined;
  yield* inspectEachEvent(store, domain, {
    rules,
    definition,
    aggregate: each?.aggregate ?? '',
    draws: { random, uuid },
    now,
    ...(chosen === undefined ? {} : { chosen }),
  });
}
