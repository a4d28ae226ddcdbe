import { randomBytes } from 'node:crypto';
import type { Server } from 'node:net';

/**
 * A name for a socket in a data directory until it listens. Closing a server removes the name that it began to listen on, even if another socket has that
 * name by then; so a socket begins under a name that is used once, and then gets the name that others look for. A name that a killed process left
 * is removed by a later owner of the directory.
 */
export function startingName(): string {
  return `starting-${randomBytes(6).toString('hex')}`;
}

export function isStartingName(name: string): boolean {
  return /^starting-[0-9a-f]{12}$/.test(name);
}

/** Listens on a socket in the file system that is its owner's alone (0600) from the moment it is there. The server does not keep the process. */
export function listenPrivately(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    const before = process.umask(0o177);
    try {
      server.listen(path, resolve);
    } finally {
      process.umask(before);
    }
    server.unref();
  });
}
