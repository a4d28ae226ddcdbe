import type { Claims } from '../../store/side/claims.ts';
import type { WebhooksOptions } from './webhooks.ts';

/** Work that one server of a shared log does at a time, as this server has it or not. */
export interface Claim {
  /**
   * The time in which this server does the work: the signal is aborted when that ends. Undefined while another server does it, or the log cannot be
   * asked. Asking begins with the first call.
   */
  readonly term: () => AbortSignal | undefined;
  /** Leaves the work to the others. */
  readonly release: () => Promise<void>;
}

export interface ClaimOptions extends Pick<WebhooksOptions, 'holder' | 'monotonic' | 'pause' | 'warn'> {
  readonly claims: Claims;
  readonly work: string;
}

/** Milliseconds for which the log keeps a claim, after which it is renewed, and after which a server that could not renew it stops. */
const kept = 10_000;
const renewal = 3_000;
const safe = 8_000;
/** ms between two looks whether the work is free, or whether the log can be asked again. */
const look = 1_000;

/**
 * Takes the work when no other server has it, and keeps it. A server that cannot renew its claim stops two seconds before another one can take it;
 * these are for clocks that run apart. A process that freezes can still wake up behind the end of its claim.
 */
export function createClaim({ claims, work, holder, monotonic, pause, warn }: ClaimOptions): Claim {
  let current: AbortController | undefined;
  /** The claim is this server's up to here, by the monotonic clock. */
  let end = 0;
  let asking: { readonly stop: AbortController; readonly ended: Promise<void> } | undefined;

  const lose = (): void => {
    current?.abort();
    current = undefined;
  };
  const endInTime = async (term: AbortController): Promise<void> => {
    while (!term.signal.aborted) {
      const left = end - monotonic();
      if (left > 0) await pause(left, term.signal);
      else lose();
    }
  };
  const ask = async (): Promise<void> => {
    // The log counts from a later moment on, when it has the question.
    const asked = monotonic();
    const isHeld = await claims.take(work, holder, kept);
    end = asked + safe;
    if (!isHeld || end <= monotonic()) lose();
    else if (current === undefined) {
      current = new AbortController();
      void endInTime(current);
    }
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      let wait = look;
      try {
        await ask();
        if (current !== undefined) wait = renewal;
      } catch (error) {
        if (current !== undefined)
          warn(`${work} cannot be kept: ${error instanceof Error ? error.message : String(error)}`);
      }
      await pause(wait, signal);
    }
  };
  return {
    term: () => {
      if (asking === undefined) {
        const stop = new AbortController();
        asking = { stop, ended: run(stop.signal) };
      }
      return current?.signal;
    },
    release: async () => {
      if (asking === undefined) return;
      const { stop, ended } = asking;
      asking = undefined;
      stop.abort();
      await ended;
      lose();
      try {
        await claims.leave(work, holder);
      } catch (error) {
        warn(
          `${work} ends by itself within ${kept / 1000} s: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    },
  };
}

/** The claim on a log that one process owns. */
export function ownClaim(): Claim {
  const { signal } = new AbortController();
  return { term: () => signal, release: () => Promise.resolve() };
}
