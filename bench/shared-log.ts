/** Servers of the accounts on a log in the PostgreSQL of `DATABASE_URL`, which `bench/main.ts` starts. */
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { generatedServer } from './accounts.ts';
import { processorTime } from './threads.ts';
import { startServer, type Serving } from './tool.ts';

export interface SharedLogs {
  readonly url: string;
  /** Starts a server; in the same namespace they share a log. Its directory is new unless it is given. */
  readonly start: (namespace: string, options?: SharedServerOptions) => Promise<Serving>;
  /** Processor time of all processes of the database on this machine, in µs; undefined for a database elsewhere. */
  readonly processor: (() => number) | undefined;
}

export interface SharedServerOptions {
  /** Another way to the database. */
  readonly url?: string;
  readonly data?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

const eventStore = `CREATE EVENTSTORE shared WITH (default = true, durable.type = 'postgres', durable.url = ENV('DATABASE_URL'), durable.namespace = ENV('NAMESPACE'));`;

export async function sharedLogs(root: string, folder: string): Promise<SharedLogs> {
  const database = process.env['DATABASE_URL'] ?? '';
  const generated = await generatedServer(folder, eventStore);
  return {
    url: database,
    start: async (namespace, options = {}) => {
      const { url = database, data = mkdtempSync(join(folder, 'data-')), environment = {} } = options;
      const own = { DATABASE_URL: url, NAMESPACE: namespace, ...environment };
      const server = await startServer(root, generated, data, own);
      await ready(server);
      return server;
    },
    processor: await databaseProcessor(database),
  };
}

async function ready({ url }: Serving): Promise<void> {
  while ((await fetch(`${url}/ready`)).status !== 200) await new Promise((next) => setTimeout(next, 2));
}

/** Processor time of the process that started all others of the database. Time of those that have ended is not counted. */
async function databaseProcessor(url: string): Promise<(() => number) | undefined> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const backend = parentOf(rows[0]?.pid ?? 0);
  await client.end();
  if (backend?.name !== 'postgres') return undefined;
  const { parent } = backend;
  return () => {
    const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    const own = pids.map(Number).filter((pid) => pid === parent || parentOf(pid)?.parent === parent);
    return own.reduce((sum, pid) => sum + processorTime(pid), 0);
  };
}

function parentOf(pid: number): { readonly name: string; readonly parent: number } | undefined {
  try {
    const [, name = '', parent] = /\((.*)\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return { name, parent: Number(parent) };
  } catch {
    return undefined; // it has ended meanwhile
  }
}

/** A number of `/metrics`. */
export async function metricOf({ url }: Serving, name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1];
  if (value === undefined) throw new Error(`there is no metric ${name}`);
  return Number(value);
}
