/** Servers as processes, on one log in PostgreSQL or one on a directory, with the troubles of `test/servers/troubles.ts`. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { LogEntry } from '../../runtime/store/entry.ts';
import { dumpLog } from '../../runtime/store/log/verify.ts';
import { dumpDatabaseLog } from '../../runtime/store/postgres/database-log.ts';
import type { TestDatabase } from '../kit/database.ts';
import { startTcpProxy } from '../kit/tcp-proxy.ts';
import { writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { createServerProcess } from '../servers/server-process.ts';
import { troubleMaking, type TroubledServer, type TroubleKind } from '../servers/troubles.ts';
import { deliveredSchema, subscriptionSchema } from './delivered-schema.ts';
import type { Push, World } from './world.ts';

export interface ProcessWorldOptions {
  readonly servers: number;
  readonly chance: () => number;
  readonly trouble: TroubleKind;
  readonly push: Push;
  readonly namespace: string;
}

/** Needs `npm run build`. */
export async function processWorld(
  database: TestDatabase,
  { servers, chance, trouble, push, namespace }: ProcessWorldOptions,
): Promise<World> {
  const store = `CREATE EVENTSTORE shared WITH (durable.type = 'postgres', durable.url = ENV('DATABASE_URL'), durable.namespace = '${namespace}');\n`;
  const folder = await builtFolder(store, push);
  const all: readonly TroubledServer[] = await Promise.all(
    Array.from({ length: servers }, async (_, at) => {
      const proxy = await startTcpProxy(database.port);
      const url = new URL(database.url);
      url.port = String(proxy.port);
      const name = `server-${at + 1}`;
      const server = createServerProcess({ name, folder, database: url.href, environment: push.environment });
      return { server, proxy, address: '' };
    }),
  );
  const witness = new pg.Pool({ connectionString: database.url, max: 2 });
  witness.on('error', () => undefined); // a crash of the database ends idle connections
  await Promise.all(all.map(({ server }) => server.start()));
  return {
    places: all.map(({ server }) => ({ name: server.name, url: server.url })),
    subscriptions: true,
    trouble: (number) =>
      troubleMaking[trouble].make({ servers: all, database, witness, chance, refused: () => undefined }, number),
    calm: async () => {
      while (!all.every(({ server }) => server.serves())) await pause(20);
    },
    log: async () => {
      const log: LogEntry[] = [];
      for await (const entry of dumpDatabaseLog({ url: database.url, namespace })) log.push(entry);
      return log;
    },
    close: async () => {
      for (const { server, proxy } of all) {
        await server.close();
        await proxy?.close();
      }
      await witness.query(`DROP SCHEMA IF EXISTS "${namespace}" CASCADE`);
      await witness.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A process on a directory; its trouble is a kill. Needs `npm run build`. */
export async function directoryWorld(push: Push): Promise<World> {
  const folder = await builtFolder('', push);
  const server = createServerProcess({ name: 'server-1', folder, database: undefined, environment: push.environment });
  await server.start();
  return {
    places: [{ name: server.name, url: server.url }],
    subscriptions: true,
    trouble: async () => {
      await server.end('SIGKILL');
      await server.start();
      return true;
    },
    calm: () => Promise.resolve(),
    log: async () => {
      const log: LogEntry[] = [];
      for await (const entry of dumpLog(join(folder, 'data-server-1', 'log'))) log.push(entry);
      return log;
    },
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A new project with what `build` writes. */
async function builtFolder(store: string, push: Push): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'schemac-delivered-'));
  writeFiles(folder, {
    'a.schema': store + deliveredSchema + subscriptionSchema,
    'schemac.config.json': JSON.stringify({ push: { allowedHosts: [push.host] } }),
  });
  const built = await runToolHere(['build', 'a.schema'], { cwd: folder });
  if (built.status !== 0) throw new Error(built.stderr);
  return folder;
}
