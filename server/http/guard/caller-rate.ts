/** The rest that a caller may still ask for. */
interface Account {
  left: number;
  /** ms, when `left` was counted. */
  at: number;
}

/** Callers whose accounts are kept; the one who asked longest ago begins with a full one again. */
const mostCallers = 10_000;

/** Takes an amount from the account of a caller; gives the seconds to wait if there is not enough, and then takes nothing. */
export type CallerRate = (subject: string, much: number) => number | undefined;

/** Each caller has `most` at first, and gets `perSecond` back. Nothing that takes more than `most` ever passes. */
export function createCallerRate(most: number, perSecond: number, monotonic: () => number): CallerRate {
  const accounts = new Map<string, Account>();
  return (subject, much) => {
    const now = monotonic();
    const before = accounts.get(subject) ?? { left: most, at: now };
    const left = Math.min(most, before.left + ((now - before.at) / 1000) * perSecond);
    accounts.delete(subject);
    accounts.set(subject, { left: left < much ? left : left - much, at: now });
    const [oldest] = accounts.keys();
    if (accounts.size > mostCallers && oldest !== undefined) accounts.delete(oldest);
    return left < much ? Math.max(1, Math.ceil((much - left) / perSecond)) : undefined;
  };
}
