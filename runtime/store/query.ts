/** Queries on the tables of a store: their limits and options, and the failures that their callers meet. */
import type { CompiledQuery } from '../../language/contract/query.ts';
import type { ColumnBatch } from '../../language/contract/column-bytes.ts';
import type { ReadModelDefinition } from '../../language/contract/read-model.ts';
import type { Value } from '../../language/values/type.ts';

/** Values of one row, in the order of the query's columns. */
export type Row = readonly Value[];

/** Past any of these a query ends with a `Failure` of kind `budget`. Plain data. */
export interface QueryLimits {
  readonly milliseconds?: number;
  readonly rows?: number;
  /** Limit of the memory of the result as values (`values/value-bytes.ts`), or by column as bytes. */
  readonly bytes?: number;
  /** Limit of the memory for computing it, in addition to the data. */
  readonly memory?: number;
  /** Expected to take less than a millisecond: its answer may wait for those of others that are as quick. It may fail with `GivenBack`. */
  readonly quick?: boolean;
  /** Milliseconds after which it fails with `GivenBack`, so that others need not wait for it. */
  readonly patience?: number;
}

/** The limits alone, as another thread gets them. Copies them by name: a rest pattern makes a dictionary, slow to make and to send. */
export function limitsOf({ milliseconds, rows, bytes, memory, quick, patience }: QueryLimits): QueryLimits {
  const limits: { -readonly [K in keyof QueryLimits]: QueryLimits[K] } = {};
  if (milliseconds !== undefined) limits.milliseconds = milliseconds;
  if (rows !== undefined) limits.rows = rows;
  if (bytes !== undefined) limits.bytes = bytes;
  if (memory !== undefined) limits.memory = memory;
  if (quick !== undefined) limits.quick = quick;
  if (patience !== undefined) limits.patience = patience;
  return limits;
}

export interface QueryOptions extends QueryLimits {
  /** Called with the bytes of the rows of a result before they are returned, and with the time of the query that gave them. */
  readonly takes?: (bytes: number, milliseconds?: number) => void;
  /** The value of CURRENT_TIMESTAMP, µs since 1970; by default the present time. */
  readonly instant?: bigint;
  /** Seed of the random draws (`language/values/draws.ts`); by default they are of the system. */
  readonly seed?: string;
  /** Answers from the entries that this process has, without a question to the log for its end. */
  readonly local?: boolean;
  /** Called with the number of the last entry that the answer shows, before it is computed. */
  readonly shows?: (entry: number) => void;
  /** Stops the query, which then fails with R0303, if it runs in another thread. */
  readonly signal?: AbortSignal;
  /**
   * The definition that the query was compiled for. If another one is in force, the query is not run and fails with
   * `Overtaken`.
   */
  readonly compiledFor?: ReadModelDefinition;
  /**
   * Which database answers; the others need `compiledFor`.
   * - `read-model`, the default: the one that decisions read.
   * - `copy`: a copy of it, so that nothing else waits for the query, if the read model has a thread of its own.
   * - `past`: a copy that stays on `compiledFor` after a change, for an answer that began before it. It shows the entries up to that change.
   *
   * A copy takes as much memory as the read model, and goes after a minute without a query.
   */
  readonly answeredBy?: 'read-model' | 'copy' | 'past';
}

/** Runs a query and gives its rows. */
export type Query = (
  query: CompiledQuery,
  parameters: readonly Value[],
  options?: QueryOptions,
) => Promise<readonly Row[]>;

/** Runs a query and gives its rows by column, as bytes. */
export type ColumnQuery = (
  query: CompiledQuery,
  parameters: readonly Value[],
  options: QueryOptions & { readonly rows: number },
) => Promise<ColumnBatch>;

/** A change of the registry came before the query; the caller compiles it again. */
export class Overtaken extends Error {}

/**
 * The query has no answer here, and the caller asks it in another way: one that was asked as quick came behind one that was not, or it took longer than
 * its patience.
 */
export class GivenBack extends Error {}
