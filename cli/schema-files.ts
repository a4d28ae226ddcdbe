import { closeSync, fstatSync, openSync, readSync, readdirSync, realpathSync, statSync, type Dirent } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { visibleText } from '../language/diagnostics/render/visible.ts';
import type { SourceFile } from '../language/source/source-file.ts';
import { environmentFault, type ExitFault, inputFault } from './exit-fault.ts';

/** The compiler refuses texts over 10 MiB; reading more would only fill memory. */
const mostBytes = 10 * 1024 * 1024 + 1;
const ending = '.schema';

/**
 * Reads the named files and, for folders, every `*.schema` file below, in the order of names. Names are as given, relative to `cwd`. Each
 * file is read once, however often it is named.
 */
export function readSchemaFiles(cwd: string, paths: readonly string[]): readonly SourceFile[] {
  const seen = new Set<string>();
  return paths
    .flatMap((path) => findFiles(cwd, path))
    .filter((path) => {
      const real = realPath(path);
      return !seen.has(real) && seen.add(real);
    })
    .map((path) => readSchemaFile(cwd, path));
}

/** The real path of a path; a pipe such as /dev/stdin keeps its own. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** The files behind one path, absolute, in order; at least one. */
export function findFiles(cwd: string, path: string): readonly string[] {
  const absolute = resolve(cwd, path);
  const found = statSync(absolute, { throwIfNoEntry: false });
  if (found === undefined) throw inputFault(`there is no file or folder '${visibleText(path)}'`);
  if (!found.isDirectory()) return [absolute];
  const files = filesBelow(absolute, new Set([realpathSync(absolute)]));
  if (files.length === 0) throw inputFault(`the folder '${visibleText(path)}' contains no ${ending} file`);
  return files;
}

/** The files of the paths with their modification times, as text: if it differs from an earlier one, something has changed. */
export function stateOfFiles(cwd: string, paths: readonly string[]): string {
  return paths.map((path) => stateOf(cwd, path)).join('\n');
}

function stateOf(cwd: string, path: string): string {
  try {
    return findFiles(cwd, path).map(stateOfFile).join('\n');
  } catch (error) {
    return (error as Error).message;
  }
}

function stateOfFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? path : `${path} ${found.ino} ${found.mtimeMs} ${found.size}`;
}

/** Reads one text; refuses text that is not UTF-8, with its place. */
export function readSchemaFile(cwd: string, path: string): SourceFile {
  const absolute = resolve(cwd, path);
  const name = relative(cwd, absolute).startsWith('..') ? absolute : relative(cwd, absolute);
  const bytes = readBytes(absolute, name);
  try {
    return { name, text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    throw inputFault(`${visibleText(name)} is not UTF-8 text`);
  }
}

function filesBelow(folder: string, above: ReadonlySet<string>): readonly string[] {
  return entriesOf(folder)
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      const path = join(folder, entry.name);
      const found = statSync(path, { throwIfNoEntry: false });
      if (found?.isDirectory() !== true) return found?.isFile() === true && entry.name.endsWith(ending) ? [path] : [];
      // A link back to a parent folder would be walked forever.
      const real = realpathSync(path);
      return above.has(real) ? [] : filesBelow(path, new Set([...above, real]));
    });
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw unreadable(error, folder);
  }
}

function readBytes(path: string, name: string): Uint8Array {
  const descriptor = openFile(path, name);
  try {
    const bytes = Buffer.alloc(Math.min(mostBytes, Math.max(fstatSync(descriptor).size, 64 * 1024)));
    const chunks: Buffer[] = [];
    let total = 0;
    // The size of a pipe is unknown, so it is read until its end.
    for (let count = 1; count > 0 && total < mostBytes; total += count) {
      count = readSync(descriptor, bytes, 0, bytes.length, null);
      chunks.push(Buffer.from(bytes.subarray(0, count)));
    }
    return wholeCharacters(Buffer.concat(chunks).subarray(0, mostBytes), total > mostBytes);
  } catch (error) {
    throw unreadable(error, name);
  } finally {
    closeSync(descriptor);
  }
}

function openFile(path: string, name: string): number {
  try {
    return openSync(path, 'r');
  } catch (error) {
    throw unreadable(error, name);
  }
}

/** A missing file is wrong input; an unreadable file is an error of the environment. */
function unreadable(error: unknown, name: string): ExitFault {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return inputFault(`there is no file or folder '${visibleText(name)}'`);
  return (code === 'EISDIR' ? inputFault : environmentFault)(`${visibleText(name)} cannot be read: ${message}`);
}

/** The cut of an oversized text may split a character, which does not count: the text is refused for its size anyway. */
function wholeCharacters(bytes: Buffer, cut: boolean): Uint8Array {
  let end = bytes.length;
  if (cut) while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}
