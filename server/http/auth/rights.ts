import { createHash } from 'node:crypto';
import type { Caller } from './caller.ts';

/**
 * A caller with the rights of a list of grants. `read:*` does not cover meta relations, for which a pattern begins with `read:meta_`, nor
 * recorded commands, for which it contains `$Commands`; `*` alone covers both. `create` includes `sensitive:read`, since a caller who defines blocks can define one that shows a value.
 */
export function callerWith(subject: string, grants: readonly string[], until?: number): Caller {
  const all = grants.includes('*');
  const patterns = grants.map((grant) => ({ grant, test: wildcard(grant) }));
  const may = (right: string): boolean =>
    all || patterns.some(({ grant, test }) => test(right) && namesIts(right, grant));
  const cleared = may('sensitive:read') || may('create');
  return {
    subject,
    may: (right) => (right === 'sensitive:read' ? cleared : may(right)),
    cleared,
    rightsKey: createHash('sha256')
      .update([...new Set(grants)].sort().join('\n'))
      .digest('hex')
      .slice(0, 8),
    ...(until !== undefined && { until }),
  };
}

/** Wildcards do not reach what tells of the schema, or of callers and what they sent. */
function namesIts(right: string, grant: string): boolean {
  if (right.startsWith('read:meta_')) return grant.startsWith('read:meta_');
  if (right.startsWith('read:') && right.endsWith('$Commands')) return grant.includes('$Commands');
  return true;
}

/** Grants come from the configuration, never from a caller; even so each part is matched as plain text. */
function wildcard(grant: string): (right: string) => boolean {
  const parts = grant.split('*');
  if (parts.length === 1) return (right) => right === grant;
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
