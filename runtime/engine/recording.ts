/**
 * Facts that the log keeps of a command in addition to its outcome (`envelope.commands`, docs/language.md#recorded-commands): the arguments
 * as values, the seed of its random draws, its caller, the branches that emitted.
 */
import type { CallerIdentity, CallerValues, ClaimDefinition } from '../../language/contract/caller.ts';
import { toPayload, type Payload } from '../../language/values/payload.ts';
import { scalarText } from '../../language/values/scalar-text.ts';
import type { Type, Value } from '../../language/values/type.ts';
import type { Failure } from '../../language/failure/failure.ts';
import type { CommandCells } from '../store/cells.ts';
import type { SentCommand } from './fingerprint.ts';
import { field } from './state.ts';

/** `keyed`: only commands with an id, and without arguments. Each includes the one before. */
export const recordedCommands = ['keyed', 'emitted', 'all'] as const;
export type RecordedCommands = (typeof recordedCommands)[number];

/** Without a setting. More are a flood, of which the count says enough. */
export const defaultRejectedInSecond = 1_000;

export interface RecordingRules {
  readonly commands: RecordedCommands;
  /** SENSITIVE arguments are kept as well. */
  readonly sensitiveArguments: boolean;
  /** Rejected commands without an id that are kept in a second. */
  readonly rejectedInSecond: number;
}

/** The limit of the cell with the arguments. */
const mostCharacters = 1024 * 1024;

/** Cells that are being made. */
export type WritableCells = { -readonly [K in keyof CommandCells]: CommandCells[K] };

/** The cells of a decided command. One text and one object are made for each command: this runs in every turn. */
export function recordedCells(
  rules: RecordingRules,
  caller: ReadCaller | undefined,
  { definition, decoded, sent }: SentCommand,
  seed: string | undefined,
  branches: readonly number[],
): WritableCells {
  const cells: WritableCells = {};
  let withheld: string[] | undefined;
  let defaulted: string[] | undefined;
  let members = '';
  const heads = memberHeads(definition);
  let place = 0;
  for (const { name, type, sensitive } of definition.fields) {
    const head = heads[place++] ?? '';
    const value = field(decoded, name);
    if (sensitive && value !== null && !rules.sensitiveArguments) {
      (withheld ??= []).push(name);
      continue;
    }
    if (!sent.has(name)) (defaulted ??= []).push(name);
    members += `${members === '' ? '' : ','}${head}${payloadText(value, type)}`;
  }
  const text = `{${members}}`;
  if (text.length <= mostCharacters) {
    cells.arguments = text;
    if (defaulted !== undefined) cells.defaulted = defaulted;
    if (withheld !== undefined) cells.withheld = withheld;
  }
  if (seed !== undefined) cells.seed = seed;
  if (caller !== undefined) {
    if (caller.subject !== null) cells.subject = caller.subject;
    const of = callerText(rules, caller);
    if (of.length <= mostCharacters) cells.caller = of;
  }
  if (branches.length > 0) cells.branches = branches;
  return cells;
}

/** The cell `caller`: all roles, the claims that were read as payload forms, and names of those that were not kept. */
export interface RecordedCaller {
  readonly roles: readonly string[];
  readonly claims: Readonly<Record<string, unknown>>;
  readonly withheld: readonly string[];
}

export function readCaller(cell: string): RecordedCaller {
  return { withheld: [], ...(JSON.parse(cell) as Omit<RecordedCaller, 'withheld'>) };
}

/** The caller of a command, and the claims of it that were read. */
export interface ReadCaller extends Pick<CallerIdentity, 'subject' | 'roles'> {
  readonly read: readonly ClaimDefinition[];
  readonly values: CallerValues | undefined;
}

/** All roles, for definitions that read others, and the claims that were read. A value of a SENSITIVE one is kept as that of an argument is. */
function callerText({ sensitiveArguments }: RecordingRules, { roles, read, values }: ReadCaller): string {
  const withheld: string[] = [];
  const claims: [string, Payload][] = [];
  for (const { name, type, sensitive } of read) {
    const value = values?.claims.get(name) ?? null;
    if (sensitive && value !== null && !sensitiveArguments) withheld.push(name);
    else claims.push([name, toPayload(value, type)]);
  }
  const kept = { roles: [...new Set(roles)].sort(), claims: Object.fromEntries(claims) };
  return JSON.stringify(withheld.length === 0 ? kept : { ...kept, withheld });
}

const knownHeads = new WeakMap<SentCommand['definition'], readonly string[]>();

/** The names of the fields as JSON with a colon, printed once for each definition. */
function memberHeads(definition: SentCommand['definition']): readonly string[] {
  const known = knownHeads.get(definition) ?? definition.fields.map(({ name }) => `${JSON.stringify(name)}:`);
  knownHeads.set(definition, known);
  return known;
}

function payloadText(value: Value, type: Type): string {
  return type.kind === 'INT' && value !== null ? scalarText(value) : JSON.stringify(toPayload(value, type));
}

/** The cell of a failure that ended a command. */
export function failureText({ code, message }: Failure): string {
  return `${code} ${message}`.slice(0, 64 * 1024);
}
