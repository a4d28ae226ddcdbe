/** Options of a client and of its calls. */

export interface ClientOptions {
  /** The address of the server: `http://127.0.0.1:8080`; in a page served from the same address, `''`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; a function is called before each request, so that a token can be renewed. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /**
   * The form of tables in answers: `arrow` by default, which loads the package apache-arrow; `json` needs no package.
   */
  readonly format?: 'arrow' | 'json' | undefined;
  /** The most attempts for a request while there is no answer or the server is busy; 4 by default. */
  readonly attempts?: number | undefined;
  /**
   * The longest wait for the server, in milliseconds: for the start of an answer, then for each 64 KiB of it, of
   * followed events for each piece; 30,000 by default.
   */
  readonly timeout?: number | undefined;
  /** Replaces the platform's own. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Replaces the timer: settles after the milliseconds, or at once when the signal is aborted. Never rejects. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Replaces the platform's own random bytes, for keys of commands and for the spread of pauses. */
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
}

export interface CallOptions {
  /** Ends the call early; it then fails with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Replaces the client's. */
  readonly timeout?: number | undefined;
}

export interface CommandOptions extends CallOptions {
  /** Has one effect on a stream, however often it is sent; created by default, and kept by every attempt. */
  readonly idempotencyKey?: string | undefined;
  /** Refuses with status 412 unless the command's stream is at this seq. */
  readonly expectedSeq?: number | bigint | undefined;
  readonly correlationId?: string | undefined;
  readonly causationId?: string | undefined;
  /** A rejection shows the parts of its guards with their values; a repeated answer has none. */
  readonly explain?: boolean | undefined;
}

export interface PageOptions extends CallOptions {
  /** The most rows; all by default. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** As of this position of the store, or this ISO 8601 time. */
  readonly asOf?: Moment | undefined;
}

/** A position of the store, or an ISO 8601 time. */
export type Moment = number | bigint | string;

/** A value as it is sent: a DECIMAL or BIGINT as text is exact. */
export type SentValue = string | number | bigint | boolean;

/** Conditions for a column, which must all hold; a value alone must be equal. Only `null: true` finds NULL. */
export type Condition =
  | SentValue
  | {
      readonly lt?: SentValue | undefined;
      readonly lte?: SentValue | undefined;
      readonly gt?: SentValue | undefined;
      readonly gte?: SentValue | undefined;
      readonly ne?: SentValue | undefined;
      readonly in?: readonly SentValue[] | undefined;
      /** `%` for any text, `_` for one character, a backslash before either for itself. */
      readonly like?: string | undefined;
      readonly null?: boolean | undefined;
    };

/** A column to sort by, ascending if only its name is given. */
export type SortBy<Column extends string> =
  | Column
  | {
      readonly column: Column;
      readonly direction?: 'asc' | 'desc' | undefined;
      /** NULLs are last ascending and first descending if not given. */
      readonly nulls?: 'first' | 'last' | undefined;
    };

export interface TableOptions<Row> extends PageOptions {
  /** Columns and what must hold for them. */
  readonly where?: { readonly [Column in keyof Row]?: Condition | undefined } | undefined;
  /** Rows that are equal in these columns are in the relation's own order. */
  readonly order?: readonly SortBy<keyof Row & string>[] | undefined;
}

export interface EventOptions extends PageOptions {
  /** Columns, hidden ones too, and what must hold for them. */
  readonly where?: Readonly<Record<string, Condition | undefined>> | undefined;
  /** Only events after this global position. */
  readonly after?: number | bigint | undefined;
  /** Only events with all of these tags: fields marked TAG, and their values. */
  readonly tags?: Tags | undefined;
  /** Events in one request; 5,000 by default. */
  readonly pageSize?: number | undefined;
}

/** Fields and their values, without regard to case. */
export type Tags = Readonly<Record<string, SentValue | undefined>>;

export interface FollowOptions extends CallOptions {
  /** Columns, hidden ones too, and what must hold for them. */
  readonly where?: Readonly<Record<string, Condition | undefined>> | undefined;
  /** Only events after this global position, all by default; `end`: only new ones. */
  readonly after?: number | bigint | 'end' | undefined;
  /** Only events with all of these tags: fields marked TAG, and their values. */
  readonly tags?: Tags | undefined;
  /** Ends after this number of events. */
  readonly limit?: number | undefined;
  /** Called for an event after which the caller no longer sees a stream. */
  readonly onHidden?: ((lost: HiddenStream) => void) | undefined;
  /** Called when a clause, or the answer of its subquery, decides otherwise about the caller; the stream continues then. */
  readonly onAccess?: (() => void) | undefined;
}

/** A stream that the caller no longer sees, with the position of the event that took it away. */
export interface HiddenStream {
  readonly stream_type: string;
  readonly stream_id: string;
  readonly global_position: bigint;
}

/**
 * Events as they are written: `for await` gives the stored ones and then each new one, once, until the loop ends or the
 * signal is aborted. Connections that are cut, a server that restarts and a token that runs out are overcome; only what
 * cannot pass by itself is thrown.
 */
export interface Followed<Event> extends AsyncIterable<Event> {
  /** Events up to this global position: ends when all of them were looked at. */
  readonly until: (position: number | bigint) => AsyncIterable<Event>;
}

/**
 * Rows of a table: `await` gives all of them, `for await` one after the other, with only a part in memory at a time.
 * Nothing is requested before.
 */
export interface Rows<Row> extends PromiseLike<readonly Row[]>, AsyncIterable<Row> {
  /** Asks for the number of all rows, whatever the limit and offset. */
  readonly count: () => Promise<number>;
}

export interface NextOptions extends CallOptions {
  /** The most rows, up to 1,000; 100 by default. */
  readonly max?: number | undefined;
  /** The longest wait for the first row, up to 60; 20 by default. */
  readonly waitSeconds?: number | undefined;
  /** The time for which the rows are this consumer's, up to 3,600; by default as the subscription says. */
  readonly leaseSeconds?: number | undefined;
}

/**
 * A row that was handed out, with its place: the position is the same at every attempt, and the key by which a
 * repeated row is recognised.
 */
export type HandedRow<Row> = Row & {
  readonly position: bigint;
  /** From 1 on. */
  readonly attempt: number;
  /** Set for a row that was parked, and comes out of turn. */
  readonly late: boolean;
};

/** The reason, and when the rows are handed out again: after a growing pause, unless one of the others is given. */
export interface Refusal {
  readonly reason: string;
  readonly delaySeconds?: number | undefined;
  /** An operator decides on the rows. */
  readonly park?: boolean | undefined;
  /** Nothing is handed out until an operator starts the subscription; the rows count no attempt. */
  readonly stop?: boolean | undefined;
}

/** Rows under a lease. Each call takes positions of some rows, or means all of them. */
export interface Handed<Row> {
  readonly lease: string;
  /** ISO 8601; the rows that were not acknowledged are handed out again after it. */
  readonly until: string;
  /** In order within each key. */
  readonly rows: readonly HandedRow<Row>[];
  /** The rows are done. Throws with status 409 when the lease no longer had some of them; the others are done. */
  readonly ack: (positions?: readonly (number | bigint)[], call?: CallOptions) => Promise<void>;
  /** The rows have failed. */
  readonly nack: (refusal: Refusal, positions?: readonly (number | bigint)[], call?: CallOptions) => Promise<void>;
  /** Gives the lease this number of seconds from now; resolves with its new end. */
  readonly extend: (seconds: number, call?: CallOptions) => Promise<string>;
}

/** A subscription: rows are handed out to consumers that compete, at least once. */
export interface Subscribed<Row> {
  /** The next rows under a lease, as soon as there are some; undefined when none came in time. */
  readonly next: (given?: NextOptions) => Promise<Handed<Row> | undefined>;
}
