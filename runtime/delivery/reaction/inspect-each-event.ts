/**
 * INSPECT REACTION … AS OF EACH: the events of the log again, in order, each with the state just after its entry, and each
 * branch that waits with the state of its due time. So it shows what a reaction that answers at once would have done.
 */
import type { DecisionContext } from '../../../language/contract/decision.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { ReactionBranchDefinition, ReactionDefinition } from '../../../language/contract/reaction.ts';
import { Failure } from '../../../language/failure/failure.ts';
import type { CommandEntry, LogEntry } from '../../store/entry.ts';
import type { Store } from '../../store/store.ts';
import type { EngineRules } from '../../engine/limits.ts';
import { createReplay } from '../../engine/replay.ts';
import { storedEventFields } from './event-input.ts';
import { createHeap } from './heap.ts';
import { createReactionInspector, type InspectedExecution, type InspectedSource } from './inspect-reaction.ts';

export interface EachEventOptions {
  readonly definition: ReactionDefinition<object, object>;
  /** Only events of this aggregate. */
  readonly aggregate: string;
  /** Global positions of the events; all if absent. */
  readonly chosen?: ReadonlySet<number>;
  readonly draws: Omit<DecisionContext, 'now'>;
  /** The present, µs since 1970: tasks that are due later are decided as of the end of the log. */
  readonly now: bigint;
  readonly rules?: EngineRules;
}

/** A branch that waits for its time. */
interface Waiting {
  readonly position: number;
  readonly due: bigint;
  readonly stream: string;
  readonly source: InspectedSource;
  readonly definition: ReactionBranchDefinition<object, object>;
}

/** Rows come in the order in which the commands would have been executed. */
export async function* inspectEachEvent(
  store: Store,
  domain: Domain,
  { definition, aggregate, chosen, draws, now, rules }: EachEventOptions,
): AsyncGenerator<readonly InspectedExecution[], void, undefined> {
  const replay = createReplay(store, domain, rules);
  const { handlers } = replay;
  const inspector = createReactionInspector(definition, handlers, draws);
  const atOnce = definition.branches.filter(({ due }) => due === undefined);
  const later = definition.branches.filter(({ due }) => due !== undefined);
  const queue = createHeap(isEarlier);
  /** By stream; one that is not there any longer was cancelled. */
  const waiting = new Map<string, Set<Waiting>>();

  const decide = (
    source: InspectedSource,
    branches: typeof atOnce,
    due: bigint | null,
    at: bigint,
  ): Promise<readonly InspectedExecution[]> => {
    const { turn, state } = replay.groundAt(at);
    return inspector.decide({ turn, folds: state.folds }, source, branches, due, { ...draws, now: at });
  };

  async function* whatIsDue(until: bigint): AsyncGenerator<readonly InspectedExecution[], void, undefined> {
    for (let first = queue.first(); first !== undefined && first.due <= until; first = queue.first()) {
      queue.take();
      if (waiting.get(first.stream)?.delete(first) !== true) continue;
      const at = until === lastMoment && first.due < now ? now : first.due;
      yield await decide(first.source, [first.definition], first.due, at);
    }
  }

  /** Tasks that an event cancels, and its branches that never come. */
  function plan(source: InspectedSource): readonly InspectedExecution[] {
    const { event_type: type, occurred_at: at, stream_id: id, global_position: position } = source.facts;
    const stream = `${source.streamType}\n${id}`;
    const rows: InspectedExecution[] = [];
    for (const task of waiting.get(stream) ?? []) {
      if (!task.definition.unless.includes(type) || at >= task.due) continue;
      waiting.get(stream)?.delete(task);
      rows.push(inspector.undecided(task.source, task.definition, { due: task.due, would: 'cancelled' }));
    }
    if (!inspector.answers(source) || chosen?.has(Number(position)) === false) return rows;
    for (const branch of later) {
      const due = inspector.due(source, branch);
      if (due === null) rows.push(inspector.undecided(source, branch, { due, would: 'never' }));
      else if (due instanceof Failure)
        rows.push(inspector.undecided(source, branch, { due: null, would: 'fault', error: due }));
      else {
        const made: Waiting = { position: Number(position), due, stream, source, definition: branch };
        queue.add(made);
        waiting.set(stream, (waiting.get(stream) ?? new Set()).add(made));
      }
    }
    return rows;
  }

  function sourcesOf(entry: CommandEntry & LogEntry): readonly InspectedSource[] {
    return entry.events
      .filter(({ streamType }) => streamType === aggregate)
      .map((event) => {
        const { at, correlationId } = entry;
        const source = { event, at, ...(correlationId === undefined ? {} : { correlationId }), depth: 0 };
        return { streamType: event.streamType, ...storedEventFields(source, handlers.reader(event.type)) };
      });
  }

  for await (const entry of store.log.read(1)) {
    if (entry.kind !== 'command') continue;
    yield* whatIsDue(BigInt(entry.at));
    replay.add(entry);
    for (const source of sourcesOf(entry)) {
      const rows = plan(source);
      if (rows.length > 0) yield rows;
      if (atOnce.length === 0 || !inspector.answers(source)) continue;
      if (chosen?.has(Number(source.facts.global_position)) === false) continue;
      yield await decide(source, atOnce, null, BigInt(entry.at));
    }
  }
  yield* whatIsDue(lastMoment);
}

function isEarlier(a: Waiting, b: Waiting): boolean {
  if (a.due !== b.due) return a.due < b.due;
  return a.position === b.position ? a.definition.label < b.definition.label : a.position < b.position;
}

/** After every due time. */
const lastMoment = 1n << 63n;
