import { unfinishedBuild } from '../../../language/contract/domain.ts';
import type { FileHost } from './file-host.ts';
import type { GeneratedFile } from './generated-file.ts';
import { isInside, MANIFEST, readManifest } from './manifest.ts';
import { sha256 } from '../structures.ts';

export interface WriteReport {
  readonly written: readonly string[];
  readonly unchanged: readonly string[];
  readonly removed: readonly string[];
  /** Files that are no longer generated, but were edited since, and are kept. */
  readonly kept: readonly string[];
}

/**
 * Writes generated files that differ from the existing ones, and removes files of the previous build that are no longer
 * generated. The manifest is written last, so that the next build cleans up after an interrupted one, which also left
 * the file `unfinishedBuild`.
 */
export function writeFiles(host: FileHost, files: readonly GeneratedFile[]): WriteReport {
  const previous = readManifest(host.read(MANIFEST));
  const current = new Set(files.map(({ path }) => path));
  const report = { written: [] as string[], unchanged: [] as string[], removed: [] as string[], kept: [] as string[] };
  let begun = false;
  const begin = (): void => {
    if (!begun) host.write(unfinishedBuild, "a build was cut short here; 'schemac build' finishes it\n");
    begun = true;
  };
  const put = ({ path, text }: GeneratedFile): void => {
    if (!isInside(path)) throw new Error('a generated file would be outside its folder');
    if (host.read(path) === text) report.unchanged.push(path);
    else {
      begin();
      host.write(path, text);
      report.written.push(path);
    }
  };
  for (const file of files) if (file.path !== MANIFEST) put(file);
  for (const [path, sum] of previous.files) {
    const text = current.has(path) ? undefined : host.read(path);
    if (text === undefined) continue;
    if (sha256(text) === sum) {
      begin();
      host.remove(path);
      report.removed.push(path);
    } else report.kept.push(path);
  }
  for (const file of files) if (file.path === MANIFEST) put(file);
  if (host.read(unfinishedBuild) !== undefined) host.remove(unfinishedBuild);
  return report;
}
