import { spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Pooler {
  /** URL of the database behind it. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** PgBouncer in transaction mode before a database on this machine, as Debian's package `pgbouncer` installs it; or why there is none. */
export async function startPooler(url: string): Promise<Pooler | { readonly missing: string }> {
  if (spawnSync('pgbouncer', ['--version']).status !== 0) return { missing: 'there is no program pgbouncer' };
  const { port, pathname, username } = new URL(url);
  const database = pathname.slice(1);
  const listen = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'schemac-pooler-'));
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
${database} = host=127.0.0.1 port=${port === '' ? '5432' : port} user=${username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 100
`,
  );
  const owner = nobody();
  if (owner !== undefined) for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid);
  const server = spawn('pgbouncer', [file], { ...owner, stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
  const through = new URL(url);
  [through.hostname, through.port] = ['127.0.0.1', String(listen)];
  while (server.exitCode === null && !(await answers(listen))) await new Promise((resolve) => setTimeout(resolve, 20));
  if (server.exitCode !== null) return { missing: `pgbouncer ended with ${server.exitCode}` };
  return {
    url: through.href,
    stop: async () => {
      server.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The user of the pooler, which refuses to run as root. */
function nobody(): { readonly uid: number; readonly gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith('nobody:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
