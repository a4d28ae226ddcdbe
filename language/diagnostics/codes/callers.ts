import { error } from '../define.ts';

/** The clause to use instead, by the place in which the caller is not known. */
function placeInstead(where: string): string {
  if (where === 'CHECK') return 'ALLOW says who may send the command';
  if (where === 'a projection') return 'VISIBLE says who sees which of its rows';
  return 'it is the same for all callers';
}

/** E071x and E072x: the caller in expressions, and clauses about callers (docs/callers.md). */
export const callers = {
  E0710: error<{ word: string; where: string }>(
    (p) => `${p.word} is not allowed in ${p.where}; ${placeInstead(p.where)}`,
  ),
  E0711: error<{ function: string; takes: string }>((p) => `${p.function} takes ${p.takes}`),
  E0712: error<{ claim: string }>(
    (p) => `claim '${p.claim}' is a list, which is only compared: x = ANY (CLAIM(${p.claim}))`,
  ),
  E0713: error<{ type: string }>(
    (p) =>
      `a claim is no ${p.type}, but STRING, VARCHAR(n), UUID, INT, BIGINT, DECIMAL(p,s), BOOLEAN, DATE, TIMESTAMP, an enum or STRING[]`,
  ),
  E0714: error<{ name: string; instead: string }>(
    (p) => `the DEFAULT of '${p.name}' is a literal, CURRENT_USER or CLAIM(name); ${p.instead}`,
  ),
  E0715: error<{ name: string }>((p) => `claim '${p.name}' names an empty member, or one with half a surrogate pair`),
  E0716: error<{ name: string; type: string; given: string }>(
    (p) => `the DEFAULT of '${p.name}' is ${p.given}, of which not every value is one of ${p.type}`,
  ),
  E0717: error<{ where: string; relation?: string }>((p) =>
    p.relation === undefined
      ? `a subquery in ${p.where} is x [NOT] IN (SELECT …), x = ANY (SELECT …) or [NOT] EXISTS (SELECT …)`
      : `${p.where} reads states, events and projections, not ${p.relation}`,
  ),
  E0718: error<{ where: string }>((p) => `a subquery in ${p.where} reads no column of the row`),
  E0719: error<{ where: string; part: string }>((p) => `${p.where} takes nothing that can fail: ${p.part}`),
  E0720: error<{ where: string; part: string }>(
    (p) => `${p.where} takes nothing that changes with the time: ${p.part}`,
  ),
  E0721: error<{ projection: string; read: string }>(
    (p) => `projection '${p.projection}' reads '${p.read}', which has VISIBLE; say VISIBLE WHERE … or VISIBLE TO ALL`,
  ),
  E0730: error<{ name: string; type: string }>((p) => `claim '${p.name}' takes ${p.type}`),
  E0731: error<{ problem: string }>((p) => `${p.problem}; NULL is an anonymous caller`),
} as const;
