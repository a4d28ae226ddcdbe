import type { CallerPart } from './caller.ts';
import type { Docs } from './docs.ts';
import type { Column, CompiledQuery } from './query.ts';

/** The parts of the caller that the clauses of a relation read (docs/callers.md#visible). */
export interface RowClauseParts {
  /** Absent if all rows are shown to any caller who may read the relation. */
  readonly visible?: readonly CallerPart[];
  /** Roles with which every row is shown, whatever else is known of the caller; absent without any. */
  readonly wholeFor?: readonly string[];
  readonly clear?: readonly CallerPart[];
}

/** A generated aggregate module. */
export interface AggregateDefinition extends RowClauseParts {
  readonly name: string;
  readonly docs?: Docs;
  readonly keyField?: string;
  /** Events that can be appended to its streams, sorted by name. */
  readonly events: readonly string[];
  /** Columns of `$Events` in order, hidden ones last. */
  readonly eventColumns: readonly Column[];
  readonly stateColumns: readonly Column[];
  /** `SELECT * FROM "X$Agg" ORDER BY aggregate_id`, and the same with a parameter `aggregate_id` for a single stream. */
  readonly all: CompiledQuery;
  readonly one: CompiledQuery;
}

/** A generated projection module. */
export interface ProjectionDefinition extends RowClauseParts {
  readonly name: string;
  readonly docs?: Docs;
  readonly columns: readonly Column[];
  readonly aggregates: readonly string[];
  /** All rows, in the projection's own order. */
  readonly query: CompiledQuery;
}

/**
 * Names of payload fields as columns of their own, next to columns of the event: a field whose name is one of `reserved`, regardless of
 * case, gets `data_` before it, until it is free.
 */
export function payloadColumnNames(fields: readonly string[], reserved: readonly string[]): readonly string[] {
  const kept = new Set(reserved);
  const taken = new Set([...reserved, ...fields.map((field) => field.toLowerCase())]);
  return fields.map((field) => {
    let name = field;
    if (kept.has(field.toLowerCase())) {
      name = `data_${field}`;
      while (taken.has(name.toLowerCase())) name = `data_${name}`;
    }
    taken.add(name.toLowerCase());
    return name;
  });
}
