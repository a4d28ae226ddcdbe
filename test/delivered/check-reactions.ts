/**
 * Checks the answers of reactions (docs/language.md#reaction) with the log alone: each event has exactly one outcome of each branch that
 * applies, with the position, id and contents of that event, and no outcome belongs to anything else.
 */
import type { CommandEntry, LogEntry } from '../../runtime/store/entry.ts';
import { failingAmount, rejectedAmount, waits } from './delivered-schema.ts';
import { differences, eventsOf, momentOf, type Fact, type Facts } from './facts.ts';

export interface ReactionCheck {
  readonly faults: readonly string[];
  /** Outcomes of branches that the log has. */
  readonly effects: number;
  /** Outcomes that copy something else than their event, or are marked as the answer to another one. */
  readonly wrong: number;
  /** Second and further outcomes. */
  readonly twice: number;
  readonly never: number;
  /** Outcomes for events that are not in the log, or that no branch answers. */
  readonly foreign: number;
}

type Kind = Exclude<keyof ReactionCheck, 'faults' | 'effects'>;
type Outcome = 'emitted' | 'rejected' | 'parked';

/** Outcome that a branch owes an event. */
interface Owed {
  readonly reaction: string;
  readonly branch: string;
  readonly event: Fact;
  readonly outcome: Outcome;
  /** µs since 1970, of a branch with a time. */
  readonly due?: bigint;
  /** Whether the outcome may be missing, where two moments are equal. */
  readonly isOptional?: true;
  /** Values that the command's event must copy. */
  readonly copy: Readonly<Record<string, unknown>>;
}

interface Answer {
  readonly entry: LogEntry & CommandEntry;
  readonly reaction: string;
  readonly generation: number;
  readonly branch: string;
  readonly eventId: string;
}

export function checkReactions(facts: Facts): ReactionCheck {
  const faults: string[] = [];
  const counts: Record<Kind, number> = { wrong: 0, twice: 0, never: 0, foreign: 0 };
  const blame = (kind: Kind, fault: string): void => {
    counts[kind] += 1;
    faults.push(fault);
  };
  const owed = new Map(owedBy(facts).map((each) => [keyOf(each), each]));
  const found = new Map<string, Answer>();
  const totals = new Map<string, number>();
  const created = new Map<string, number>();
  let effects = 0;
  for (const entry of facts.log) {
    if (entry.kind === 'schema')
      for (const { change, block, name } of entry.changes)
        if (change === 'put' && block === 'reaction' && !created.has(name)) created.set(name, entry.number);
    if (entry.kind !== 'command') continue;
    const answer = answerOf(entry, facts);
    if (answer === undefined) {
      const stray = entry.events.filter(({ type }) => type === 'Noted' || type === 'Counted');
      for (const { position } of stray) blame('foreign', `event ${position} is of a reaction, without its id`);
    } else {
      effects += 1;
      const key = keyOf({ ...answer, event: { id: answer.eventId } });
      const debt = owed.get(key);
      const event = facts.byId.get(answer.eventId);
      if (event === undefined) blame('foreign', `entry ${entry.number} answers ${key}, which is not in the log`);
      else if (debt === undefined) blame('foreign', `entry ${entry.number} answers ${key}, which asks for nothing`);
      else if (found.has(key)) blame('twice', `entry ${entry.number} answers ${key} again`);
      else {
        found.set(key, answer);
        const total = totals.get(event.streamId) ?? 0;
        for (const problem of problemsOf(answer, debt, total, created.get(answer.reaction)))
          blame('wrong', `entry ${entry.number}, ${key} of event ${event.position}: ${problem}`);
      }
    }
    for (const event of eventsOf(entry))
      if (event.streamType === 'Source')
        totals.set(event.streamId, (totals.get(event.streamId) ?? 0) + Number(event.data['amount']));
  }
  for (const [key, { event, isOptional }] of owed)
    if (!found.has(key) && isOptional !== true) blame('never', `${key} of event ${event.position} was never answered`);
  for (const fault of orderFaults(found, owed)) blame('wrong', fault);
  return { faults, effects, ...counts };
}

function keyOf(of: {
  readonly reaction: string;
  readonly branch: string;
  readonly event: { readonly id: string };
}): string {
  return `${of.reaction}/${of.branch}/${of.event.id}`;
}

/** The events `Settled` of each stream, in order. */
type Settled = ReadonlyMap<string, readonly Fact[]>;

function owedBy({ events }: Facts): readonly Owed[] {
  const settled = new Map<string, Fact[]>();
  for (const event of events)
    if (event.type === 'Settled') settled.set(event.streamId, [...(settled.get(event.streamId) ?? []), event]);
  return events.flatMap((event) => owedTo(event, settled));
}

/** The rules of `deliveredSchema`, written once more. */
function owedTo(event: Fact, settledOf: Settled): readonly Owed[] {
  if (event.streamType === 'Answer' && event.type === 'Noted' && event.data['branch'] === 'Now')
    return [{ ...named('Chain', 'Chained', event), outcome: 'emitted', copy: factsCopied(event) }];
  if (event.streamType !== 'Source') return [];
  const amount = Number(event.data['amount']);
  const outcome = amount === rejectedAmount ? 'rejected' : 'emitted';
  const note = (reaction: string, branch: string, more: object): Owed => ({
    ...named(reaction, branch, event),
    outcome,
    copy: {
      ...factsCopied(event),
      branch,
      of_type: event.type,
      of_time: momentOf(event.at),
      of_correlation: event.correlation,
      amount,
      mark: event.data['mark'],
      ...more,
    },
  });
  const soon = event.at + BigInt(waits.Soon) * 1_000_000n;
  const unless = event.at + BigInt(waits.Unless) * 1_000_000n;
  const settled = settledAfter(event, settledOf, unless);
  const owed: Owed[] = [
    note('Copy', 'Now', {}),
    ...(amount % 2 === 0 ? [note('Copy', 'Even', {})] : []),
    { ...note('Copy', 'Soon', { due: momentOf(soon) }), due: soon },
  ];
  if (settled !== 'before') {
    const isOptional = settled === 'at' ? ({ isOptional: true } as const) : {};
    owed.push({ ...note('Copy', 'Unless', {}), due: unless, ...isOptional });
  }
  if (event.type === 'Raised') {
    const divisor = amount - failingAmount;
    if (divisor === 0) owed.push({ ...note('Divide', 'Divided', {}), outcome: 'parked' });
    else owed.push(note('Divide', 'Divided', { total: Math.trunc(1000 / divisor) }));
  }
  return owed;
}

function named(reaction: string, branch: string, event: Fact): Pick<Owed, 'reaction' | 'branch' | 'event'> {
  return { reaction, branch, event };
}

function factsCopied({ position, id, seq, streamId }: Fact): Readonly<Record<string, unknown>> {
  return { of_position: position, of_event: id, of_seq: seq, of_stream: streamId };
}

/** Whether the stream has a `Settled` after the event and before a moment, or in that very moment. */
function settledAfter({ streamId, position }: Fact, settled: Settled, due: bigint): 'before' | 'at' | 'no' {
  for (const later of settled.get(streamId) ?? []) {
    if (later.position <= position) continue;
    return later.at < due ? 'before' : later.at === due ? 'at' : 'no';
  }
  return 'no';
}

/** The branch that an entry answers; undefined of an entry that is none of a reaction. */
function answerOf(entry: LogEntry & CommandEntry, { events }: Facts): Answer | undefined {
  const mark = entry.cells?.reaction;
  const [, reaction, generation, branch, eventId] =
    /^\$r\/([^/]+)\/(\d+)\/([^/]+)\/(.+)$/.exec(entry.commandId ?? '') ?? [];
  if (reaction !== undefined && branch !== undefined && eventId !== undefined)
    return { entry, reaction, generation: Number(generation), branch, eventId };
  if (mark === undefined || entry.cells?.failure === undefined) return undefined;
  // A task that failed has no command, so its mark alone says whose it is.
  const eventOfMark = events[mark.position - 1]?.id ?? 'nothing';
  const failed = mark.branch ?? (mark.name === 'Divide' ? 'Divided' : '*');
  return { entry, reaction: mark.name, generation: mark.generation, branch: failed, eventId: eventOfMark };
}

function problemsOf(answer: Answer, owed: Owed, total: number, created: number | undefined): readonly string[] {
  const { entry } = answer;
  const { event, branch, reaction } = owed;
  const outcome = outcomeOf(entry);
  if (outcome !== owed.outcome) return [`it was ${outcome}, not ${owed.outcome}`];
  if (outcome === 'parked')
    return entry.cells?.reaction?.position === event.position ? [] : ['its mark is of another event'];
  const told = {
    generation: answer.generation,
    causation: entry.causationId,
    correlation: entry.correlationId,
    subject: entry.cells?.subject,
  };
  const right = {
    generation: created,
    causation: event.id,
    correlation: event.correlation,
    subject: `reaction:${reaction}`,
  };
  const problems = [...differences(told, right)];
  const mark = entry.cells?.reaction;
  if (mark !== undefined)
    problems.push(
      ...differences(
        { ...mark },
        {
          name: reaction,
          generation: created,
          position: event.position,
          branch: owed.due === undefined ? undefined : branch,
        },
      ),
    );
  else if (branch !== 'Even' && branch !== 'Now') problems.push('it has no mark');
  if (entry.number <= event.entry) problems.push(`it is before its event, in entry ${event.entry}`);
  if (owed.due !== undefined && BigInt(entry.at) < owed.due)
    problems.push(`it is of ${momentOf(BigInt(entry.at))}, before it was due at ${momentOf(owed.due)}`);
  const copies = eventsOf(entry);
  if (outcome === 'emitted' && copies.length !== 1) problems.push(`it has ${copies.length} events`);
  for (const { data } of copies)
    problems.push(
      ...differences(data, { ...owed.copy, ...(reaction === 'Copy' && branch === 'Now' ? { total } : {}) }),
    );
  return problems;
}

function outcomeOf({ events, rejection, cells }: CommandEntry): Outcome | 'nothing' {
  if (cells?.failure !== undefined) return 'parked';
  if (rejection !== undefined) return 'rejected';
  return events.length > 0 ? 'emitted' : 'nothing';
}

/** Tasks of one stream without a time are done in the order of its events, and the branches of one task together. */
function orderFaults(found: ReadonlyMap<string, Answer>, owed: ReadonlyMap<string, Owed>): readonly string[] {
  const faults: string[] = [];
  const last = new Map<string, { readonly entry: number; readonly position: number }>();
  for (const [key, { entry, reaction, branch, eventId }] of found) {
    const debt = owed.get(key);
    if (debt === undefined || debt.due !== undefined) continue;
    if (branch === 'Even') {
      const first = found.get(keyOf({ reaction, branch: 'Now', event: { id: eventId } }));
      if (first?.entry.number !== entry.number - 1) faults.push(`${key} is not in the turn of its first branch`);
      continue;
    }
    const stream = `${reaction} ${debt.event.streamId}`;
    const before = last.get(stream);
    if (before !== undefined && before.position > debt.event.position)
      faults.push(
        `${key}: event ${debt.event.position} was answered in entry ${entry.number}, after event ${before.position}`,
      );
    last.set(stream, { entry: entry.number, position: debt.event.position });
  }
  return faults;
}

/** Number of missing outcomes, for a message about a run that waits. */
export function owedStill(facts: Facts): number {
  const done = new Set<string>();
  for (const entry of facts.log)
    if (entry.kind === 'command') {
      const answer = answerOf(entry, facts);
      if (answer !== undefined) done.add(keyOf({ ...answer, event: { id: answer.eventId } }));
    }
  return owedBy(facts).filter((each) => each.isOptional !== true && !done.has(keyOf(each))).length;
}
