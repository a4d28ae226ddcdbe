/**
 * Servers as processes on one log in PostgreSQL, with many clients over HTTP, while something goes wrong again and again. The answers are checked
 * with the log and a second implementation of the rules (`check-history.ts`).
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { LogEntry } from '../../runtime/store/entry.ts';
import { dumpDatabaseLog } from '../../runtime/store/postgres/database-log.ts';
import type { TestDatabase } from '../kit/database.ts';
import { startTcpProxy } from '../kit/tcp-proxy.ts';
import { root } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { checkHistory, type Operation, type Reading } from './check-history.ts';
import { chooseCommand } from './choose-command.ts';
import { createChance } from './history.ts';
import { historySchema } from './history-schema.ts';

export const troubles = ['none', 'kill', 'crash', 'terminate', 'freeze', 'cut', 'schema'] as const;
export type TroubleKind = (typeof troubles)[number];

export interface ProcessOptions {
  readonly seed: number;
  readonly servers: number;
  readonly clients: number;
  readonly seconds: number;
  readonly trouble: TroubleKind;
}

export interface ProcessRun {
  readonly faults: readonly string[];
  /** How many operations had each result. */
  readonly told: Readonly<Record<string, number>>;
  readonly readings: number;
  readonly entries: number;
  /** How often something went wrong on purpose. */
  readonly troubles: number;
  /** Statuses of refusals with their reasons, without numbers. */
  readonly refusals: Readonly<Record<string, number>>;
  readonly seconds: number;
}

/** Milliseconds between two troubles. */
const pauses: Readonly<Record<TroubleKind, number>> = {
  none: 1_000,
  kill: 3_000,
  crash: 6_000,
  terminate: 1_000,
  freeze: 5_000,
  cut: 600,
  schema: 2_000,
};

interface Server {
  url: string;
  process: ChildProcess | undefined;
  readonly agent: Agent;
}

interface Answer {
  readonly status: number;
  readonly entry: number;
  readonly body: unknown;
}

export async function runProcesses(database: TestDatabase, options: ProcessOptions): Promise<ProcessRun> {
  const chance = createChance(options.seed);
  const namespace = `processes_${process.pid}_${options.seed}_${options.trouble}`;
  const folder = mkdtempSync(join(tmpdir(), 'schemac-processes-'));
  const proxy = options.trouble === 'cut' ? await startTcpProxy(database.port) : undefined;
  const url = new URL(database.url);
  if (proxy !== undefined) url.port = String(proxy.port);
  writeFileSync(
    join(folder, 'a.schema'),
    `CREATE EVENTSTORE shared WITH (durable.type = 'postgres', durable.url = ENV('DATABASE_URL'), durable.namespace = '${namespace}');\n${historySchema}`,
  );
  const built = await runToolHere(['build', 'a.schema'], { cwd: folder });
  if (built.status !== 0) throw new Error(built.stderr);
  const servers: Server[] = Array.from({ length: options.servers }, () => ({
    url: '',
    process: undefined,
    agent: new Agent({ keepAlive: true }),
  }));
  /** What servers logged as errors. */
  const errors: string[] = [];
  const start = (server: Server, place: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const words = [join(root, 'dist/cli/main.js'), 'start', '--port', '0', '--data', `data-${place}`];
      const child = spawn(process.execPath, [...words, '--enable-create', '--wait', '60'], {
        cwd: folder,
        env: { ...process.env, DATABASE_URL: url.href },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      server.process = child;
      let said = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (text: Buffer) => {
          said = (said + text.toString()).slice(-10_000);
          for (const line of text.toString().split('\n'))
            if (/"level":"?(50|error)/.test(line)) errors.push(line.slice(0, 2_000));
          const [found] = /http:\/\/[^\s,]+/.exec(said) ?? [];
          if (found === undefined || !said.includes(', data ')) return;
          server.url = found;
          resolve();
        });
      child.once('exit', (status, signal) => {
        server.url = '';
        if (signal === null && status !== 0) reject(new Error(`a server ended with ${status}: ${said}`));
        else resolve();
      });
    });
  const stop = async (server: Server, signal: NodeJS.Signals): Promise<void> => {
    const child = server.process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  };
  const ask = (server: Server, path: string, body?: object, headers: Record<string, string> = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const asked = request(
        server.url + path,
        {
          method: body === undefined ? 'GET' : 'POST',
          agent: server.agent,
          timeout: 30_000,
          headers: { Accept: 'application/json', 'Content-Type': 'application/json', ...headers },
        },
        (answer) => {
          const parts: Buffer[] = [];
          answer.on('data', (part: Buffer) => parts.push(part));
          answer.on('error', reject);
          answer.on('end', () => {
            const text = Buffer.concat(parts).toString();
            const entry = Number(answer.headers['schemac-entry'] ?? 0);
            const status = answer.statusCode ?? 0;
            const isJson = (answer.headers['content-type'] ?? '').includes('json');
            if (isJson) resolve({ status, entry, body: JSON.parse(text) });
            else reject(new Error(`${status} ${text}`));
          });
        },
      );
      asked.on('error', reject);
      asked.on('timeout', () => asked.destroy(new Error('no answer within 30 s')));
      asked.end(body === undefined ? undefined : JSON.stringify(body));
    });

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
  let unexpected = 0;
  const readings: Reading[] = [];
  const refusals: Record<string, number> = {};
  let acknowledged = 0;
  let made = 0;
  let happened = 0;
  const pick = async (): Promise<Server> => {
    for (;;) {
      const up = servers.filter(({ url: its }) => its !== '');
      const chosen = up[Math.floor(chance() * up.length)];
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
  const aggregates: Readonly<Record<string, string>> = {
    ...{ PayIn: 'Account', Move: 'Account', Enter: 'Member', Leave: 'Member', Redeem: 'Coupon' },
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
      const answer = await ask(server, path, wanted.arguments, keyed ? { 'Idempotency-Key': mark } : {}).catch(
        () => undefined,
      );
      if (answer?.status === 200) {
        const [row] = answer.body as readonly Readonly<Record<string, unknown>>[];
        told = row !== undefined && Object.values(row).includes('rejected') ? 'rejected' : 'emitted';
        entry = told === 'rejected' && keyed ? answer.entry - 1 : answer.entry;
        acknowledged = Math.max(acknowledged, answer.entry);
      } else {
        if (answer !== undefined) refused(answer);
        await pause(20);
      }
    }
    operations.push({ ...wanted, floor, ceiling: await endOfLog(), told, entry });
  };
  const look = async (): Promise<void> => {
    const floor = acknowledged;
    const answer = await ask(await pick(), '/api/projections/Balances/query').catch(() => undefined);
    if (answer?.status !== 200) {
      if (answer !== undefined) refused(answer);
      return;
    }
    const rows = answer.body as readonly { readonly aggregate_id: string; readonly balance: number }[];
    const balances = Object.fromEntries(rows.map(({ aggregate_id: id, balance }) => [id, balance]));
    readings.push({ floor, ceiling: await endOfLog(), shown: answer.entry, balances });
  };

  const disturb = async (): Promise<void> => {
    const place = Math.floor(chance() * servers.length);
    const server = servers[place];
    if (server === undefined || server.url === '') return;
    happened += 1;
    switch (options.trouble) {
      case 'none':
        happened -= 1;
        return;
      case 'kill':
        await stop(server, 'SIGKILL');
        await start(server, place);
        return;
      case 'crash':
        await database.crash?.();
        await pause(chance() * 500);
        await database.restart?.();
        return;
      case 'terminate':
        await witness
          .query(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'schemac' AND random() < 0.5",
          )
          .catch(() => undefined);
        return;
      case 'freeze':
        server.process?.kill('SIGSTOP');
        await pause(4_000);
        server.process?.kill('SIGCONT');
        return;
      case 'cut':
        proxy?.cut();
        return;
      case 'schema': {
        const lang = `CREATE OR REPLACE PROJECTION Changing AS SELECT aggregate_id, ${happened} AS n FROM Reg."Account$Agg";`;
        const answer = await ask(server, '/api/lang/create', { lang });
        if (answer.status !== 201) refused(answer);
      }
    }
  };

  try {
    await Promise.all(servers.map(start));
    const began = performance.now();
    const isOver = (): boolean => performance.now() - began > 1_000 * options.seconds;
    const disturbing = (async () => {
      while (!isOver()) {
        await pause(pauses[options.trouble]);
        await disturb();
      }
    })();
    await Promise.all(
      Array.from({ length: options.clients }, async (_, client) => {
        while (!isOver()) {
          made += 1;
          if (chance() < 0.25) await look();
          else await execute(`${client}-${made}`);
        }
      }),
    );
    const seconds = (performance.now() - began) / 1000;
    await disturbing;
    for (const server of servers) await stop(server, 'SIGTERM');
    const log: LogEntry[] = [];
    for await (const entry of dumpDatabaseLog({ url: database.url, namespace })) log.push(entry);
    const told: Record<string, number> = {};
    for (const operation of operations) told[operation.told] = (told[operation.told] ?? 0) + 1;
    return {
      faults: [
        ...checkHistory(log, operations, readings),
        ...(unexpected === 0 ? [] : [`${unexpected} answers with status 500`, ...errors.slice(-5)]),
      ],
      ...{ told, readings: readings.length, entries: log.length, troubles: happened, refusals, seconds },
    };
  } finally {
    for (const server of servers) {
      await stop(server, 'SIGKILL');
      server.agent.destroy();
    }
    await witness.end();
    await proxy?.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
