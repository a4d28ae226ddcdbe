import { within } from '../../outgoing/within.ts';

/** The connections of all webhooks together. */
export interface Sockets {
  /** Resolves with the function that gives the place back; undefined when none became free in time, or at the abort. */
  readonly take: (webhook: string, signals: readonly AbortSignal[]) => Promise<(() => void) | undefined>;
}

/** ms for which a row waits for a place; less than its lease has to spare. */
const patienceMilliseconds = 10_000;

/**
 * Bounds the connections of all webhooks by one number. A webhook gets another one only while more are free than it has, so that one whose
 * receiver stalls holds at most half of them, two at most three quarters, and the next one still gets its first.
 */
export function createSockets(most: number): Sockets {
  const held = new Map<string, number>();
  const waiting: { readonly webhook: string; readonly go: () => void }[] = [];
  let free = most;
  const mayTake = (webhook: string): boolean => (held.get(webhook) ?? 0) < free;
  const take = (webhook: string): (() => void) => {
    free -= 1;
    held.set(webhook, (held.get(webhook) ?? 0) + 1);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      free += 1;
      const rest = (held.get(webhook) ?? 0) - 1;
      if (rest > 0) held.set(webhook, rest);
      else held.delete(webhook);
      next();
    };
  };
  /** A place that becomes free may let more than one go: the fewer another webhook has, the more are free for it. */
  const next = (): void => {
    for (const one of [...waiting]) {
      if (!mayTake(one.webhook)) continue;
      waiting.splice(waiting.indexOf(one), 1);
      one.go();
    }
  };
  return {
    take: async (webhook, signals) => {
      if (mayTake(webhook)) return take(webhook);
      return within(signals, patienceMilliseconds, (signal) => {
        return new Promise((resolve) => {
          const one = { webhook, go: () => resolve(take(webhook)) };
          waiting.push(one);
          const leave = (): void => {
            const at = waiting.indexOf(one);
            if (at >= 0) waiting.splice(at, 1);
            resolve(undefined);
          };
          if (signal.aborted) leave();
          else signal.addEventListener('abort', leave);
        });
      });
    },
  };
}
