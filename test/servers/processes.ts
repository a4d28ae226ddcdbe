/**
 * Servers as processes on one log in PostgreSQL, with many clients over HTTP, while something goes wrong again and again. The answers are checked
 * with the log and a second implementation of the rules (`check-history.ts`).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { LogEntry } from '../../runtime/store/entry.ts';
import { dumpDatabaseLog } from '../../runtime/store/postgres/database-log.ts';
import type { TestDatabase } from '../kit/database.ts';
import { startTcpProxy } from '../kit/tcp-proxy.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { checkHistory, type Operation, type Reading } from './check-history.ts';
import { chooseCommand } from './choose-command.ts';
import { createChance } from './history.ts';
import { historySchema } from './history-schema.ts';
import { hasOwnNetwork } from './lost-packets.ts';
import { createServerProcess, type Answer, type ServerProcess } from './server-process.ts';
import { troubleMaking, type TroubledServer, type TroubleKind } from './troubles.ts';

export interface ProcessOptions {
  readonly seed: number;
  readonly servers: number;
  readonly clients: number;
  /** Time that the run lasts at least; it continues until there was enough trouble, but not three times as long. */
  readonly seconds: number;
  readonly trouble: TroubleKind;
  readonly many: number;
}

export interface ProcessRun {
  readonly faults: readonly string[];
  /** Number of operations with each result. */
  readonly told: Readonly<Record<string, number>>;
  readonly readings: number;
  /** Readings at another server than the one that acknowledged the last command before them. */
  readonly elsewhere: number;
  readonly entries: number;
  /** Number of troubles that were made. */
  readonly troubles: number;
  /** Statuses of refusals with their reasons, without numbers. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly seconds: number;
}

const aggregates: Readonly<Record<string, string>> = {
  PayIn: 'Account',
  Move: 'Account',
  Enter: 'Member',
  Leave: 'Member',
  Redeem: 'Coupon',
};

export async function runProcesses(database: TestDatabase, options: ProcessOptions): Promise<ProcessRun> {
  const { trouble } = options;
  const chance = createChance(options.seed);
  const namespace = `processes_${process.pid}_${options.seed}_${trouble}`;
  const folder = mkdtempSync(join(tmpdir(), 'schemac-processes-'));
  writeFileSync(
    join(folder, 'a.schema'),
    `CREATE EVENTSTORE shared WITH (durable.type = 'postgres', durable.url = ENV('DATABASE_URL'), durable.namespace = '${namespace}');\n${historySchema}`,
  );
  const built = await runToolHere(['build', 'a.schema'], { cwd: folder });
  if (built.status !== 0) throw new Error(built.stderr);

  const needsProxy = trouble === 'cut' || (trouble === 'drop' && !hasOwnNetwork());
  const all: readonly TroubledServer[] = await Promise.all(
    Array.from({ length: options.servers }, async (_, at) => {
      const proxy = needsProxy ? await startTcpProxy(database.port) : undefined;
      const url = new URL(database.url);
      if (proxy !== undefined) url.port = String(proxy.port);
      const address = `127.0.0.${11 + at}`;
      if (trouble === 'drop' && hasOwnNetwork()) url.hostname = address;
      return {
        server: createServerProcess({ name: `server-${at + 1}`, folder, database: url.href }),
        proxy,
        address,
      };
    }),
  );
  const witness = new pg.Pool({ connectionString: database.url, max: 4 });
  witness.on('error', () => undefined); // a crash of the database ends idle connections
  const endOfLog = async (): Promise<number> => {
    for (;;) {
      try {
        const { rows } = await witness.query<{ entry: string }>(`SELECT entry FROM "${namespace}".head`);
        return Number(rows[0]?.entry);
      } catch {
        await pause(50); // it is away on purpose
      }
    }
  };
  const operations: Operation[] = [];
  const readings: Reading[] = [];
  const refusals: Record<string, number> = {};
  let unexpected = 0;
  let acknowledged = 0;
  let acknowledgedBy: ServerProcess | undefined;
  let elsewhere = 0;
  let made = 0;
  let happened = 0;

  const pick = async (not?: ServerProcess): Promise<ServerProcess> => {
    for (;;) {
      const up = all.map(({ server }) => server).filter((server) => server.serves());
      const others = up.length > 1 ? up.filter((server) => server !== not) : up;
      const chosen = others[Math.floor(chance() * others.length)];
      if (chosen !== undefined) return chosen;
      await pause(20);
    }
  };
  const refused = ({ status, body }: Answer): void => {
    if (status === 500) unexpected += 1;
    const { error = '' } = body as { readonly error?: string };
    const key = `${status} ${error.replaceAll(/\d+/g, 'n').slice(0, 160)}`;
    refusals[key] = (refusals[key] ?? 0) + 1;
  };

  const execute = async (mark: string): Promise<void> => {
    const wanted = chooseCommand(chance, mark, { accounts: 10, coupon: Math.floor(made / 40) });
    const keyed = chance() < 0.3;
    const floor = acknowledged;
    let told: Operation['told'] = 'unknown';
    let entry = 0;
    for (let attempt = 1; told === 'unknown' && attempt <= (keyed ? 400 : 1); attempt += 1) {
      const server = await pick();
      const path = `/api/aggregates/${aggregates[wanted.command] ?? ''}/execute/${wanted.command}`;
      const key = keyed ? { 'Idempotency-Key': mark } : undefined;
      const answer = await server.ask(path, wanted.arguments, key).catch(() => undefined);
      if (answer?.status === 200) {
        const [row] = answer.body as readonly Readonly<Record<string, unknown>>[];
        told = row !== undefined && Object.values(row).includes('rejected') ? 'rejected' : 'emitted';
        entry = told === 'rejected' && keyed ? answer.entry - 1 : answer.entry;
        acknowledged = Math.max(acknowledged, answer.entry);
        acknowledgedBy = server;
      } else {
        if (answer !== undefined) refused(answer);
        await pause(20);
      }
    }
    operations.push({ ...wanted, floor, ceiling: await endOfLog(), told, entry });
  };
  const look = async (): Promise<void> => {
    const floor = acknowledged;
    const wrote = acknowledgedBy;
    const server = await pick(wrote);
    const answer = await server.ask('/api/projections/Balances/query').catch(() => undefined);
    if (answer?.status !== 200) {
      if (answer !== undefined) refused(answer);
      return;
    }
    if (wrote !== undefined && server !== wrote) elsewhere += 1;
    const rows = answer.body as readonly { readonly aggregate_id: string; readonly balance: number }[];
    const balances = Object.fromEntries(rows.map(({ aggregate_id: id, balance }) => [id, balance]));
    readings.push({ floor, ceiling: await endOfLog(), shown: answer.entry, balances });
  };

  try {
    await Promise.all(all.map(({ server }) => server.start()));
    const began = performance.now();
    const isOver = (): boolean => {
      const seconds = (performance.now() - began) / 1000;
      return seconds > 3 * options.seconds || (seconds > options.seconds && happened >= options.many);
    };
    const disturb = async (): Promise<void> => {
      const { pause: between, make } = troubleMaking[trouble];
      const troubled = { servers: all, database, witness, chance, refused };
      for (let number = 0; !isOver(); number += 1) {
        await pause(between);
        if (await make(troubled, number)) happened += 1;
      }
    };
    const disturbing = disturb();
    await Promise.all(
      Array.from({ length: options.clients }, async (_, client) => {
        while (!isOver()) {
          made += 1;
          if (chance() < 0.25) await look();
          else await execute(`${client}-${made}`);
        }
      }),
    );
    const seconds = Math.round((performance.now() - began) / 1000);
    await disturbing;
    for (const { server } of all) await server.end('SIGTERM');
    const log: LogEntry[] = [];
    for await (const entry of dumpDatabaseLog({ url: database.url, namespace })) log.push(entry);
    const told: Record<string, number> = {};
    for (const operation of operations) told[operation.told] = (told[operation.told] ?? 0) + 1;
    return {
      faults: [
        ...checkHistory(log, operations, readings),
        ...(unexpected === 0
          ? []
          : [`${unexpected} answers with status 500`, ...all.flatMap(({ server }) => server.errors())]),
      ],
      told,
      readings: readings.length,
      elsewhere,
      entries: log.length,
      troubles: happened,
      refusals,
      seconds,
    };
  } finally {
    for (const { server, proxy } of all) {
      await server.close();
      await proxy?.close();
    }
    await witness.end();
    rmSync(folder, { recursive: true, force: true });
  }
}
