import { info, warning } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** E10xx: findings of VALIDATE REGISTRY. They hint at mistakes in the domain; nothing is refused. */
export const validation = {
  E1001: warning<{ command: string }>((p) => `no decision decides command '${p.command}'`),
  E1002: warning<{ event: string }>((p) => `no decision emits event '${p.event}'`),
  E1003: warning<{ aggregate: string }>((p) => `no decision writes to aggregate '${p.aggregate}'`),
  E1004: warning<{ projection: string; aggregate: string }>(
    (p) => `projection '${p.projection}' reads aggregate '${p.aggregate}', which no event reaches`,
  ),
  E1005: warning<{ decision: string; branch: string }>(
    (p) => `decision '${p.decision}': the guard of ${p.branch} can never be true`,
  ),
  E1006: info<{ decision: string; branch: string }>(
    (p) => `decision '${p.decision}': the guard of ${p.branch} is always true`,
  ),
  E1007: info<{ decision: string; first: string; second: string }>(
    (p) => `decision '${p.decision}': ${p.first} and ${p.second} can emit together`,
  ),
  E1008: info<{ decision: string; gap: string }>((p) => `decision '${p.decision}': no branch covers ${p.gap}`),
  E1009: warning<{ place: string; event: string; nearest: readonly string[] }>(
    (p) =>
      `${p.place} compares event_type with '${p.event}', which never occurs in the relation it reads${suggestion(p.nearest)}`,
  ),
  E1010: info<{ event: string; from: string }>(
    (p) => `event '${p.event}': no stored event has the shape of UPCAST FROM ${p.from}`,
  ),
  E1011: warning<{ place: string; event: string; now: string }>(
    (p) => `${p.place} compares event_type with '${p.event}', whose events read as '${p.now}'`,
  ),
  E1012: warning<{ place: string; enum: string }>(
    (p) => `${p.place} compares values of ENUM '${p.enum}' by their texts, not in the order of their declaration`,
  ),
  E1013: info<{ command: string }>((p) => `command '${p.command}' has no ALLOW, where others have one`),
  E1014: warning<{ block: string; clause: string; outcome: string }>(
    (p) => `${p.clause} of ${p.block} is ${p.outcome} for all callers`,
  ),
  E1015: warning<{ block: string }>((p) => `CLEAR of ${p.block} has no effect: no column of it is SENSITIVE`),
  E1022: warning<{ reaction: string; path: string }>(
    (p) => `reaction '${p.reaction}' can lead back to itself: ${p.path}`,
  ),
  E1023: warning<{ reaction: string; event: string }>(
    (p) => `reaction '${p.reaction}': no decision emits '${p.event}', and none is stored`,
  ),
  E1024: warning<{ reaction: string; due: string }>(
    (p) =>
      `reaction '${p.reaction}' begins with the first event: for old events ${p.due} is over, so their commands run at once`,
  ),
} as const;
