import { createHash } from 'node:crypto';
import type { StandingRelation } from '../../language/contract/standing.ts';
import type { Caller, Included } from './caller.ts';

/** Whether the caller holds a right, for example `read:Bike$Agg` or `create`. */
export function may(caller: Caller, right: string): boolean {
  const { holds, isCleared: isClear, seesAllRows } = tested(caller);
  return right === 'sensitive:read' ? isClear : right === 'rows:all' ? seesAllRows : holds(right);
}

/** Whether the caller sees SENSITIVE values. */
export function isCleared(caller: Caller): boolean {
  return tested(caller).isCleared;
}

/** Whether the caller may know how far a subscription or a reaction has come: its operators, and consumers of a subscription. */
export function mayKnow(caller: Caller, relation: StandingRelation, name: string): boolean {
  return may(caller, `manage:${name}`) || (relation === 'meta_subscriptions' && may(caller, `subscribe:${name}`));
}

/** Distinguishes callers of different rights in entity tags. */
export function rightsKey(caller: Caller): string {
  const own = tested(caller);
  if (own.key === undefined) {
    const { rights, except = [] } = caller;
    const patterns = [...new Set(rights)].sort().join('\n');
    own.key = createHash('sha256')
      .update(`${patterns}${except.map((right) => `\nexcept ${right}`).join('')}`)
      .digest('hex')
      .slice(0, 8);
  }
  return own.key;
}

interface Tested {
  readonly holds: (right: string) => boolean;
  readonly isCleared: boolean;
  readonly seesAllRows: boolean;
  key: string | undefined;
}

/** Callers of the same static token, and all anonymous ones, have one list of rights; of a signed token the patterns are read at most once. */
const known = new WeakMap<object, Tested>();

function tested(caller: Caller): Tested {
  const whose = caller.except === undefined ? caller.rights : caller;
  const before = known.get(whose);
  if (before !== undefined) return before;
  const { rights, except = [] } = caller;
  const holds = heldBy(rights);
  const includes = (right: Included): boolean => !except.includes(right) && (holds(right) || holds('create'));
  const made: Tested = {
    holds,
    isCleared: includes('sensitive:read'),
    seesAllRows: includes('rows:all'),
    key: undefined,
  };
  known.set(whose, made);
  return made;
}

/**
 * `read:*` does not cover meta relations, for which a pattern begins with `read:meta_`, nor recorded commands, for which it contains
 * `$Commands`; `*` alone covers both.
 */
function heldBy(rights: readonly string[]): (right: string) => boolean {
  if (rights.includes('*')) return () => true;
  const patterns = rights.map((pattern) => ({ pattern, test: wildcard(pattern) }));
  return (right) => patterns.some(({ pattern, test }) => test(right) && namesIts(right, pattern));
}

/** Wildcards do not reach what tells of the schema, or of callers and what they sent. */
function namesIts(right: string, pattern: string): boolean {
  if (right.startsWith('read:meta_')) return pattern.startsWith('read:meta_');
  if (right.startsWith('read:') && right.endsWith('$Commands')) return pattern.includes('$Commands');
  return true;
}

/** Patterns come from the configuration, never from a caller; even so each part is matched as plain text. */
function wildcard(pattern: string): (right: string) => boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return (right) => right === pattern;
  const [first = '', ...rest] = parts;
  const last = rest.pop() ?? '';
  return (right) => {
    if (right.length < first.length + last.length || !right.startsWith(first) || !right.endsWith(last)) return false;
    let at = first.length;
    for (const part of rest) {
      const found = right.indexOf(part, at);
      if (found === -1) return false;
      at = found + part.length;
    }
    return at <= right.length - last.length;
  };
}
