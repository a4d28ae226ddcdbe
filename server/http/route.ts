import type { ColumnBatch } from '../../language/contract/column-bytes.ts';
import type { Column } from '../../language/contract/query.ts';
import type { Domain } from '../../language/contract/domain.ts';
import type { Table } from '../../runtime/engine/outcome.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import type { Deliveries } from '../../runtime/delivery/deliveries.ts';
import type { Moment } from '../../runtime/store/journal/moment.ts';
import type { QueryOptions, Row } from '../../runtime/store/store.ts';
import type { JsonObject } from '../../language/values/json.ts';
import type { Caller } from '../operation/caller.ts';
import type { Shown } from '../operation/shown.ts';
import type { Rates } from './guard/rates.ts';
import type { Computing, Lease } from '../operation/room/held-results.ts';
import type { EventSource } from '../operation/follow/source.ts';
import type { Followers } from '../operation/follow/followers.ts';
import type { LineReader } from './request/line-reader.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { JsonSchema } from './wire/json-schema.ts';
import type { EnabledBy, HttpOptions } from './options.ts';
import type { Members } from './request/body-members.ts';
import type { QueryPart } from './parameters/parameter-table.ts';
import type { ReadParameters } from './parameters/read-parameters.ts';

/** A row of the route table: everything that routing, authorisation, OpenAPI and documentation know of a route. */
export interface Route {
  /** Unique; the operation id of OpenAPI and the route's name in logs and metrics. */
  readonly name: string;
  readonly method: 'GET' | 'POST';
  /** Parameters as `{agg}`. `{id}` and `{stream_id}` are data, all others safe identifiers. */
  readonly path: string;
  readonly summary: string;
  /** Rights, all of which are required; `{agg}` and the like are replaced by the path's parameters. */
  readonly rights: readonly string[];
  /** Rights that depend on more than the path, which `resolve` finds; for documentation. */
  readonly needs?: readonly string[];
  /** Answered without credentials; `to all`, with more for a caller whose credentials allow it. */
  readonly open?: true | 'to all';
  /** A `page` is HTML and nothing else; `lines` are of JSON, each of its own shape. */
  readonly answers: 'table' | 'status' | 'text' | 'lines' | 'page';
  /** A status that is also a page, for a caller who prefers one. */
  readonly readable?: true;
  /** The rows of a table, for OpenAPI. */
  readonly rows?: RowsOf;
  /** The JSON Schema of a status, for OpenAPI. */
  readonly schema?: JsonSchema;
  /** A status that is also an Arrow stream of rows, for a caller who prefers one. */
  readonly asArrow?: true;
  /** Statuses in addition to those that any route may answer with (400, 401, 403, 404, 405; 406 of a table, 304 by its freshness). */
  readonly statuses: readonly number[];
  /** Accepted query parameters (`parameter-table.ts`). */
  readonly query: readonly QueryPart[];
  /**
   * Set if the route answers as of a moment: from the events or recorded commands up to it, one stream, relations of that moment, or the
   * registry of that moment.
   */
  readonly past?: 'events' | 'commands' | 'stream' | 'relation' | 'registry';
  /** Decides how long a client's copy is valid. */
  readonly freshness: 'store' | 'stream' | 'never';
  /** Tells of this server, not of the log: answered without a question to the log. */
  readonly local?: true;
  /** Refused in read-only mode, and audited. */
  readonly mutates?: true;
  /** The kind of a POST's JSON body. */
  readonly body?: 'command' | 'schema' | 'query' | 'members';
  /** The members of a body of that kind, and those that it must have. */
  readonly members?: Members;
  readonly required?: readonly string[];
  /** Whether this server has the route; absent means always. */
  readonly enabled?: (options: EnabledBy) => boolean;
  /** Finds the named resource (throwing 404), before any right is checked. */
  readonly resolve: (call: Call) => Access | Promise<Access>;
}

/** The relation that has the rows of a table: `subscriptions` and `reactions` say how far these have come; `access` what the caller may do; `outcome` of a command; `result` of a query or an inspection, whose columns no schema tells. */
export type RowsOf =
  | 'state'
  | 'events'
  | 'log'
  | 'projection'
  | 'subscriptions'
  | 'reactions'
  | 'access'
  | 'outcome'
  | 'result'
  | `meta_${string}`;

/** The resource of a path, and how to answer for it once the rights are checked. */
export interface Access {
  /** Rights that depend on the data, in addition to the route's own. */
  readonly needs?: readonly string[];
  /** The columns that parameters may name. */
  readonly columns?: readonly Column[];
  /** Set if the answer may change without a write: it gets no entity tag and no `304`. */
  readonly usesTime?: boolean;
  /** Its answer may also be lines of JSON. */
  readonly asLines?: true;
  /** The relations that it shows, by whose clauses callers see different rows and values. */
  readonly shows?: readonly string[];
  /** The position of the stream, for a route of freshness `stream`; of one that the caller may not see that of a stream without events. */
  readonly seq?: () => number | Promise<number>;
  /** The number of rows without limit and offset, for a route that takes `count`. */
  readonly count?: (parameters: ReadParameters) => Promise<number>;
  /** The events that a stream follows, for a route that takes `follow`. */
  readonly follow?: (parameters: ReadParameters) => EventSource;
  readonly answer: (parameters: ReadParameters, wanted: Wanted) => Answer | Promise<Answer>;
}

export interface Wanted {
  /** The answer's form also accepts rows by column. */
  readonly byColumn: boolean;
  /** The caller prefers a page, and the route has one. */
  readonly asPage: boolean;
  /** The caller asked for the number of all rows, which is then the answer's `total`. */
  readonly counted: boolean;
}

/** A request in the project's own terms; no handler sees Koa. */
export interface Call {
  readonly options: HttpOptions;
  /** The handler table that this request began with, and finishes on. */
  readonly domain: Domain;
  /** The time that expressions see, in µs since 1970, of an answer about the past. */
  readonly instant?: bigint;
  /** The moment of an answer about the past. */
  readonly moment?: Moment;
  /** The engine of the present, of an answer from past relations. */
  readonly present?: Engine;
  /** Present if not the read model of the present computes its results, which then do not wait for each other. */
  readonly computing?: Extract<Computing, 'other'>;
  /** The rows of the route table that this server has. */
  readonly routes: readonly Route[];
  readonly metrics: Metrics;
  readonly caller: Caller;
  /** The caller by the policy that is in force now, if another one has come since the last question; rejects if the credentials no longer count. */
  readonly renewed: () => Promise<Caller> | undefined;
  readonly path: Readonly<Record<string, string>>;
  /** A header by its lower-case name; an empty one counts as absent. */
  readonly header: (name: string) => string | undefined;
  /** Each value of the header of that lower-case name as it was sent. */
  readonly sent: (name: string) => readonly string[];
  readonly body: (limits: { readonly bytes: number; readonly stringBytes: number }) => Promise<JsonObject>;
  /** The body line by line, for any number of lines. */
  readonly lines: () => LineReader;
  /** Whether the client can tell a whole answer of unknown length from one that was cut. */
  readonly isHttp11: boolean;
  /** The streams of this server that follow the log. */
  readonly followers: Followers;
  readonly deliveries: Deliveries;
  /** Calls back once the connection no longer takes the answer, and says whether all of it was sent. */
  readonly whenClosed: (then: (isSent: boolean) => void) => void;
  readonly rates: Rates;
  /** This request's share of the budget of all results. */
  readonly lease: Lease;
  /** For queries of this call: the entries that it needs are there, and the answer says which it shows. */
  readonly reading: Required<Pick<QueryOptions, 'local' | 'shows'>>;
  /** Whether the answer shows what this server has, rather than the latest. */
  readonly isLocal: boolean;
  /** Adds to the request's log line. */
  readonly log: (fields: Readonly<Record<string, string | number | boolean>>) => void;
}

export type Answer = { /** Rows without limit and offset. */ readonly total?: number } & (
  | { readonly kind: 'table'; readonly table: Shown<Table>; readonly headers?: Readonly<Record<string, string>> }
  /** Rows in batches, the first of which is already read. */
  | { readonly kind: 'batches'; readonly columns: readonly Column[]; readonly batches: AsyncIterable<readonly Row[]> }
  /** A table by column; `whole` if all batches are already read. */
  | {
      readonly kind: 'columns';
      readonly columns: readonly Column[];
      readonly batches: AsyncIterable<ColumnBatch>;
      readonly whole: boolean;
    }
  /** Pieces that come for as long as the caller takes them; each is sent at once. */
  | { readonly kind: 'stream'; readonly contentType: string; readonly pieces: AsyncIterable<Uint8Array> }
  /** 204. */
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly text: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'bytes';
      readonly contentType: string;
      readonly bytes: Uint8Array;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'text'; readonly type: string; readonly text: string }
);

/** A status answer of plain data. */
export function json(status: number, body: unknown): Answer {
  return { kind: 'json', status, text: JSON.stringify(body) };
}

/** Whether answers of the route depend on the entries of the log. */
export function readsLog(route: Route): boolean {
  return route.local !== true && (route.freshness !== 'never' || route.body === 'query');
}
