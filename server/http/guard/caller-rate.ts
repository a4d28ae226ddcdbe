/** The rest that a caller may still ask for. */
interface Account {
  left: number;
  /** ms, when `left` was counted. */
  at: number;
}

/** Callers whose accounts are kept; the one who asked longest ago begins with a full one again. */
const mostCallers = 10_000;

/** Limits the amount that each caller may ask for. */
export interface CallerRate {
  /** The amount that comes back in a second. */
  readonly perSecond: number;
  /** Takes an amount from an account; gives the seconds to wait if there is not enough, and then takes nothing. */
  readonly take: (account: string, much: number) => number | undefined;
  /** Takes as much of an amount as there is, in whole units; gives what it took, which may be nothing. */
  readonly takeSome: (account: string, much: number) => number;
}

/** Each caller has `most` at first, and gets `perSecond` back. Nothing that takes more than `most` ever passes. */
export function createCallerRate(most: number, perSecond: number, monotonic: () => number): CallerRate {
  const accounts = new Map<string, Account>();
  const counted = (name: string): Account => {
    const now = monotonic();
    const before = accounts.get(name) ?? { left: most, at: now };
    const account = { left: Math.min(most, before.left + ((now - before.at) / 1000) * perSecond), at: now };
    accounts.delete(name);
    accounts.set(name, account);
    const [oldest] = accounts.keys();
    if (accounts.size > mostCallers && oldest !== undefined) accounts.delete(oldest);
    return account;
  };
  return {
    perSecond,
    take: (name, much) => {
      const account = counted(name);
      if (account.left < much) return Math.max(1, Math.ceil((much - account.left) / perSecond));
      account.left -= much;
      return undefined;
    },
    takeSome: (name, much) => {
      const account = counted(name);
      const taken = Math.min(much, Math.floor(account.left));
      account.left -= taken;
      return taken;
    },
  };
}
