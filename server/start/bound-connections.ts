import { readFileSync } from 'node:fs';

/** File descriptors reserved for everything except connections: the log, snapshots, modules, threads, sessions of tools. */
const keptForFiles = 128;

/**
 * How many connections may be accepted so that descriptors are left for files, given the limit of the process. Half of a small limit is for
 * connections.
 */
export function boundConnections(wanted: number, descriptors: number): number {
  return Math.min(wanted, Math.max(1, descriptors - Math.min(keptForFiles, Math.ceil(descriptors / 2))));
}

/** How many files and connections this process may have open; undefined if the system does not say. */
export function descriptorLimit(): number | undefined {
  let told: string;
  try {
    told = readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return undefined; // not Linux: there is no such file
  }
  return parseDescriptorLimit(told);
}

/** The limit in force in the text of `/proc/self/limits`, which may be absent. */
export function parseDescriptorLimit(limits: string): number | undefined {
  const found = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return found === undefined ? undefined : Number(found);
}
