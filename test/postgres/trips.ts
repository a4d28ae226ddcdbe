/** Cost of a command on a log in PostgreSQL, in exchanges with the database and processor time: figures that hold on a busy machine too. */
import { openPostgresStore } from '../../runtime/store/postgres/postgres-store.ts';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { sent } from '../kit/engine.ts';

const schema = `
CREATE AGGREGATE Box (box_id STRING KEY, total INT DEFAULT 0 AS SUM(data.n));
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put STATE AS SELECT COALESCE(MAX(total), 0) AS total FROM Reg."Box$Agg" WHERE box_id = :box_id
EMIT AS SELECT EVENT Added (n := :n) WHERE total >= 0;
`;

export interface Trips {
  readonly commands: number;
  readonly roundTrips: number;
  readonly overtaken: number;
  /** Processor time of this process, all servers together; the database's is its own. */
  readonly processorMicroseconds: number;
}

/**
 * Executes `commands` commands of `clients` clients, each on a stream of its own, on `servers` servers in turn. The namespace must not
 * exist yet.
 */
export async function countTrips(
  url: string,
  namespace: string,
  { servers, clients, commands }: { readonly servers: number; readonly clients: number; readonly commands: number },
): Promise<Trips> {
  const open = async (): Promise<OpenSession> =>
    openSession({ store: await openPostgresStore({ url, namespace, readModel: 'worker' }), version: '0.0.0' });
  const first = await open();
  const sessions = [first];
  for await (const outcome of first.run({ name: 'schema', text: schema }, { adoptAtEnd: true }))
    if (outcome.kind === 'error') throw new Error(outcome.problems[0]?.message);
  while (sessions.length < servers) sessions.push(await open());
  const counted = (): { readonly roundTrips: number; readonly overtaken: number } => {
    const all = sessions.map(({ engine }) => engine.store.turns.sharing());
    const sum = (of: 'roundTrips' | 'overtaken'): number => all.reduce((total, one) => total + (one?.[of] ?? 0), 0);
    return { roundTrips: sum('roundTrips'), overtaken: sum('overtaken') };
  };
  const before = counted();
  const began = process.cpuUsage();
  let left = commands;
  const client = async (at: number): Promise<void> => {
    const { engine } = sessions[at % sessions.length] ?? first;
    while (left > 0) {
      left -= 1;
      await engine.execute({ command: 'Put', arguments: sent({ box_id: `b${at}`, n: 1 }) });
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, at) => client(at)));
  const { user, system } = process.cpuUsage(began);
  const after = counted();
  for (const session of sessions) await session.close();
  return {
    commands,
    roundTrips: after.roundTrips - before.roundTrips,
    overtaken: after.overtaken - before.overtaken,
    processorMicroseconds: user + system,
  };
}
