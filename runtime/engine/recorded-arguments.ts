import { claimValue, type CallerValues } from '../../language/contract/caller.ts';
import type { CommandField } from '../../language/contract/command.ts';
import { fail, Failure } from '../../language/failure/failure.ts';
import { trustedJson } from '../../language/values/json-value.ts';
import { ExactNumber, type JsonObject, type JsonValue } from '../../language/values/json.ts';
import { typeName } from '../../language/values/type.ts';
import type { CommandCells } from '../store/cells.ts';
import { reactionCaller, withCallerDefaults } from './command-caller.ts';
import type { Handler } from './handlers.ts';
import { readCaller } from './recording.ts';

/** A recorded command cannot be decided again, since a value that it needs was not kept, or is of another type now. */
export class NotRecorded extends Failure {}

/** The recorded arguments as the command of today reads them. */
export interface RecordedArguments {
  readonly sent: JsonObject;
  /** Fails where it is asked for a value that was not kept. */
  readonly decoded: object;
  /** Has another value there, which is masked. */
  readonly shown: object;
}

export function recordedArguments(
  handler: Handler,
  cells: CommandCells | undefined,
  caller: CallerValues | undefined,
): RecordedArguments {
  const { command } = handler;
  if (cells?.arguments === undefined) throw notRecorded('the arguments are');
  // The payload forms of fields: their numbers are those of JavaScript.
  const recorded = Object.entries(JSON.parse(cells.arguments) as Readonly<Record<string, unknown>>);
  const withheld = command.fields.filter(({ name }) => cells.withheld?.includes(name) === true);
  const sent = new Map<string, JsonValue>();
  for (const [name, value] of recorded) {
    if (cells.defaulted?.includes(name) === true) continue;
    const isJson = command.fields.find((field) => field.name === name)?.type.kind === 'JSON';
    sent.set(name, isJson && typeof value === 'string' ? trustedJson(value) : sentValue(value));
  }
  for (const field of withheld) sent.set(field.name, standIn(field));
  const shown = command.decode(withCallerDefaults(handler, sent, caller));
  if (withheld.length === 0) return { sent, shown, decoded: shown };
  const decoded = { ...shown };
  for (const { name } of withheld)
    Object.defineProperty(decoded, name, {
      get: () => {
        throw notRecorded(`the value of argument '${name}' is`);
      },
    });
  return { sent, shown, decoded };
}

/**
 * The caller of a recorded command. Asking it for something that was not recorded fails: a claim, and of an entry of before callers were
 * recorded also a role.
 */
export function recordedCaller({ claims }: Handler, cells: CommandCells = {}): CallerValues | undefined {
  const { subject, caller, reaction } = cells;
  if (claims === undefined || (subject === undefined && caller === undefined)) return undefined;
  if (reaction !== undefined && subject !== undefined) return reactionCaller(subject);
  const kept = caller === undefined ? undefined : readCaller(caller);
  const roles = kept && new Set(kept.roles);
  return {
    subject: subject ?? null,
    roles: {
      has: (role) => {
        if (roles === undefined) throw notRecorded('the roles of the caller are');
        return roles.has(role);
      },
    },
    claims: {
      get: (name) => {
        const type = claims.find((claim) => claim.name === name)?.type;
        if (type === undefined || kept === undefined || !Object.hasOwn(kept.claims, name))
          throw notRecorded(`the claim '${name}' of the caller is`);
        const value = claimValue(kept.claims[name], type);
        if (value === undefined) throw notDecidable(`the recorded claim '${name}'`, `is no ${typeName(type)}`);
        return value;
      },
    },
  };
}

function sentValue(value: unknown): JsonValue {
  if (typeof value === 'number') return new ExactNumber(String(value));
  return typeof value === 'object' && value !== null ? trustedJson(JSON.stringify(value)) : (value as JsonValue);
}

function notRecorded(what: string): Failure {
  return notDecidable(what, 'not recorded');
}

function notDecidable(what: string, problem: string): Failure {
  const { code, message } = fail('R0506', { what, problem });
  return new NotRecorded(code, message);
}

/** Any value of the type, never used: reading the argument fails. */
function standIn({ type }: CommandField): JsonValue {
  switch (type.kind) {
    case 'INT':
    case 'BIGINT':
    case 'DECIMAL':
    case 'DOUBLE':
      return new ExactNumber('0');
    case 'BOOLEAN':
      return false;
    case 'DATE':
    case 'TIMESTAMP':
      return '2000-01-01';
    case 'UUID':
      return '00000000-0000-0000-0000-000000000000';
    case 'STRING':
      return type.enum?.values[0] ?? '0';
    default:
      return '';
  }
}
