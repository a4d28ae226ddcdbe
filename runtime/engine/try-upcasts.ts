/**
 * Tries UPCAST clauses on all stored events that they read, before a change is accepted (docs/language.md#evolution): reading a store can
 * then not fail at an event. Takes the loaded definitions, changes nothing.
 */
import type { EventDefinition, StoredShape } from '../../language/contract/event.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { typeName } from '../../language/values/type.ts';
import type { LogEntry, StoredEvent } from '../store/entry.ts';
import { giveWay, usualSlice } from '../store/give-way.ts';
import { createEventReader, unlessDamaged, type EventReader } from '../store/event-reader.ts';
import { readsEvent } from '../store/upcast-of-event.ts';
import { generatedUpcasts } from './generated-upcasts.ts';

interface Trial {
  readonly shape: StoredShape;
  readonly reader: EventReader;
  readonly failures: string[];
}

/** The failures that are named, of each clause. */
const mostNamed = 3;

/**
 * Fails with R0510 for the first clause that cannot read a stored event, and names the first such events. `mayGoOn` is called regularly and
 * throws to end the trial.
 */
export async function tryUpcasts(
  entries: () => AsyncIterable<LogEntry>,
  events: readonly EventDefinition<object>[],
  mayGoOn?: () => void,
): Promise<void> {
  const trials = events.flatMap((event) => trialsOf(event));
  if (trials.length === 0) return;
  const pause = giveWay(usualSlice, mayGoOn);
  for await (const entry of entries()) {
    if (entry.kind !== 'command') continue;
    for (const event of entry.events) {
      tryOne(trialOf(trials, event), event, entry.at);
      const paused = pause();
      if (paused !== undefined) await paused;
    }
    if (trials.some(({ failures }) => failures.length > mostNamed)) break;
  }
  refuseFailed(trials);
}

/** Tries the clauses on one entry more, such as one that was appended after the trial; fails with R0510. */
export function createEntryTrial(events: readonly EventDefinition<object>[]): (entry: LogEntry) => void {
  const trials = events.flatMap((event) => trialsOf(event));
  return (entry) => {
    if (trials.length === 0 || entry.kind !== 'command') return;
    for (const event of entry.events) tryOne(trialOf(trials, event), event, entry.at);
    refuseFailed(trials);
  };
}

function trialOf(trials: readonly Trial[], event: StoredEvent): Trial | undefined {
  return trials.find(({ shape }) => readsEvent(shape, event));
}

function refuseFailed(trials: readonly Trial[]): void {
  const failed = trials.find(({ failures }) => failures.length > 0);
  if (failed === undefined) return;
  const { shape, reader, failures } = failed;
  throw fail('R0510', {
    event: reader.event,
    stored: shapeText(shape, reader.event),
    failures: failures.slice(0, mostNamed),
    more: failures.length > mostNamed,
  });
}

function trialsOf(event: EventDefinition<object>): readonly Trial[] {
  const reader = createEventReader(event.name, event.fields, generatedUpcasts(event));
  const clauses = (event.upcasts ?? []).filter(({ versions }) => versions.length > 0);
  return clauses.map((shape) => ({ shape, reader, failures: [] }));
}

function tryOne(trial: Trial | undefined, event: StoredEvent, at: string): void {
  if (trial === undefined || trial.failures.length > mostNamed) return;
  try {
    // A damaged record is reported where it is read.
    unlessDamaged(() => trial.reader.leaves(event, at));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const secret = trial.shape.fields.some(({ sensitive }) => sensitive === true);
    const problem = secret ? `${error.code}, its values are SENSITIVE` : error.message;
    trial.failures.push(
      `event ${event.position} (${event.streamType} ${event.streamId}, seq ${event.seq}): ${problem}`,
    );
  }
}

function shapeText({ event, fields }: StoredShape, now: string): string {
  const names = fields.map(({ name, type }) => `${name} ${typeName(type)}`).join(', ');
  return `${event === now ? '' : `EVENT ${event} `}(${names})`;
}
