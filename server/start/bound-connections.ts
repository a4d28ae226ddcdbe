import { readFileSync } from 'node:fs';

/** File descriptors reserved for everything except connections: the log, snapshots, modules, threads, sessions of tools. */
const keptForFiles = 128;

/** Connections of all webhooks together, where the process may open enough descriptors. */
const usualWebhooks = 128;

export interface BoundConnections {
  /** That may be accepted. */
  readonly connections: number;
  /** To the receivers of all webhooks together. */
  readonly webhooks: number;
}

/**
 * Divides the descriptors of the process between connections, files and, where requests are sent, webhooks. Half of a small limit is for
 * connections of both kinds.
 */
export function boundConnections(wanted: number, descriptors: number, pushes: boolean): BoundConnections {
  const webhooks = Math.max(1, Math.min(usualWebhooks, Math.floor(descriptors / 8)));
  const files = Math.min(keptForFiles, Math.ceil(descriptors / 2));
  const left = descriptors - files - (pushes ? webhooks : 0);
  return { connections: Math.min(wanted, Math.max(1, left)), webhooks };
}

/** Number of files and connections that this process may have open; undefined if the system does not say. */
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
