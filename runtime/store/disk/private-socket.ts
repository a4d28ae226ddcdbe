import type { Server } from 'node:net';

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
