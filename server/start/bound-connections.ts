import { readFileSync } from 'node:fs';

/** Descriptors that are kept for what is no connection: the log, snapshots, modules, threads, sessions of tools. */
const keptForFiles = 128;

/**
 * How many connections may be taken so that descriptors are left for files, where the process may open so many. A small limit is shared by
 * halves.
 */
export function boundConnections(wanted: number, descriptors: number): number {
  return Math.min(wanted, Math.max(1, descriptors - Math.min(keptForFiles, Math.ceil(descriptors / 2))));
}

/** How many files and connections this process may have open; undefined where the system does not tell. */
export function descriptorLimit(): number | undefined {
  let told: string;
  try {
    told = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return undefined; // no Linux: there is no such file
  }
  return parseDescriptorLimit(told);
}

/** Of the text of `/proc/self/limits`: the limit in force, which may be none. */
export function parseDescriptorLimit(limits: string): number | undefined {
  const found = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return found === undefined ? undefined : Number(found);
}
