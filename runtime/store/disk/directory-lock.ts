import { lstatSync } from 'node:fs';
import * as fsp from 'node:fs/promises';
import * as net from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../../../language/failure/failure.ts';
import type { DirectoryLock } from '../disk.ts';
import { isStartingName, listenPrivately, startingName } from './private-socket.ts';
import { shortPath } from './short-path.ts';

/**
 * Takes a data directory for this process.
 *
 * The owner is the process that listens on the socket `lock.<n>` in the directory. A kernel that closes a dead process's sockets decides
 * who lives, so neither a used-up pid nor a container's own numbering can deceive, and a stopped process still owns. A socket listens
 * before it gets its name by `link`, which only one process can do for one name. After that the new owner checks again: a process that sees
 * another living lock gives up its own. If two both hold a lock, the later one looked when the earlier one's name was there, so two can
 * never both stay; both may leave, so they try again.
 */
export async function lockDirectory(directory: string): Promise<DirectoryLock> {
  const short = await shortPath(directory);
  const own = startingName();
  const server = await listen(join(short.path, own));
  const leave = async (): Promise<void> => {
    await fsp.unlink(join(directory, own)).catch(() => undefined);
    await new Promise<void>((resolve) => server.close(() => resolve()));
    await short.remove();
  };
  try {
    const name = await contend(directory, short.path, own);
    await fsp.unlink(join(directory, own));
    const path = join(directory, name);
    const { dev, ino } = await fsp.lstat(path);
    // With `bigint`, because Node 20 stops following links when it loads a module right after another lstat that met a socket.
    const look = { bigint: true, throwIfNoEntry: false } as const;
    const lost = (): string | undefined => {
      const said = `${name} is gone, so another process may have the data directory`;
      try {
        const there = lstatSync(path, look);
        return there?.ino === BigInt(ino) && there.dev === BigInt(dev) ? undefined : said;
      } catch (error) {
        return `${name} cannot be looked at: ${error instanceof Error ? error.message : String(error)}`;
      }
    };
    return {
      lost,
      mark: { path, device: dev, inode: ino },
      release: async () => {
        // By now the name may be that of the next owner's lock.
        if (lost() === undefined) await fsp.unlink(path).catch(() => undefined);
        await leave();
      },
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

const attempts = 50;

async function contend(directory: string, short: string, own: string): Promise<string> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const before = await locks(directory, short);
    const owner = before.find((lock) => lock.owner !== undefined);
    if (owner?.owner !== undefined) throw fail('R0404', { directory, owner: owner.owner });
    const name = `lock.${Math.max(0, ...before.map((lock) => lock.generation)) + 1}`;
    if (!(await linked(join(directory, own), join(directory, name)))) continue;
    const rivals = (await locks(directory, short)).filter((lock) => lock.name !== name);
    if (rivals.every((lock) => lock.owner === undefined)) {
      for (const dead of rivals) await fsp.unlink(join(directory, dead.name)).catch(() => undefined);
      await removeDeadStarts(directory, short, own);
      return name;
    }
    await fsp.unlink(join(directory, name)).catch(() => undefined);
    await pause(5 + Math.random() * 40);
  }
  throw fail('R0404', { directory, owner: 'several processes that start at the same time' });
}

interface Lock {
  readonly name: string;
  readonly generation: number;
  /** Undefined: no process listens. */
  readonly owner: string | undefined;
}

async function locks(directory: string, short: string): Promise<readonly Lock[]> {
  const names = (await fsp.readdir(directory)).filter((name) => /^lock\.\d+$/.test(name));
  return Promise.all(
    names.map(async (name) => ({ name, generation: Number(name.slice(5)), owner: await askOwner(join(short, name)) })),
  );
}

async function removeDeadStarts(directory: string, short: string, own: string): Promise<void> {
  for (const name of await fsp.readdir(directory)) {
    if (!isStartingName(name) || name === own) continue;
    // A socket has its name a moment before it listens, so a young one may look dead.
    const age =
      Date.now() -
      (await fsp.stat(join(directory, name)).then(
        (stat) => stat.mtimeMs,
        () => Date.now(),
      ));
    if (age < 60_000 || (await askOwner(join(short, name))) !== undefined) continue;
    await fsp.unlink(join(directory, name)).catch(() => undefined);
  }
}

async function linked(from: string, to: string): Promise<boolean> {
  try {
    await fsp.link(from, to);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** The process that listens there, in words; undefined if none does. */
function askOwner(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = net.connect(path);
    let said = '';
    const patience = setTimeout(() => socket.destroy(), 2000);
    socket.setEncoding('utf8');
    socket.on('data', (text: string) => {
      said += text.slice(0, 200);
    });
    socket.on('error', (error) => {
      const code = 'code' in error ? error.code : undefined;
      if (code === 'ECONNREFUSED' || code === 'ENOENT') {
        clearTimeout(patience);
        resolve(undefined);
      }
    });
    socket.on('close', () => {
      clearTimeout(patience);
      resolve(said === '' ? 'another process' : said);
    });
  });
}

async function listen(path: string): Promise<net.Server> {
  const greeting = `process ${process.pid}, started ${new Date(Date.now() - process.uptime() * 1000).toISOString()}`;
  const server = net.createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(greeting, () => socket.destroy());
  });
  await listenPrivately(server, path);
  return server;
}
