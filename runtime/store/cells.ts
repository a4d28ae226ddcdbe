/**
 * The optional cells of a command's entry that have a name. A reader refuses an unknown name, because a cell may change
 * the meaning of its entry. A new cell needs a new `logFormat`, so that an older version refuses the segment before it
 * reads a line of it.
 */
import { seedForm } from '../../language/values/draws.ts';
import {
  fieldProblem,
  listOf,
  objectText,
  oneOf,
  optional,
  record,
  textUpTo,
  wholeFrom,
  type Check,
  type Checks,
} from './form-check.ts';

/** Facts that can be recorded of a command in addition to its outcome, and its origin when a reaction sent it. */
export interface CommandCells {
  /**
   * The decoded arguments: a JSON object text in the payload forms of `values/payload.ts`. Fields that the caller left
   * out have their defaults; those of `withheld` are missing.
   */
  readonly arguments?: string;
  /** Fields that the caller left out, so that `arguments` has their default. */
  readonly defaulted?: readonly string[];
  /** SENSITIVE fields that had a value, which is not stored. */
  readonly withheld?: readonly string[];
  /** The seed of the random draws, in the form of `language/values/draws.ts`. */
  readonly seed?: string;
  /** The caller's name from authentication; `reaction:<Name>` when a reaction sent the command. */
  readonly subject?: string;
  /** The rest of the caller: a JSON object text with all roles, and the claims that were read, in payload forms. */
  readonly caller?: string;
  /**
   * Number of schema entries in the registry that decided it. Absent when these are all schema entries before this one,
   * because the position in the log then says so.
   */
  readonly registry?: number;
  /** Branches of the decision that emitted, from 1, ascending. */
  readonly branches?: readonly number[];
  /** Code and sentence of the failure that the schema caused on this data, and that ended the command. */
  readonly failure?: string;
  /** Rejected commands on the aggregate that were not kept since the last entry with this cell, because there were too many. */
  readonly unrecorded?: number;
  /** The reaction that this entry answers; both become durable together. */
  readonly reaction?: ReactionMark;
  /** Position of a subscription; in an entry of its own, without events. */
  readonly subscription?: SubscriptionPlace;
  /** Number of reactions that led to it, since the last one that waited. Absent for none. */
  readonly depth?: number;
  /** The chain of reactions that led to it. Absent for none. */
  readonly chain?: ReactionChain;
}

/** All that follows from one event by reactions, over any number of steps. */
export interface ReactionChain {
  /** Global position of the event that it began with. */
  readonly root: number;
  /** Number of steps to here that waited for a second or more. */
  readonly rests: number;
}

/** Says that a reaction has answered an event: with it a reaction has its effect once, whatever is repeated. */
export interface ReactionMark {
  readonly name: string;
  /**
   * Number of the schema entry that created the reaction: after a drop, a new reaction of the same name answers again.
   */
  readonly generation: number;
  /**
   * Global position of the event; 0 in a mark that answers none. With `started`: events up to it are not answered, nor tasks that wait
   * because of them.
   */
  readonly position: number;
  /**
   * The branch, if it waited for its time. Absent: all branches that do not wait are answered, in the entries of one
   * turn.
   */
  readonly branch?: string;
  /** The reaction has examined every event up to this position. */
  readonly low?: number;
  /**
   * Act of an operator: paused the reaction, started it again, or dropped the task for good. Absent: the reaction has answered, or has
   * failed (`failure`).
   */
  readonly is?: (typeof operatorMarks)[number];
}

/** The position at which a subscription begins if it has no consumer state. */
export interface SubscriptionPlace {
  readonly name: string;
  /** Number of the schema entry that created the subscription. */
  readonly generation: number;
  /** Every row up to this global position is acknowledged, parked or left out. */
  readonly position: number;
}

export const operatorMarks = ['paused', 'started', 'discarded'] as const;

/** A name or a label; longer than the language allows. */
const name = textUpTo(256);
const names = listOf(name, 10_000);
const mark: Checks<ReactionMark> = {
  name,
  generation: wholeFrom(1),
  position: wholeFrom(0),
  branch: optional(name),
  low: optional(wholeFrom(0)),
  is: optional(oneOf(...operatorMarks)),
};
const chain: Checks<ReactionChain> = { root: wholeFrom(1), rests: wholeFrom(0) };
const place: Checks<SubscriptionPlace> = { name, generation: wholeFrom(1), position: wholeFrom(0) };
const mostArguments = 1024 * 1024;
const argumentsText: Check = (value) => textUpTo(mostArguments)(value) && objectText(value);
/** The limit of a request head. */
const subject = textUpTo(16 * 1024);

/** The form of each cell. */
export const commandCells: Checks<CommandCells> = {
  arguments: argumentsText,
  defaulted: names,
  withheld: names,
  seed: (value) => typeof value === 'string' && seedForm.test(value),
  subject,
  caller: argumentsText,
  registry: wholeFrom(0),
  branches: listOf(wholeFrom(1), 10_000),
  failure: textUpTo(64 * 1024),
  unrecorded: wholeFrom(1),
  reaction: record(mark),
  subscription: record(place),
  depth: wholeFrom(1, 65_535),
  chain: record(chain),
};

const optionalCells = Object.fromEntries(Object.entries(commandCells).map(([cell, check]) => [cell, optional(check)]));
/** Checks for cells that this process made: the text of the arguments is the JSON that it printed, and is not parsed again. */
const ownCells: Readonly<Record<string, Check>> = {
  ...commandCells,
  arguments: textUpTo(mostArguments),
  caller: textUpTo(mostArguments),
};

/** The problem with the cells of a command from outside, if there is one. */
export function cellsProblem(cells: unknown): ReturnType<typeof fieldProblem> {
  return fieldProblem(cells, optionalCells) ?? apartProblem(cells as CommandCells);
}

/** `cellsProblem` for cells that this process made. It looks only at those that are there, because it runs for every recorded command. */
export function ownCellsProblem(cells: CommandCells): ReturnType<typeof fieldProblem> {
  const given = cells as Readonly<Record<string, unknown>>;
  for (const field in given) {
    const check = Object.hasOwn(ownCells, field) ? ownCells[field] : undefined;
    if (check === undefined) return { field, known: false };
    if (given[field] !== undefined && !check(given[field])) return { field, known: true };
  }
  return apartProblem(cells);
}

/** Finds cells that are only allowed together with the arguments. */
function apartProblem(cells: CommandCells): ReturnType<typeof fieldProblem> {
  const { arguments: kept, defaulted, withheld } = cells;
  if (kept === undefined && defaulted !== undefined) return { field: 'defaulted', known: true };
  return kept === undefined && withheld !== undefined ? { field: 'withheld', known: true } : undefined;
}
