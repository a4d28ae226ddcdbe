import type { ColumnBatch } from '../../language/contract/column-bytes.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { CompiledQuery } from '../../language/contract/query.ts';
import type { AnnouncedChange } from '../store/side/announcements.ts';
import type { LogEntry, SchemaEntry } from '../store/entry.ts';
import type { QueryOptions, Store } from '../store/store.ts';
import type { Meanwhile } from './meanwhile.ts';
import type { Value } from '../../language/values/type.ts';
import type { JsonObject } from '../../language/values/json.ts';
import type { AskedCommand, DecidedCommand } from './dry-turn.ts';
import type { EngineRules } from './limits.ts';
import type { Raw } from './raw.ts';
import type { EngineReactions } from './reactions.ts';
import type { StateReader } from './state.ts';
import type { Caller, ExecuteRequest, Outcome, Table } from './outcome.ts';

/** A running registry over a store: the interface for HTTP, sessions and the tool. */
export interface Engine {
  readonly store: Store;
  readonly readOnly: boolean;
  readonly rules: EngineRules;
  /** The handler table in force; a change replaces it whole. Callers finish with the one they started with. */
  readonly domain: () => Domain;
  /** The domain after a change that is being put in force: for a caller whose query failed with `Overtaken`. */
  readonly steady: () => Promise<Domain>;
  /** The number of schema entries in the log whose changes are in force: the same on every server. */
  readonly registryVersion: () => number;
  /**
   * Decides and appends; resolves when the outcome is durable. Rejects with a `Failure` (see `failure/catalogue.ts`).
   */
  readonly execute: (request: ExecuteRequest) => Promise<Raw<Outcome>>;
  /** Does the work of `execute`, for a caller that waits for thousands and needs no promise for each. */
  readonly executeFor: (request: ExecuteRequest, caller: Caller<Raw<Outcome>>) => void;
  /**
   * Decides all inputs against one position at one instant, without effect (docs/language.md#inspections); commands wait until `take`
   * has finished. Throws an `InputFailure`.
   */
  readonly inspect: <T>(
    asked: AskedCommand,
    inputs: AsyncIterable<readonly JsonObject[]>,
    now: bigint,
    take: (pages: AsyncIterable<readonly DecidedCommand[]>) => Promise<T>,
  ) => Promise<T>;
  /**
   * Decides a few inputs without effect. They are taken in slices, so that a command waits at most a millisecond, or for one decision. The state
   * of an input is that of the moment when its slice is decided. A page is one slice. Rejects with `Overtaken` if `domain` is no longer in force.
   */
  readonly inspectInSlices: (
    asked: AskedCommand,
    inputs: readonly JsonObject[],
    now: bigint,
    domain: Domain,
  ) => AsyncIterable<readonly DecidedCommand[]>;
  /** Gives `take` the state that a decision would read now; commands wait until it has finished. */
  readonly inspectState: <T>(take: (reader: StateReader) => Promise<T>) => Promise<T>;
  /** Runs a compiled query on the durable state. */
  readonly query: (query: CompiledQuery, parameters: readonly Value[], options: QueryOptions) => Promise<Raw<Table>>;
  /**
   * Runs a query and gives its result by column, as bytes; `query` itself limits its result to `rows` rows of plain types
   * (`Tables.columns`).
   */
  readonly columns: (
    query: CompiledQuery,
    parameters: readonly Value[],
    options: QueryOptions & { readonly rows: number },
  ) => Promise<Raw<ColumnBatch>>;
  /**
   * Builds the tables of the domain in the background, then swaps the handler table between two turns: each command is
   * decided by the table in force in its turn. An `entry` is appended at the same point, so that no event after it in
   * the log follows an old rule. On failure the old table stays in force; with `RegistryMoved` if another server has
   * changed the registry since it had the version `base`, the present one by default, that the domain was compiled on.
   * `meanwhile` sees every entry from its first one to the change, and may refuse the change by throwing.
   */
  readonly adopt: (domain: Domain, entry?: SchemaEntry, base?: number, meanwhile?: Meanwhile) => Promise<void>;
  /**
   * Makes the engine follow changes of the registry by other servers; without it the first one ends its service. The
   * change is in force when `compile` resolves.
   */
  readonly compileWith: (compile: CompileEntry, prepare?: PrepareChange) => void;
  /** Builds the tables of a domain that `takeOver` of a `CompileEntry` may put in force later. */
  readonly prepare: (domain: Domain) => Promise<void>;
  readonly reactions: EngineReactions;
  readonly close: () => Promise<void>;
}
/** Compiles the registry of the log up to this entry, and hands its domain to `takeOver`. */
export type CompileEntry = (
  entry: LogEntry & SchemaEntry,
  takeOver: (domain: Domain) => Promise<void>,
) => Promise<void>;

/** Compiles a change that another server has announced, and prepares its domain. */
export type PrepareChange = (change: AnnouncedChange) => Promise<void>;

/** Another server has changed the registry, so that a change must be compiled again on the present one. */
export class RegistryMoved extends Error {}
