/** Troubles that are made again and again while several servers work. */
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { TestDatabase } from '../kit/database.ts';
import type { TcpProxy } from '../kit/tcp-proxy.ts';
import { deliverPackets, dropPackets, hasOwnNetwork } from './lost-packets.ts';
import type { Answer, ServerProcess } from './server-process.ts';

export const troubles = ['none', 'kill', 'crash', 'terminate', 'freeze', 'cut', 'drop', 'schema'] as const;
export type TroubleKind = (typeof troubles)[number];

/** A server with its own way to the database. */
export interface TroubledServer {
  readonly server: ServerProcess;
  readonly proxy: TcpProxy | undefined;
  /** The address of the database that only this server uses, where packets can be dropped. */
  readonly address: string;
}

export interface Troubled {
  readonly servers: readonly TroubledServer[];
  readonly database: TestDatabase;
  /** Its own way to the database, which has no trouble. */
  readonly witness: pg.Pool;
  readonly chance: () => number;
  /** An answer of a server that does not say that all is well. */
  readonly refused: (answer: Answer) => void;
}

interface Trouble {
  /** Milliseconds before each. */
  readonly pause: number;
  /** Number of troubles in a whole run. */
  readonly many: number;
  /** Makes trouble of this number; false if there was nothing to disturb. */
  readonly make: (of: Troubled, number: number) => Promise<boolean>;
}

/** Every server in turn, if it serves. */
function inTurn({ servers }: Troubled, number: number): TroubledServer | undefined {
  const chosen = servers[number % servers.length];
  return chosen?.server.serves() === true ? chosen : undefined;
}

export const troubleMaking: Readonly<Record<TroubleKind, Trouble>> = {
  none: { pause: 1_000, many: 0, make: () => Promise.resolve(false) },
  kill: {
    pause: 3_000,
    many: 100,
    make: async (of, number) => {
      const { server } = inTurn(of, number) ?? {};
      await server?.end('SIGKILL');
      await server?.start();
      return server !== undefined;
    },
  },
  crash: {
    pause: 6_000,
    many: 50,
    make: async ({ database, chance }) => {
      if (database.crash === undefined) throw new Error('the database of DATABASE_URL cannot be crashed');
      await database.crash();
      await pause(chance() * 500);
      await database.restart?.();
      return true;
    },
  },
  terminate: {
    pause: 1_000,
    many: 200,
    make: async ({ witness }) => {
      const { rowCount } = await witness.query(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'server-%' AND random() < 0.5",
      );
      return (rowCount ?? 0) > 0;
    },
  },
  freeze: { pause: 4_000, many: 30, make: freezeHolder },
  cut: {
    pause: 500,
    many: 500,
    make: async (of, number) => {
      const { proxy } = inTurn(of, number) ?? {};
      const moments = ['before', 'after', 'answered'] as const;
      // The text of the statement that appends.
      const cut = proxy?.cutAt('unnest(', moments[Math.floor(of.chance() * moments.length)] ?? 'after');
      return Promise.race([cut?.then(() => true) ?? false, pause(5_000, false)]);
    },
  },
  drop: {
    pause: 4_000,
    many: 40,
    make: async (of, number) => {
      const chosen = inTurn(of, number);
      if (chosen === undefined) return false;
      const direction = (['to', 'from', 'both'] as const)[Math.floor(of.chance() * 3)] ?? 'both';
      if (hasOwnNetwork()) dropPackets(direction, chosen.address);
      else chosen.proxy?.become('silent');
      // Up to longer than a server waits for an answer.
      await pause(of.chance() * 15_000);
      if (hasOwnNetwork()) deliverPackets(direction, chosen.address);
      else chosen.proxy?.become('open');
      return true;
    },
  },
  schema: {
    pause: 2_000,
    many: 150,
    make: async (of, number) => {
      const { server } = inTurn(of, number) ?? {};
      if (server === undefined) return false;
      const lang = `CREATE OR REPLACE PROJECTION Changing AS SELECT aggregate_id, ${number} AS n FROM Reg."Account$Agg";`;
      const answer = await server.ask('/api/lang/create', { lang });
      if (answer.status !== 201) of.refused(answer);
      return answer.status === 201;
    },
  },
};

/** Stops a server while it has the lock of the log, for longer than the database lets it keep it. */
async function freezeHolder({ servers, witness }: Troubled): Promise<boolean> {
  const holders = async (): Promise<readonly string[]> => {
    const { rows } = await witness.query<{ name: string }>(
      "SELECT application_name AS name FROM pg_stat_activity WHERE application_name LIKE 'server-%' AND state = 'idle in transaction'",
    );
    return rows.map(({ name }) => name);
  };
  for (let attempt = 1; attempt <= 2_000; attempt += 1) {
    const [holder] = await holders();
    const found = servers.find(({ server }) => server.name === holder);
    if (found === undefined) {
      await pause(2);
      continue;
    }
    found.server.freeze();
    await pause(50);
    // The server may have given the lock back before it was stopped.
    const isHolder = (await holders()).includes(found.server.name);
    if (isHolder) await pause(4_000);
    found.server.thaw();
    if (isHolder) return true;
  }
  return false;
}
