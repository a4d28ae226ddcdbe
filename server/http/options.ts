import type { ColumnBatch } from '../../language/contract/column-bytes.ts';
import type { Column } from '../../language/contract/query.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Explain } from '../../runtime/engine/explain.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import type { QueryOptions, Row } from '../../runtime/store/store.ts';
import type { Caller } from '../operation/caller.ts';
import type { Created } from '../operation/change.ts';
import type { Inspect } from '../operation/inspect/asked.ts';
import type { InspectedTable, Side } from '../operation/kept.ts';
import type { Query } from '../operation/query/asked.ts';
import type { Over } from '../place/open-place.ts';
import type { Place } from '../place/place.ts';
import type { Log } from './log/log.ts';
import type { HttpSettings } from './settings.ts';
import type { CommandsRelation } from '../operation/read/commands.ts';
import type { LateReads } from '../operation/read/reader.ts';
import type { DeliveriesOptions } from '../../runtime/delivery/deliveries.ts';

/** The options that decide which routes a server has. */
export interface EnabledBy {
  readonly settings: Pick<HttpSettings, 'metrics'>;
  /** `/api/lang/create`. */
  readonly create?: boolean;
  /** `/api/query`. */
  readonly console?: boolean;
  /** `/api/inspect`. */
  readonly inspect?: boolean;
}

/** All inputs of the HTTP layer. It knows no store, no encoder and no compiler; the server entry connects them here. */
export interface HttpOptions extends EnabledBy {
  readonly engine: Engine;
  /** The product's version, as shown by `/info`. */
  readonly version: string;
  readonly settings: HttpSettings;
  /** The operations that need the compiler, which is loaded once the server answers. Fails with R0411 if it cannot be loaded. */
  readonly late: () => Promise<Late>;
  readonly arrow: ArrowEncoding;
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

/** The operations that need the compiler. */
export interface Late extends LateReads {
  /** The rows of `meta_inspections`: name, kind, input_table, output_table, full_sql. */
  readonly inspections: (options: QueryOptions) => Promise<readonly Row[]>;
  /** A table that a recorded inspection wrote or read. */
  readonly inspected: (
    table: string,
    side: Side | 'either',
    options: QueryOptions,
  ) => Promise<InspectedTable | undefined>;
  readonly commands: (domain: Domain, aggregate: string) => Promise<CommandsRelation>;
  /** The store as it was (docs/http.md#the-past); the caller closes the place soon. */
  readonly past: (domain: Domain, over: Over) => Promise<Place>;
  /** `GET /api/access`. */
  readonly access: (domain: Domain, caller: Caller) => Promise<Table>;
  /** `POST /api/lang/create`. */
  readonly create: (text: string) => Promise<Created>;
  /** `POST /api/query`. */
  readonly query: Query;
  /** Explains the rejections of a decision of the domain (`explain=true`). */
  readonly explain: (domain: Domain, decision: string) => Promise<Explain | undefined>;
  /** `POST /api/inspect`. */
  readonly inspect: Inspect;
}

/** Ways in which subscriptions reach other systems (docs/operation.md#webhooks). */
export type PushOptions = Pick<
  DeliveriesOptions,
  'environment' | 'openedAt' | 'rests' | 'resolve' | 'chance' | 'pause'
>;

export interface Time {
  /** ms since 1970. */
  readonly now: () => number;
  /** ms on a monotonic clock, for durations. */
  readonly monotonic: () => number;
}

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
