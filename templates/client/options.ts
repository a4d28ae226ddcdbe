/** What a caller may say to a client and with each call; no more than types. */

export interface ClientOptions {
  /** Where the server is: `http://127.0.0.1:8080`; in a page that the same server's address serves, `''`. */
  readonly baseUrl: string;
  /** Sent as a bearer token; a function is asked before each request, so that a token may be renewed. */
  readonly token?: string | (() => string | Promise<string>) | undefined;
  /** How tables travel: `arrow` if not given, which loads the package apache-arrow; `json` needs no package. */
  readonly format?: 'arrow' | 'json' | undefined;
  /** How often a request is sent at most while there is no answer or the server is busy; 4 if not given. */
  readonly attempts?: number | undefined;
  /**
   * Milliseconds to wait for the server at a time: for an answer to begin, then for each piece of it; 30,000 if not
   * given.
   */
  readonly timeout?: number | undefined;
  /** Instead of the platform's own. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Instead of a timer: settles after so many milliseconds, or at once when the signal says so. Never rejects. */
  readonly sleep?: ((milliseconds: number, signal?: AbortSignal) => Promise<void>) | undefined;
  /** Instead of the platform's own randomness, for keys of commands and for the spread of pauses. */
  readonly randomBytes?: ((count: number) => Uint8Array) | undefined;
}

export interface CallOptions {
  /** Ends the call early; it then fails with the signal's own reason. */
  readonly signal?: AbortSignal | undefined;
  /** Instead of the client's. */
  readonly timeout?: number | undefined;
}

export interface CommandOptions extends CallOptions {
  /** The same key on the same stream has one effect; made where none is given, and kept by every attempt. */
  readonly idempotencyKey?: string | undefined;
  /** Refuses with status 412 unless the command's stream is at this seq. */
  readonly expectedSeq?: number | bigint | undefined;
  readonly correlationId?: string | undefined;
  readonly causationId?: string | undefined;
}

export interface PageOptions extends CallOptions {
  /** So many rows at most; all if not given. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface StateOptions extends PageOptions {
  /** Columns and the values that they must have. */
  readonly where?: Readonly<Record<string, string | number | bigint | boolean>> | undefined;
}

export interface EventOptions extends StateOptions {
  /** Only events behind this global position. */
  readonly after?: number | bigint | undefined;
  /** Events asked for at a time; 5,000 if not given. */
  readonly pageSize?: number | undefined;
}

/**
 * Rows of a table: `await` gives all of them, `for await` one after the other, with only a part in memory at a time.
 * Nothing is asked for before.
 */
export interface Rows<Row> extends PromiseLike<readonly Row[]>, AsyncIterable<Row> {}
