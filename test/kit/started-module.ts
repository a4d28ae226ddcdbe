import { root } from './tool.ts';

/** Whether this process runs a bundle of `npm test` rather than the sources. */
const bundled = process.argv[1]?.startsWith(`${root}build/`) ?? false;

/** The package whose modules this process runs; code that a test generates and imports must find this one, to share them. */
export const packageHere = bundled ? `${root}build` : root.replace(/\/$/, '');

/**
 * The address of a test module that is started as a process or thread of its own, given its path from the top folder without ending:
 * as bundled when the runner has done so, else the source.
 */
export function startedModule(path: string): URL {
  return new URL(bundled ? `build/${path}.js` : `${path}.ts`, `file://${root}`);
}
