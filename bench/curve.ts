import { writeSync } from 'node:fs';
import type { Skipped } from './report.ts';

/** A line of a plot: one value for each x. */
export interface Series {
  readonly name: string;
  readonly values: readonly number[];
}

/** A picture of the benchmark's page, with the numbers that it shows. */
export interface Curve {
  readonly title: string;
  /** The measured thing, for a reader of this page alone. */
  readonly says: string;
  readonly x: string;
  readonly xs: readonly (number | string)[];
  /** The quantity and unit of all values. */
  readonly y: string;
  readonly series: readonly Series[];
}

export interface CurveScale {
  readonly quick: boolean;
  /** The project's folder. */
  readonly root: string;
  /** A folder of its own, removed after the run. */
  readonly folder: string;
}

/** Runs one file of curves in its own process and passes its results to `plots.ts` through file descriptor 3. */
export async function reportCurves(
  measure: (scale: CurveScale) => Promise<readonly (Curve | Skipped)[]>,
): Promise<void> {
  const [root = '', folder = '', size = ''] = process.argv.slice(2);
  writeSync(3, JSON.stringify(await measure({ quick: size === 'quick', root, folder })));
  process.exit(0);
}
