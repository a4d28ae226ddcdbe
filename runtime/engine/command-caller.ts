/** The caller of a command, as ALLOW, a DEFAULT and the decision read it (docs/callers.md#the-caller). */
import { callerValue, callerValues, type CallerPart, type CallerValues } from '../../language/contract/caller.ts';
import type { JsonObject } from '../../language/values/json.ts';
import { toJsonValue } from '../../language/values/json-value.ts';
import type { Type } from '../../language/values/type.ts';
import type { Handler } from './handlers.ts';
import type { ExecuteRequest } from './outcome.ts';

/** Undefined without a caller, and for a command that does not read it. Throws R0117 for a claim of another type. */
export function callerOf(
  { claims }: Handler,
  { caller, origin }: Pick<ExecuteRequest, 'caller' | 'origin'>,
): CallerValues | undefined {
  if (claims === undefined) return undefined;
  if (origin !== undefined) return reactionCaller(reactionSubject(origin.reaction.name));
  return caller && callerValues(caller, claims);
}

/** The name of a reaction as the caller of its commands. No other caller has such a name. */
export function reactionSubject(reaction: string): string {
  return `reaction:${reaction}`;
}

export function reactionCaller(subject: string): CallerValues {
  return { subject, roles: new Set(), claims: new Map() };
}

/** The arguments, those left out with their DEFAULT of the caller. Where that is NULL the argument is missing. */
export function withCallerDefaults(handler: Handler, sent: JsonObject, caller: CallerValues | undefined): JsonObject {
  const { callerDefaults } = handler;
  if (callerDefaults.length === 0) return sent;
  const filled = new Map(sent);
  for (const { name, callerDefault: part } of callerDefaults) {
    const value = part === undefined || sent.has(name) ? null : callerValue(caller, part);
    if (part !== undefined && value !== null) filled.set(name, toJsonValue(value, typeOf(handler, part)));
  }
  return filled;
}

function typeOf({ claims = [] }: Handler, part: CallerPart): Type {
  const claim = part.of === 'claim' ? claims.find(({ name }) => name === part.claim) : undefined;
  return claim?.type ?? { kind: 'STRING' };
}
