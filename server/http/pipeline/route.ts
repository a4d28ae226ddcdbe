import type { ColumnBatch } from '../../../language/contract/column-bytes.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { Domain } from '../../../language/contract/domain.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';
import type { JsonObject } from '../../../language/values/json.ts';
import type { Caller } from '../auth/caller.ts';
import type { Lease } from '../held-results.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { HttpOptions } from '../options.ts';
import type { ReadParameters } from '../request/read-parameters.ts';

/** One row of the route table: all that routing, authorisation, OpenAPI and documentation know of a route. */
export interface Route {
  /** Unique; the operation id of OpenAPI and the route's name in logs and metrics. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Parameters as `{agg}`. `{id}` and `{stream_id}` are data, all others safe identifiers. */
  readonly path: string;
  readonly summary: string;
  /** Rights needed, all of them; `{agg}` and the like stand for the path's parameters. */
  readonly rights: readonly string[];
  /** Answered without credentials. */
  readonly open?: true;
  readonly answers: 'table' | 'status' | 'text';
  /** Statuses other than those that any route may answer with (400, 401, 403, 404, 405; 406 of a table, 304 by its freshness). */
  readonly statuses: readonly number[];
  /** Query parameters taken: `page` is limit and offset, `after` a global position, `filters` a value a column. */
  readonly query: readonly ('page' | 'filters' | 'after')[];
  /** What decides whether a client's copy is still good. */
  readonly freshness: 'store' | 'stream' | 'never';
  /** Refused in read-only mode, and audited. */
  readonly mutates?: true;
  /** The JSON body's kind, of a POST. */
  readonly body?: 'command' | 'schema' | 'query';
  /** Whether this server has the route at all; absent means always. */
  readonly enabled?: (options: EnabledBy) => boolean;
  /** Finds what the path names (throwing 404), before any right is looked at. */
  readonly resolve: (call: Call) => Access | Promise<Access>;
}

/** What decides which routes a server has. */
export type EnabledBy = Pick<HttpOptions, 'settings' | 'create' | 'console'>;

/** What a path names, and how to answer once the caller may. */
export interface Access {
  /** Rights that only the data can name, beside the route's own. */
  readonly needs?: readonly string[];
  /** The columns that `?column=value` may name. */
  readonly filterable?: readonly Column[];
  /** Set where the answer may change while nothing is written: it gets no entity tag and no `304`. */
  readonly changesWithTime?: boolean;
  /** The position of the one stream behind a route of freshness `stream`. */
  readonly seq?: () => Promise<number>;
  /** `byColumn`: the answer's form takes rows by column, too. */
  readonly answer: (parameters: ReadParameters, byColumn: boolean) => Answer | Promise<Answer>;
}

/** A request in our own words; nothing of Koa reaches a handler. */
export interface Call {
  readonly options: HttpOptions;
  /** The handler table that this request began with, and finishes on. */
  readonly domain: Domain;
  /** The rows of the table that this server has. */
  readonly routes: readonly Route[];
  readonly metrics: Metrics;
  readonly caller: Caller;
  readonly path: Readonly<Record<string, string>>;
  /** A header by its lower-case name. */
  readonly header: (name: string) => string | undefined;
  /** Whether the header of that lower-case name was sent more than once. */
  readonly repeated: (name: string) => boolean;
  readonly body: (limits: { readonly bytes: number; readonly stringBytes: number }) => Promise<JsonObject>;
  /** What is held for this request of the budget of all results. */
  readonly lease: Lease;
  /** Adds to the request's log line. */
  readonly note: (fields: Readonly<Record<string, string | number | boolean>>) => void;
}

export type Answer =
  | { readonly kind: 'table'; readonly table: Table; readonly headers?: Readonly<Record<string, string>> }
  /** Rows that come in batches, the first of them read already. */
  | { readonly kind: 'batches'; readonly columns: readonly Column[]; readonly batches: AsyncIterable<readonly Row[]> }
  /** The same by column; `whole` where they are read already, all of them. */
  | {
      readonly kind: 'columns';
      readonly columns: readonly Column[];
      readonly batches: AsyncIterable<ColumnBatch>;
      readonly whole: boolean;
    }
  | { readonly kind: 'json'; readonly status: number; readonly text: string }
  | { readonly kind: 'text'; readonly type: string; readonly text: string };

/** A status answer of plain data. */
export function json(status: number, body: unknown): Answer {
  return { kind: 'json', status, text: JSON.stringify(body) };
}
