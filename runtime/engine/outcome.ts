import type { CallerIdentity, CallerValues } from '../../language/contract/caller.ts';
import type { JsonObject } from '../../language/values/json.ts';
import type { Decided } from '../../language/contract/decision.ts';
import type { Column } from '../../language/contract/query.ts';
import type { ReactionChain, ReactionMark } from '../store/cells.ts';
import type { Row } from '../store/store.ts';
import type { Type, Value } from '../../language/values/type.ts';

/** A command to decide, with its arguments as sent. */
export interface ExecuteRequest {
  readonly command: string;
  /** Over HTTP the aggregate of the path; a decision for another one is refused. */
  readonly aggregate?: string;
  readonly arguments: JsonObject;
  readonly commandId?: string;
  readonly expectedSeq?: number;
  /** `expectedSeq` was read from another store, so that it never matches. */
  readonly expectedElsewhere?: true;
  readonly correlationId?: string;
  readonly causationId?: string;
  /** Absent where callers are not distinguished: then no ALLOW refuses. */
  readonly caller?: CallerIdentity;
  /** The reaction that sends it, if it is one. */
  readonly origin?: CommandOrigin;
  /**
   * Set for a command of a sender that limits the number of its waiting commands: it is never refused because others wait, and lets the
   * others go first.
   */
  readonly waitsInLine?: true;
}

/** Gets the result of its command, or why there is none: the two functions of a promise, which need not be one. */
export interface Caller<T> {
  readonly resolve: (result: T) => void;
  readonly reject: (error: unknown) => void;
}

/** Stored with the outcome of a command that a reaction sends. */
export interface CommandOrigin {
  readonly reaction: ReactionMark;
  /** Number of reactions that led to it. */
  readonly depth?: number;
  readonly chain: ReactionChain;
}

/** The outcome of a command. */
export interface Outcome {
  readonly outcome: 'emitted' | 'rejected';
  /** Read from the record of an earlier command with the same id, without deciding again. */
  readonly replayed: boolean;
  readonly streamType: string;
  readonly streamId: string;
  /** Seq of the command's own stream after the command. */
  readonly head: number;
  readonly events: readonly EmittedEvent[];
  /** The number of its entry in the log; of a rejection that is not recorded, of the last entry that the decision saw. */
  readonly entry: number;
  readonly rejection?: Rejection;
  /** The decision, and its branches that emitted, from 1. Absent when the command was decided earlier or elsewhere. */
  readonly decided?: {
    readonly decision: string;
    readonly branches: readonly number[];
    /** By branch, as the decision gave them. */
    readonly emissions: Decided;
  };
}
export interface EmittedEvent {
  readonly type: string;
  readonly streamType: string;
  readonly streamId: string;
  readonly seq: number;
  readonly fields: readonly NamedValue[];
}
export interface Rejection {
  readonly decision: string;
  readonly guards: readonly FailedGuard[];
  /** Absent for a reader who may not see what STATE reads. */
  readonly state?: readonly NamedValue[];
  readonly command: readonly NamedValue[];
  /** The time of the command, µs since 1970; absent if it was decided earlier or elsewhere. */
  readonly at?: bigint;
  /** The caller as the decision read it, for terms of guards; it is never shown. */
  readonly caller?: CallerValues;
}
export interface FailedGuard {
  readonly branch: string | null;
  readonly guard: string | null;
  /** Its conjuncts, if they were asked for. */
  readonly terms?: readonly ExplainedTerm[];
}
/** A part of a guard with its value, as it may be shown to any caller (docs/language.md#why-a-command-was-rejected). */
export interface ExplainedTerm {
  readonly term: string;
  /** Absent if the part failed or is masked. */
  readonly value?: boolean | null;
  /** The code of a failure and its message. */
  readonly failed?: string;
  /** True if it reads a SENSITIVE value, or state that the reader may not see. */
  readonly masked?: true;
  /** Values that a part without parts reads; arguments begin with `:`. */
  readonly operands?: readonly Omit<NamedValue, 'sensitive'>[];
  readonly terms?: readonly ExplainedTerm[];
}
export interface NamedValue {
  readonly name: string;
  readonly type: Type;
  readonly sensitive: boolean;
  readonly value: Value;
}

export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}
