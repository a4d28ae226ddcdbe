import { error } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** E11xx: subscriptions. */
export const subscriptions = {
  E1101: error<{ part: string; reason: string }>((p) => `a subscription cannot have ${p.part}: ${p.reason}`),
  E1102: error<{ problem: string }>((p) => `this cannot be subscribed to: ${p.problem}`),
  E1103: error<{ name: string; reserved: readonly string[] }>(
    (p) => `a row has its own '${p.name}'; give the column another name than ${p.reserved.join(', ')}`,
  ),
  E1104: error<{ problem: string }>((p) => `KEY cannot be ${p.problem}`),
  E1105: error<{ written: string }>(
    (p) => `FROM takes START, NOW, POSITION with a whole number, or TIMESTAMP with a time, not '${p.written}'`,
  ),
  E1106: error<{ key: string; nearest: readonly string[]; known: readonly string[] }>(
    (p) =>
      `there is no option '${p.key}'${p.nearest.length > 0 ? suggestion(p.nearest) : `; there are ${p.known.join(', ')}`}`,
  ),
  E1107: error<{ key: string; takes: string }>((p) => `option '${p.key}' takes ${p.takes}`),
  E1108: error<{ problem: string }>((p) => `DELIVER TO WEBHOOK ${p.problem}`),
} as const;
