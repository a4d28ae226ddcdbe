/**
 * The optional cells of a command's entry that have a name. A reader refuses a name that is not here, because a cell may change what its
 * entry means. An added cell raises `logFormat`, so that an older version refuses the segment before it reads a line of it.
 */
import {
  fieldProblem,
  hexOf,
  listOf,
  objectText,
  optional,
  record,
  textUpTo,
  wholeFrom,
  type Check,
  type Checks,
} from './form-check.ts';

/** What can be recorded of a command beside its outcome, and where it came from when a reaction sent it. */
export interface CommandCells {
  /**
   * The decoded arguments: a JSON object text in the payload forms of `values/payload.ts`. Fields that were left out have their
   * defaults; those of `withheld` are missing.
   */
  readonly arguments?: string;
  /** Fields that the caller left out, so that `arguments` has their default. */
  readonly defaulted?: readonly string[];
  /** SENSITIVE fields that had a value, which is not kept. */
  readonly withheld?: readonly string[];
  /** What the draws of chance were made from: hex of 16 bytes. */
  readonly seed?: string;
  /** The caller as authentication names it; `reaction:<Name>` where a reaction sent the command. */
  readonly subject?: string;
  /**
   * How many schema entries made up the registry that decided it. Absent where these are the schema entries before this one, because
   * then the place in the log tells it.
   */
  readonly registry?: number;
  /** Branches of the decision that emitted, from 1, ascending. */
  readonly branches?: readonly number[];
  /** Code and sentence of the failure of its own schema on this data that ended the command. */
  readonly failure?: string;
  /** The reaction that this entry answers, durable together with it. */
  readonly reaction?: ReactionMark;
  /** How many reactions led to it, since the last one that waited. Absent where none did. */
  readonly depth?: number;
}

/** "This reaction has answered this event": with it a reaction has its effect once, whatever is repeated. */
export interface ReactionMark {
  readonly name: string;
  /** Number of the schema entry that created the reaction: one of the same name that was dropped in between answers again. */
  readonly generation: number;
  /** Global position of the event. */
  readonly position: number;
  /** The branch, where it waited for its time. Absent: all branches that do not wait are answered, in the entries of one turn. */
  readonly branch?: string;
  /** Every event up to this position was looked at. */
  readonly low?: number;
}

/** A name or a label; longer than any that the language takes. */
const name = textUpTo(256);
const names = listOf(name, 10_000);
const mark: Checks<ReactionMark> = {
  name,
  generation: wholeFrom(1),
  position: wholeFrom(1),
  branch: optional(name),
  low: optional(wholeFrom(0)),
};
const argumentsText: Check = (value) => textUpTo(1024 * 1024)(value) && objectText(value);
/** As much as the head of a request may have. */
const subject = textUpTo(16 * 1024);

/** What each cell holds. */
export const commandCells: Checks<CommandCells> = {
  arguments: argumentsText,
  defaulted: names,
  withheld: names,
  seed: hexOf(16),
  subject,
  registry: wholeFrom(0),
  branches: listOf(wholeFrom(1), 10_000),
  failure: textUpTo(64 * 1024),
  reaction: record(mark),
  depth: wholeFrom(1, 65_535),
};

const optionalCells = Object.fromEntries(Object.entries(commandCells).map(([cell, check]) => [cell, optional(check)]));

/** What is wrong with the cells of a command. */
export function cellsProblem(cells: unknown): ReturnType<typeof fieldProblem> {
  const problem = fieldProblem(cells, optionalCells);
  if (problem !== undefined) return problem;
  const { arguments: kept, defaulted, withheld } = cells as CommandCells; // checked on the line before
  if (kept === undefined && defaulted !== undefined) return { field: 'defaulted', known: true };
  return kept === undefined && withheld !== undefined ? { field: 'withheld', known: true } : undefined;
}
