/** The only place that makes values for a caller of values that no mask has passed. */
import type { ColumnBatch } from '../../language/contract/column-bytes.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Column } from '../../language/contract/query.ts';
import type { Soon } from '../../language/failure/soon.ts';
import type { Value } from '../../language/values/type.ts';
import type { Explain } from '../../runtime/engine/explain.ts';
import { maskColumns } from '../../runtime/engine/mask-columns.ts';
import { masked, maskOutcome, maskTable } from '../../runtime/engine/mask.ts';
import type { EmittedEvent, NamedValue, Outcome, Rejection, Table } from '../../runtime/engine/outcome.ts';
import type { Raw } from '../../runtime/engine/raw.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { readableRejection } from '../../runtime/engine/rejection.ts';
import { seesWhole } from './asker.ts';
import type { Caller } from './caller.ts';
import { isCleared, may } from './rights.ts';

declare const mark: unique symbol;

/** A value as its caller may see it. */
export type Shown<T> = T & { readonly [mark]: true };

function marked<T>(value: T): Shown<T> {
  return value as Shown<T>;
}

/** Another form of a value that is shown already. */
export function reshaped<T, U>(value: Shown<T>, change: (value: T) => U): Shown<U> {
  return marked(change(value));
}

export function shownTable(table: Raw<Table>, caller: Caller): Shown<Table> {
  const clear = unmasked(table);
  return marked(isCleared(caller) ? clear : maskTable(clear));
}

/** Masks a batch by column; `columns` are those of the batch. */
export function shownColumns(batch: Raw<ColumnBatch>, columns: readonly Column[], caller: Caller): Shown<ColumnBatch> {
  const clear = unmasked(batch);
  return marked(isCleared(caller) ? clear : maskColumns(clear, columns));
}

export function shownValue(named: NamedValue, caller: Caller): Value {
  return isCleared(caller) ? named.value : masked(named);
}

/** A caller as far as an outcome goes: the rights, on the definitions by which it asks. */
export interface OutcomeReader {
  readonly caller: Caller;
  /** Chooses the streams that the caller sees, after the command; absent for a caller who sees all of them. */
  readonly streams?: ((aggregate: string, ids: readonly string[]) => Promise<ReadonlySet<string>>) | undefined;
  /** Absent for a caller that may read every state. */
  readonly domain?: Domain;
}

/** An outcome, of streams that the caller sees or not. */
export interface OutcomeSeen extends Omit<Outcome, 'head' | 'events'> {
  /** Absent if the caller does not see the command's stream. */
  readonly head?: number;
  readonly events: readonly EventSeen[];
}
export interface EventSeen extends Omit<EmittedEvent, 'seq' | 'fields'> {
  /** Null of a stream that the caller does not see. */
  readonly seq: number | null;
  /** Null there too, if the values may come from state. */
  readonly fields: EmittedEvent['fields'] | null;
}

/** The outcome without what tells of streams that the caller does not see. */
export function outcomeSeen(outcome: Shown<Outcome>, { streams, domain }: OutcomeReader): Soon<Shown<OutcomeSeen>> {
  return streams === undefined ? outcome : withoutUnseen(outcome, streams, domain);
}

async function withoutUnseen(
  outcome: Shown<Outcome>,
  streams: NonNullable<OutcomeReader['streams']>,
  domain: Domain | undefined,
): Promise<Shown<OutcomeSeen>> {
  const { head, ...rest } = outcome;
  const ids = new Map<string, Set<string>>();
  for (const { streamType, streamId } of [outcome, ...outcome.events])
    ids.set(streamType, (ids.get(streamType) ?? new Set()).add(streamId));
  const seen = new Map<string, ReadonlySet<string>>();
  for (const [aggregate, asked] of ids) seen.set(aggregate, await streams(aggregate, [...asked]));
  const isSeen = ({ streamType, streamId }: Pick<EmittedEvent, 'streamType' | 'streamId'>): boolean =>
    seen.get(streamType)?.has(streamId) === true;
  const readsNothing = hasNoState(outcome, domain);
  const events = outcome.events.map((event): EventSeen =>
    isSeen(event) ? event : { ...event, seq: null, fields: readsNothing ? event.fields : null },
  );
  return marked({ ...rest, events, ...(isSeen(outcome) ? { head } : {}) });
}

/** Whether the values of the events come from the command alone; a replayed outcome does not tell by which definition it was decided. */
function hasNoState({ decided, replayed }: Outcome, domain: Domain | undefined): boolean {
  const decision = domain?.decisions.find(({ name }) => name === decided?.decision);
  return !replayed && decision !== undefined && decision.state === undefined;
}

/** The outcome of a command; `explain` adds the terms of guards to a rejection. */
export function shownOutcome(outcome: Raw<Outcome>, reader: OutcomeReader, explain?: Explain): Shown<Outcome> {
  const { caller } = reader;
  const clear = explain === undefined ? unmasked(outcome) : explained(unmasked(outcome), explain);
  const shown = isCleared(caller) ? clear : maskOutcome(clear);
  const { rejection } = shown;
  if (rejection === undefined) return marked(shown);
  const { caller: _, ...told } = shownRejection(rejection, reader);
  return marked({ ...shown, rejection: told });
}

function explained(outcome: Outcome, explain: Explain): Outcome {
  return outcome.rejection === undefined ? outcome : { ...outcome, rejection: explain(outcome.rejection) };
}

/** A rejection without state that the caller may not read; its values are masked with the table or the outcome that has it. */
export function shownRejection(rejection: Rejection, { caller, domain }: OutcomeReader): Rejection {
  if (domain === undefined) return rejection;
  const isWhole = (relation: string): boolean => seesWhole(domain, relation, caller);
  return readableRejection(rejection, domain, (relation) => may(caller, `read:${relation}`) && isWhole(relation));
}
