/** Which `schemac` serves a folder: the one that its project has installed, else the one that comes with the extension. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

const mainOfProject = join('node_modules', 'schemac', 'dist', 'cli', 'main.js');

export interface Choice {
  /** Folders of projects, the most wanted first. */
  readonly folders: readonly string[];
  /** The user trusts the code in these folders. */
  readonly trusted: boolean;
  /** The path in the settings; empty without one. */
  readonly named: string;
  /** The `main.js` that comes with the extension. */
  readonly own: string;
}

/** The path of the tool's `main.js`. Code from a folder is only used when the user trusts it. */
export function findTool({ folders, trusted, named, own }: Choice): string {
  if (!trusted) return own;
  if (named !== '') return named;
  for (const folder of folders) {
    const found = findAbove(folder);
    if (found !== undefined) return found;
  }
  return own;
}

/** Where Node finds packages for a file in this folder. */
function findAbove(start: string): string | undefined {
  for (let folder = start; ; folder = dirname(folder)) {
    const main = join(folder, mainOfProject);
    if (existsSync(main)) return main;
    if (folder === dirname(folder)) return undefined;
  }
}
