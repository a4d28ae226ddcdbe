import type { GeneratedFile } from './generated-file.ts';
import { sha256 } from '../structures.ts';

/** The list of generated files, so that a later build removes only files that a build wrote. */
export const MANIFEST = 'manifest.json';

export interface Manifest {
  /** SHA-256 by path. */
  readonly files: ReadonlyMap<string, string>;
}

export function createManifest(version: string, files: readonly GeneratedFile[]): string {
  const listed = new Map(files.map((file) => [file.path, sumOf(file)]));
  const lines = [...listed].map(([path, sum]) => `    ${JSON.stringify(path)}: "${sum}"`).join(',\n');
  const object = lines === '' ? '{}' : `{\n${lines}\n  }`;
  const text = `{\n  "generator": ${JSON.stringify(`schemac ${version}`)},\n  "files": ${object}\n}\n`;
  made = [{ text, manifest: { files: insideOnly(listed) } }, ...made.slice(0, 1)];
  return text;
}

const sums = new WeakMap<GeneratedFile, string>();

function sumOf(file: GeneratedFile): string {
  const sum = sums.get(file) ?? sha256(file.text);
  sums.set(file, sum);
  return sum;
}

/** The last two manifests written: a process that builds repeatedly need not parse the text that it wrote before. */
let made: readonly { readonly text: string; readonly manifest: Manifest }[] = [];

/** The manifest in a text; empty for any other text, and without paths that point outside. */
export function readManifest(text = ''): Manifest {
  const known = made.find((each) => each.text === text);
  return known?.manifest ?? { files: insideOnly(Object.entries(listedFiles(text))) };
}

function insideOnly(listed: Iterable<readonly [path: string, sum: unknown]>): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const [path, sum] of listed) if (isInside(path) && typeof sum === 'string') files.set(path, sum);
  return files;
}

function listedFiles(text: string): object {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== 'object' || parsed === null || !('files' in parsed)) return {};
    return typeof parsed.files === 'object' && parsed.files !== null ? parsed.files : {};
  } catch {
    return {};
  }
}

/** Whether a path is relative and made of plain names, so that it cannot leave its folder. */
export function isInside(path: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/.test(path);
}
