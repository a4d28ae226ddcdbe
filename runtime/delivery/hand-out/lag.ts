import type { Domain } from '../../../language/contract/domain.ts';
import type { SubscriptionDefinition } from '../../../language/contract/subscription.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { failures } from '../../../language/failure/catalogue.ts';
import type { Engine } from '../../engine/engine.ts';
import { unmasked } from '../../engine/unmasked.ts';

/** Rows behind a position. */
export interface Lag {
  readonly rows: number;
  /** There may be more. */
  readonly more: boolean;
}

/** Counts the rows of one subscription, without reading them. */
export interface RowCounter {
  /** The rows after one position and up to another, at most `mostLag`. */
  readonly between: (after: number, until: number) => Promise<Lag>;
  /** Rows of another definition are counted from now on. */
  readonly forget: () => void;
}

/** A longer lag is reported as at least this one. */
export const mostLag = 100_000;
/** Positions that one query looks at: some milliseconds, since the queries of commands wait for it. */
const span = 16_384;
/** Such queries for one question. Their counts are kept, so that the next question continues behind them. */
const mostQueries = 64;

export function createRowCounter(
  { query }: Pick<Engine, 'query'>,
  current: () => { readonly domain: Domain; readonly definition: SubscriptionDefinition },
): RowCounter {
  /** Counts of spans that begin at a multiple of `span` and are over: their rows never change. */
  let counts = new Map<number, number>();

  /** Undefined if a row of the range cannot be computed. */
  const count = async (after: number, until: number): Promise<number | undefined> => {
    const { domain, definition } = current();
    try {
      const options = { compiledFor: domain.readModel } as const;
      const { rows } = unmasked(await query(definition.count, [BigInt(after), BigInt(until)], options));
      return Number(rows[0]?.[0]);
    } catch (error) {
      if (error instanceof Failure && failures[error.code].kind === 'schema') return undefined;
      throw error;
    }
  };

  return {
    forget: () => {
      counts = new Map();
    },
    between: async (after, until) => {
      const kept = counts;
      let rows = 0;
      let queries = 0;
      for (let from = after; from < until;) {
        const to = Math.min(until, from - (from % span) + span);
        const isWhole = to - from === span;
        const known = isWhole ? kept.get(from) : undefined;
        if (known === undefined) queries += 1;
        if (queries > mostQueries) return { rows, more: true };
        const found = known ?? (await count(from, to));
        if (found === undefined) return { rows, more: true };
        if (isWhole) kept.set(from, found);
        rows += found;
        if (rows > mostLag) return { rows: mostLag, more: true };
        from = to;
      }
      for (const from of kept.keys()) if (from + span <= after) kept.delete(from);
      return { rows, more: false };
    },
  };
}
