import { writeSync } from 'node:fs';
import type { Figure } from './measure.ts';

/** What a figure's process is told. */
export interface Scale {
  /** Smaller sizes, for a look rather than a figure. */
  readonly quick: boolean;
  /** The project's folder. */
  readonly root: string;
  /** A folder of its own, removed after the run. */
  readonly folder: string;
  /** Rounds whose median counts. */
  readonly rounds: number;
}

/** A side of a figure that cannot be had here, and why. */
export interface Skipped {
  readonly name: string;
  readonly skipped: string;
}

/** Runs one file of figures in a process of its own and hands its results to `main.ts` through file descriptor 3. */
export async function report(measure: (scale: Scale) => Promise<readonly (Figure | Skipped)[]>): Promise<void> {
  const [root = '', folder = '', size = ''] = process.argv.slice(2);
  const quick = size === 'quick';
  const figures = await measure({ quick, root, folder, rounds: 5 });
  writeSync(3, JSON.stringify(figures));
  process.exit(0);
}
