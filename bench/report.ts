import { writeSync } from 'node:fs';
import type { Figure } from './measure.ts';

/** The scale of a figure's process. */
export interface Scale {
  /** Smaller sizes, for a quick check rather than a figure. */
  readonly quick: boolean;
  /** The project's folder. */
  readonly root: string;
  /** A folder of its own, removed after the run. */
  readonly folder: string;
  /** Rounds whose median counts. */
  readonly rounds: number;
}

/** A side of a figure that cannot be measured here, and the reason. */
export interface Skipped {
  readonly name: string;
  readonly skipped: string;
}

/** Runs one file of figures in its own process and passes its results to `main.ts` through file descriptor 3. */
export async function report(measure: (scale: Scale) => Promise<readonly (Figure | Skipped)[]>): Promise<void> {
  const [root = '', folder = '', size = ''] = process.argv.slice(2);
  const quick = size === 'quick';
  const figures = await measure({ quick, root, folder, rounds: 5 });
  writeSync(3, JSON.stringify(figures));
  process.exit(0);
}
