import type { GeneratedFile } from './generated-file.ts';
import { sha256 } from './structures.ts';

/** The list of generated files, so that a later build removes what it wrote and nothing else. */
export const MANIFEST = 'manifest.json';

export interface Manifest {
  /** SHA-256 by path. */
  readonly files: ReadonlyMap<string, string>;
}

export function createManifest(version: string, files: readonly GeneratedFile[]): string {
  const sums = Object.fromEntries(files.map((file) => [file.path, sumOf(file)]));
  return `${JSON.stringify({ generator: `schemac ${version}`, files: sums }, undefined, 2)}\n`;
}

const sums = new WeakMap<GeneratedFile, string>();

function sumOf(file: GeneratedFile): string {
  const sum = sums.get(file) ?? sha256(file.text);
  sums.set(file, sum);
  return sum;
}

/** The manifest in a text; empty where the text is none, and without paths that point elsewhere. */
export function readManifest(text: string | undefined): Manifest {
  const files = new Map<string, string>();
  for (const [path, sum] of Object.entries(listedFiles(text))) {
    if (isInside(path) && typeof sum === 'string') files.set(path, sum);
  }
  return { files };
}

function listedFiles(text: string | undefined): object {
  try {
    const parsed: unknown = JSON.parse(text ?? '');
    if (typeof parsed !== 'object' || parsed === null || !('files' in parsed)) return {};
    return typeof parsed.files === 'object' && parsed.files !== null ? parsed.files : {};
  } catch {
    return {};
  }
}

/** A relative path of plain names, which no folder above can be reached by. */
export function isInside(path: string): boolean {
  return /^[A-Za-z0-9_-][A-Za-z0-9_.-]*(\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*$/.test(path);
}
