/** The only place that makes values for a caller of values that no mask has passed. */
import type { ColumnBatch } from '../../language/contract/column-bytes.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Column } from '../../language/contract/query.ts';
import type { Value } from '../../language/values/type.ts';
import type { Explain } from '../../runtime/engine/explain.ts';
import { maskColumns } from '../../runtime/engine/mask-columns.ts';
import { masked, maskOutcome, maskTable } from '../../runtime/engine/mask.ts';
import type { NamedValue, Outcome, Rejection, Table } from '../../runtime/engine/outcome.ts';
import type { Raw } from '../../runtime/engine/raw.ts';
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { readableRejection } from '../../runtime/engine/rejection.ts';
import { isCleared, may, type Caller } from './caller.ts';

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
  /** Absent for a caller that may read every state. */
  readonly domain?: Domain;
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
  return readableRejection(rejection, domain, (relation) => may(caller, `read:${relation}`));
}
