import type { Answer, Engines } from './engines.ts';
import type { Forms } from './forms.ts';
import { randomQueryText, type Draw } from './random-query-text.ts';
import { exceptionFor } from './exceptions.ts';

export interface Difference {
  readonly seed: number;
  readonly query: string;
  readonly ours: Answer;
  readonly postgres: Answer;
}

export interface Comparison {
  readonly answered: number;
  readonly refused: number;
  readonly failed: number;
  /** By the name of the exception. */
  readonly excepted: ReadonlyMap<string, number>;
  readonly differences: readonly Difference[];
  /** The query that took both engines longest. */
  readonly slowest: { readonly seed: number; readonly milliseconds: number };
}

export interface Asked {
  readonly first: number;
  readonly count: number;
  /** Number of differences after which the comparison ends. */
  readonly most: number;
  readonly forms: Forms;
}

/** Asks both engines the queries of `count` seeds from `first` on. */
export async function compareQueries(engines: Engines, { first, count, most, forms }: Asked): Promise<Comparison> {
  const differences: Difference[] = [];
  const excepted = new Map<string, number>();
  const tally = { rows: 0, refused: 0, failed: 0 };
  let slowest = { seed: first, milliseconds: 0 };
  for (let seed = first; seed < first + count && differences.length < most; seed++) {
    const { text: query, ordered } = randomQueryText(drawer(seed), forms);
    const begun = performance.now();
    const [ours, postgres] = [engines.ours(query), await engines.postgres(query)];
    const milliseconds = performance.now() - begun;
    if (milliseconds > slowest.milliseconds) slowest = { seed, milliseconds };
    const exception = exceptionFor(query, ours, postgres);
    if (same(ours, postgres, ordered)) tally[kindOf(ours)] += 1;
    else if (exception !== undefined) excepted.set(exception, (excepted.get(exception) ?? 0) + 1);
    else differences.push({ seed, query, ours, postgres });
  }
  return { answered: tally.rows, refused: tally.refused, failed: tally.failed, excepted, differences, slowest };
}

function kindOf(answer: Answer): 'rows' | 'refused' | 'failed' {
  if ('rows' in answer) return 'rows';
  return 'refused' in answer ? 'refused' : 'failed';
}

function same(ours: Answer, postgres: Answer, ordered: boolean): boolean {
  if ('failed' in ours && ours.failed.startsWith('internal')) return false;
  if (!('rows' in ours) || !('rows' in postgres)) return kindOf(ours) === kindOf(postgres);
  const shown = (rows: readonly string[]): string => JSON.stringify(ordered ? rows : rows.toSorted());
  return shown(ours.rows) === shown(postgres.rows);
}

/** Draws by a small generator of its own, so that a seed names a query. */
function drawer(seed: number): Draw {
  let state = Math.imul(seed + 1, 0x9e3779b1);
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}
