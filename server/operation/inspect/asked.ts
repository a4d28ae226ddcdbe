/** The questions of an inspection and their answers, for doors that hold a result (docs/http.md#inspections). */
import type { Domain } from '../../../language/contract/domain.ts';
import type { JsonObject } from '../../../language/values/json.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { AskedMoment, Moment } from '../../../runtime/store/journal/moment.ts';
import type { Caller } from '../caller.ts';
import type { OutcomeReader } from '../shown.ts';
import type { ResultBudget, WithinRoom } from '../room/within-room.ts';
import type { Shown } from '../shown.ts';

/**
 * Decides commands or shows a projection without effect (docs/http.md#inspections). Fails with `InputFailure` if a command cannot be decided,
 * with `TextRefused` if the schema of the request does not compile, and with `Overtaken` if `domain`, in which the asked block was found, is no longer in force.
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
  /** Maximum number of them. */
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
  /** As of an `OutcomeReader`. */
  readonly streams?: OutcomeReader['streams'];
  /** For rows that are made one by one: `takes` receives their bytes as they grow. */
  readonly budget: ResultBudget;
  /** For a query. */
  readonly within: WithinRoom;
  /** Aborts when the caller no longer waits for the answer. */
  readonly signal?: AbortSignal;
}

export type InspectAnswer =
  /** `asOf`: the moment that the request asks for. `branches` of a decision. */
  | {
      readonly answer: 'inspected';
      readonly table: Shown<Table>;
      readonly branches?: Shown<Table>;
      readonly asOf?: Moment;
    }
  /** The JSON of a rehearsal. */
  | { readonly answer: 'rehearsed'; readonly text: string; readonly commands: number };
