/** A query as text, and its answer (docs/http.md#schema-and-console). */
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Standings } from '../../../runtime/delivery/standing.ts';
import type { AskedMoment, Moment } from '../../../runtime/store/journal/moment.ts';
import type { Caller } from '../caller.ts';
import type { WithinRoom } from '../room/within-room.ts';
import type { Shown } from '../shown.ts';

/** A query, and values for the `:name`s in it. */
export interface QueryText {
  readonly sql: string;
  /** Names differ in more than case. */
  readonly parameters: readonly QueryParameter[];
  /** The moment that the request asks for. */
  readonly asOf?: AskedMoment;
  /** Aborts when the caller no longer waits for the answer. */
  readonly signal?: AbortSignal;
}
export interface QueryParameter {
  readonly name: string;
  /** Plain data; a number as JSON spells it. */
  readonly value:
    | { readonly form: 'text' | 'number'; readonly text: string }
    | { readonly form: 'boolean'; readonly value: boolean }
    | { readonly form: 'null' };
}

/** `asOf`: the moment that is asked for. */
export interface QueryAnswer {
  readonly table: Shown<Table>;
  readonly asOf?: Moment;
}

/** Answers a query; throws `TextRefused` for a text that is no query, and for one that fails on its own data. */
export type Query = (text: QueryText, caller: Caller, within: WithinRoom, standings: Standings) => Promise<QueryAnswer>;
