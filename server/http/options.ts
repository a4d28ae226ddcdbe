import type { ColumnBatch } from '../../language/contract/column-bytes.ts';
import type { Column, CompiledQuery } from '../../language/contract/query.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Filter, Selection } from '../../language/contract/selection.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Explain } from '../../runtime/engine/explain.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import type { AskedMoment, Moment } from '../../runtime/store/past/moment.ts';
import type { PastOptions, QueryOptions, Row } from '../../runtime/store/store.ts';
import type { JsonObject } from '../../language/values/json.ts';
import type { Value } from '../../language/values/type.ts';
import type { Caller } from '../operation/caller.ts';
import type { Shown } from '../operation/shown.ts';
import type { Log } from './log/log.ts';
import type { HttpSettings } from './settings.ts';
import type { WithinRoom } from './pipeline/within-room.ts';
import type { Standings } from '../../runtime/delivery/standing.ts';

/** All inputs of the HTTP layer. It knows no store, no encoder and no compiler; the server entry connects them here. */
export interface HttpOptions {
  readonly engine: Engine;
  /** The product's version, as shown by `/info`. */
  readonly version: string;
  readonly settings: HttpSettings;
  readonly select: Select;
  readonly inspections: Inspections;
  readonly commands: RecordedCommands;
  readonly past: Past;
  readonly archive: ArchiveOfEvents;
  readonly arrow: ArrowEncoding;
  /** `POST /api/lang/create`; absent if it is not enabled. */
  readonly create?: (text: string, subject: string) => Promise<CreateAnswer>;
  /** `POST /api/query`; absent if it is not enabled. */
  readonly console?: (
    text: ConsoleText,
    caller: Caller,
    within: WithinRoom,
    standings: Standings,
  ) => Promise<ConsoleAnswer>;
  /** Explains the rejections of a decision of the domain (`explain=true`). */
  readonly explain: (domain: Domain, decision: string) => Promise<Explain | undefined>;
  /** `POST /api/inspect`; absent if it is not enabled. */
  readonly inspect?: Inspect;
  /** Resolves once every part that a request may need is loaded; until then the server is not ready. Fails with R0411 if a part cannot be loaded. */
  readonly loaded: () => Promise<void>;
  /** Aborted when the server begins to stop; readiness fails at once. */
  readonly stopping: AbortSignal;
  readonly log: Log;
  readonly time: Time;
  readonly push: PushOptions;
  /** Fills with random bytes. */
  readonly randomBytes: (length: number) => Uint8Array;
}

/** How subscriptions reach other systems (docs/operation.md#webhooks). */
export interface PushOptions {
  /** Variables with the addresses and secrets of webhooks. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The last entry of the log when this process opened it: a webhook created before must have a place beside the log. */
  readonly openedAt: number;
  /** Why this server sends nothing. */
  readonly rests?: string;
  /** All addresses of a name. */
  readonly resolve: (host: string) => Promise<readonly string[]>;
  /** From 0 up to 1, for the time of another try. */
  readonly chance: () => number;
  /** Resolves after so many ms, or at the abort. */
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
}

/** A place of `server/place` as of a moment (docs/http.md#the-past), which the caller closes soon. */
export type Past = (
  domain: Domain,
  over: PastOptions & {
    readonly moment: Moment;
    /** All relations if absent; nothing but the definitions of then, or some streams of what there is now. */
    readonly reads?: { readonly by: 'nothing' | 'registry' | 'streams' | 'history'; readonly registry: boolean };
  },
) => Promise<{ readonly engine: Engine; readonly domain: Domain; readonly close: () => Promise<void> }>;

export interface Time {
  /** ms since 1970. */
  readonly now: () => number;
  /** ms on a monotonic clock, for durations. */
  readonly monotonic: () => number;
}

/** Compiles a selection against a domain (not always the newest: a read finishes on the domain it began with). */
export type Select = (
  domain: Domain,
  selection: Selection,
) => Promise<{ readonly query: CompiledQuery; readonly parameters: readonly Value[] }>;

export interface Inspections {
  /** The rows of `meta_inspections`: name, kind, input_table, output_table, full_sql. */
  readonly records: (options: QueryOptions) => Promise<readonly Row[]>;
  /**
   * A table that a recorded inspection read (`input`) or wrote (`output`, including its `__branches` companion); `either` looks for both,
   * outputs first. Undefined when no inspection recorded it. The options are for reading the records.
   */
  readonly find: (
    table: string,
    side: 'input' | 'output' | 'either',
    options: QueryOptions,
  ) => Promise<InspectedTable | undefined>;
}
/** The lines of `GET /api/archive`, in pieces: the events after a position or from a time on, as far as the caller may read them. */
export type ArchiveOfEvents = (asked: {
  readonly domain: Domain;
  readonly caller: Caller;
  /** A position, or a time in µs since 1970. */
  readonly after: number | { readonly time: bigint };
}) => Promise<AsyncGenerator<Uint8Array, void, undefined>>;

/** The recorded commands of an aggregate. */
export type RecordedCommands = (
  domain: Domain,
  aggregate: string,
) => Promise<{
  /** The hidden ones last. */
  readonly columns: readonly Column[];
  /** In the order of the log. */
  readonly read: (asked: CommandsAsked) => Promise<Shown<Table>>;
}>;
export interface CommandsAsked {
  readonly filters: readonly Filter[];
  readonly select: readonly string[];
  readonly caller: Caller;
  readonly limit?: number;
  readonly offset?: number;
  /** The moment of the past that they are asked as of. */
  readonly until?: Moment;
  readonly budget: InspectedBudget;
}
/** A table kept by an inspection. */
export interface InspectedTable {
  /** For a decision its aggregate; for a projection every aggregate that it reads. */
  readonly aggregates: readonly string[];
  readonly read: (options: {
    readonly caller: Caller;
    readonly limit?: number;
    readonly offset?: number;
    readonly budget: InspectedBudget;
  }) => Promise<Shown<Table>>;
}
/** Past the limit of bytes or milliseconds the read fails with a `Failure` of kind `budget`; the size of the rows is announced before the rows. */
export type InspectedBudget = Required<Pick<QueryOptions, 'bytes' | 'milliseconds' | 'takes'>>;

/** The encoders of `runtime/arrow`. */
export interface ArrowEncoding {
  readonly whole: (table: Table) => Uint8Array;
  readonly stream: (columns: readonly Column[], batches: AsyncIterable<readonly Row[]>) => AsyncIterable<Uint8Array>;
  /** Rows by column: a STRUCT is a BOOLEAN that says whether it exists, then its fields. */
  readonly byColumn: (columns: readonly Column[], batches: AsyncIterable<ColumnBatch>) => AsyncIterable<Uint8Array>;
  /** The parts of a stream that follows the log. */
  readonly followed: {
    readonly schema: (columns: readonly Column[]) => Uint8Array;
    readonly rows: (columns: readonly Column[], rows: readonly Row[]) => Uint8Array;
    /** A record batch without rows, with this metadata. */
    readonly mark: (columns: readonly Column[], metadata: ReadonlyMap<string, string>) => Uint8Array;
    readonly end: Uint8Array;
  };
}

/** `forbidden`: a statement other than CREATE of a block (403). `invalid`: does not compile (400). `messages` name statement or line:column. */
export type CreateAnswer =
  | { readonly answer: 'created'; readonly registryVersion: number; readonly created: readonly CreatedBlock[] }
  | { readonly answer: 'refused'; readonly why: 'forbidden' | 'invalid'; readonly messages: readonly string[] };
export interface CreatedBlock {
  readonly kind: string;
  readonly name: string;
  readonly change: 'created' | 'replaced' | 'unchanged';
  /** Of a reaction that was replaced: its commands that wait for their time, and those of branches that are gone. */
  readonly waits?: { readonly waiting: number; readonly cancelled: number };
}

/** A query for the console, and values for the `:name`s in it. */
export interface ConsoleText {
  readonly sql: string;
  /** Names differ in more than case. */
  readonly parameters: readonly ConsoleParameter[];
  /** The moment that the request asks for. */
  readonly asOf?: AskedMoment;
}
export interface ConsoleParameter {
  readonly name: string;
  /** Plain data; a number as JSON spells it. */
  readonly value:
    | { readonly form: 'text' | 'number'; readonly text: string }
    | { readonly form: 'boolean'; readonly value: boolean }
    | { readonly form: 'null' };
}

/**
 * `forbidden`: not a query (403). `invalid`: any other fault (400, with line:column), including a relation that the caller may not read;
 * `denied` names the missing right, only for the log.
 */
export type ConsoleAnswer =
  /** `asOf`: the moment that the text asks for. */
  | { readonly answer: 'table'; readonly table: Shown<Table>; readonly asOf?: Moment }
  | {
      readonly answer: 'refused';
      readonly why: 'forbidden' | 'invalid';
      readonly messages: readonly string[];
      readonly denied?: string;
    };

/**
 * Decides commands or shows a projection without effect (docs/http.md#inspections). Fails with `InputFailure` if a command cannot be decided,
 * and with `Overtaken` if `domain`, in which the asked block was found, is no longer in force.
 */
export type Inspect = (asked: InspectAsked, options: InspectOptions) => Promise<InspectAnswer>;

export interface InspectAsked {
  readonly inspected: AskedDecision | AskedRecorded | AskedRehearsal | AskedProjection;
  /** The moment whose state it reads; the present if absent. */
  readonly asOf?: AskedMoment;
  /** Definitions in place of the registered ones of their names. */
  readonly schema?: string;
  /** The name under which the result is recorded; without it nothing is written. */
  readonly into?: string;
}
export interface AskedDecision {
  readonly kind: 'decision';
  readonly name: string;
  /** Arguments, as those of a command. */
  readonly commands: readonly JsonObject[];
}
/** The recorded commands of a decision, each on the state just before it. */
export interface AskedRecorded {
  readonly kind: 'recorded';
  readonly name: string;
  /** Only those after this moment. */
  readonly since?: AskedMoment;
  /** The numbers of their entries; all if absent. */
  readonly chosen?: ReadonlySet<number>;
  /** So many of them. */
  readonly limit?: number;
  /** Beyond these, without a limit of the request, it fails. */
  readonly most: number;
}
/** All recorded commands, or those of a decision, under the schema of the request. */
export interface AskedRehearsal {
  readonly kind: 'rehearsal';
  readonly name?: string;
  readonly since?: AskedMoment;
}
export interface AskedProjection {
  readonly kind: 'projection';
  readonly name: string;
}
export interface InspectOptions {
  readonly domain: Domain;
  readonly caller: Caller;
  /** For rows that are made one by one: `takes` receives their bytes as they grow. */
  readonly budget: InspectedBudget;
  /** For a query. */
  readonly within: WithinRoom;
}

/** `refused`: the schema of the request does not compile (400, with line:column). */
export type InspectAnswer =
  /** `asOf`: the moment that the request asks for. `branches` of a decision. */
  | {
      readonly answer: 'inspected';
      readonly table: Shown<Table>;
      readonly branches?: Shown<Table>;
      readonly asOf?: Moment;
    }
  /** The JSON of a rehearsal. */
  | { readonly answer: 'rehearsed'; readonly text: string; readonly commands: number }
  | { readonly answer: 'refused'; readonly messages: readonly string[] };
