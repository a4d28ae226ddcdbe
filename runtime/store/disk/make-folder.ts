import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Makes a folder and those above it that are missing, with these permission bits. Throws the error of the system. Node's own recursive form
 * never returns below `/proc`, where each folder is missing and none can be made.
 */
export function makeFolder(path: string, mode = 0o777): void {
  const missing: string[] = [];
  for (let at = resolve(path); !existsSync(at) && dirname(at) !== at; at = dirname(at)) missing.push(at);
  for (const folder of missing.reverse()) mkdirUnlessThere(folder, mode);
  if (missing.length === 0) mkdirSync(path, { recursive: true }); // says so when a file is in its place
}

/** Another process may make the same folder at the same time. */
function mkdirUnlessThere(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}
