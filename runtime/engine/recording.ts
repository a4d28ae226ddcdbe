/**
 * What the log keeps of a command besides its outcome (`envelope.commands`, docs/language.md#recorded-commands): the
 * arguments as values, the seed of its random draws, its caller, the branches that emitted.
 */
import { createHash } from 'node:crypto';
import { toPayload } from '../../language/values/payload.ts';
import { scalarText } from '../../language/values/scalar-text.ts';
import type { Type, Value } from '../../language/values/type.ts';
import { randomUuid } from '../../language/values/uuid.ts';
import type { Failure } from '../../language/failure/failure.ts';
import type { CommandCells } from '../store/cells.ts';
import type { SentCommand } from './fingerprint.ts';
import type { ExecuteRequest } from './outcome.ts';
import { field } from './state.ts';

/** `keyed`: only commands with an id, and without arguments. Each includes the one before. */
export const recordedCommands = ['keyed', 'emitted', 'all'] as const;
export type RecordedCommands = (typeof recordedCommands)[number];

export interface RecordingRules {
  readonly commands: RecordedCommands;
  /** SENSITIVE arguments are kept as well. */
  readonly sensitiveArguments: boolean;
}

/** The random draws of one command. */
export interface Draws {
  readonly random: () => number;
  readonly uuid: () => string;
  /** Hex; undefined while nothing was drawn. */
  readonly seed: () => string | undefined;
}

/** Draws from a seed that is made with the first draw, or is given: the same seed gives the same draws in their order. */
export function createDraws(randomBytes: (length: number) => Uint8Array, given?: string): Draws {
  let seed = given;
  let drawn = 0;
  const bytes = (length: number): Uint8Array => {
    seed ??= Buffer.from(randomBytes(16)).toString('hex');
    drawn += 1;
    return createHash('sha256').update(`draw ${drawn} ${seed}`).digest().subarray(0, length);
  };
  return { random: () => randomFraction(bytes(8)), uuid: () => randomUuid(bytes), seed: () => seed };
}

/** A DOUBLE in [0, 1) from 53 random bits. */
export function randomFraction(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8);
  return ((view.getUint32(0) >>> 5) * 2 ** 26 + (view.getUint32(4) >>> 6)) / 2 ** 53;
}

/** The limit of the cell with the arguments. */
const mostCharacters = 1024 * 1024;

/** Cells that are being made. */
export type WritableCells = { -readonly [K in keyof CommandCells]: CommandCells[K] };

/** The cells of a decided command. One text and one object are made for each command: this runs in every turn. */
export function recordedCells(
  rules: RecordingRules,
  { subject }: Pick<ExecuteRequest, 'subject'>,
  { definition, decoded, sent }: SentCommand,
  seed: string | undefined,
  branches: readonly number[],
): WritableCells {
  const cells: WritableCells = {};
  let withheld: string[] | undefined;
  let defaulted: string[] | undefined;
  let members = '';
  for (const { name, type, sensitive } of definition.fields) {
    const value = field(decoded, name);
    if (sensitive && value !== null && !rules.sensitiveArguments) {
      (withheld ??= []).push(name);
      continue;
    }
    if (!sent.has(name)) (defaulted ??= []).push(name);
    members += `${members === '' ? '' : ','}${JSON.stringify(name)}:${payloadText(value, type)}`;
  }
  const text = `{${members}}`;
  if (text.length <= mostCharacters) {
    cells.arguments = text;
    if (defaulted !== undefined) cells.defaulted = defaulted;
    if (withheld !== undefined) cells.withheld = withheld;
  }
  if (seed !== undefined) cells.seed = seed;
  if (subject !== undefined) cells.subject = subject;
  if (branches.length > 0) cells.branches = branches;
  return cells;
}

function payloadText(value: Value, type: Type): string {
  return type.kind === 'INT' && value !== null ? scalarText(value) : JSON.stringify(toPayload(value, type));
}

/** The cell of a failure that ended a command. */
export function failureText({ code, message }: Failure): string {
  return `${code} ${message}`.slice(0, 64 * 1024);
}
