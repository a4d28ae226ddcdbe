/** Commands and reads of many clients on several servers of one log, while servers are killed and connections cut. */
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { Failure } from '../../language/failure/failure.ts';
import { scalarText } from '../../language/values/scalar-text.ts';
import { collect } from '../contract/accounts.ts';
import { sent } from '../kit/engine.ts';
import { chooseCommand } from './choose-command.ts';
import { checkHistory, type Operation, type Reading } from './check-history.ts';
import { historySchema } from './history-schema.ts';
import { severalEngines, type Server } from './several-engines.ts';
import type { Shakes } from './shaky-journal.ts';

export interface HistoryOptions {
  readonly seed: number;
  readonly servers: number;
  readonly clients: number;
  readonly operations: number;
  readonly shakes: Shakes;
  /** The probability that an operation is followed by a kill of one server, which another replaces. */
  readonly kills: number;
}

export interface HistoryRun {
  readonly faults: readonly string[];
  /** Number of operations with each result. */
  readonly told: Readonly<Record<string, number>>;
  readonly readings: number;
  readonly entries: number;
  readonly kills: number;
  /** Appends that were behind, and locks taken. */
  readonly behind: number;
  readonly locks: number;
}

/** A small generator (mulberry32): the same seed gives the same choices. */
export function createChance(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

interface Living extends Server {
  /** Resolves when it is killed. */
  readonly death: Promise<'killed'>;
  readonly kill: () => void;
}

export async function runHistory(options: HistoryOptions): Promise<HistoryRun> {
  const chance = createChance(options.seed);
  const world = await severalEngines(historySchema, chance);
  const witness = world.log.connect();
  const all: Living[] = [];
  const start = async (): Promise<Living> => {
    const server = await world.add(options.shakes);
    let kill = (): void => undefined;
    const death = new Promise<'killed'>((resolve) => {
      kill = () => {
        server.journal.freeze();
        resolve('killed');
      };
    });
    const living = { ...server, death, kill: () => kill() };
    all.push(living);
    return living;
  };
  const living = await Promise.all(Array.from({ length: options.servers }, start));
  const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T; // never empty
  const operations: Operation[] = [];
  const readings: Reading[] = [];
  let acknowledged = 0;
  let kills = 0;
  let left = options.operations;

  const command = (mark: string): Pick<Operation, 'command' | 'arguments'> =>
    chooseCommand(chance, mark, { accounts: 4, coupon: Math.floor(left / 40) });

  const execute = async (mark: string): Promise<void> => {
    const wanted = command(mark);
    const keyed = chance() < 0.3;
    const floor = acknowledged;
    let told: Operation['told'] = 'unknown';
    let entry = 0;
    // A client with an id sends it again, to another server, until it knows the outcome.
    for (let attempt = 1; told === 'unknown' && attempt <= (keyed ? 50 : 1); attempt += 1) {
      const server = pick(living);
      const request = { command: wanted.command, arguments: sent(wanted.arguments) };
      const answer = await Promise.race([
        server.death,
        server.engine.execute(keyed ? { ...request, commandId: mark } : request).catch((error: unknown) => error),
      ]);
      if (answer instanceof Failure) {
        if (answer.code === 'R0413' || answer.code === 'R0401' || answer.code === 'R0207')
          told = keyed ? 'unknown' : 'refused';
        else if (answer.code !== 'R0403') throw answer;
        await new Promise((resolve) => setTimeout(resolve, 5));
      } else if (answer instanceof Error) throw answer;
      else if (answer !== 'killed') {
        const outcome = unmasked(answer as Awaited<ReturnType<Server['engine']['execute']>>);
        // The entry of a recorded rejection is its own, and it was decided on the one before.
        entry = outcome.outcome === 'rejected' && keyed ? outcome.entry - 1 : outcome.entry;
        acknowledged = Math.max(acknowledged, outcome.entry);
        told = outcome.outcome;
      }
    }
    operations.push({ ...wanted, floor, ceiling: (await witness.fresh()).entry, told, entry });
  };

  const look = async (): Promise<void> => {
    const floor = acknowledged;
    const { engine, death } = pick(living);
    const query = engine.domain().projections.find(({ name }) => name === 'Balances')?.query;
    if (query === undefined) throw new Error('the schema has a projection Balances');
    let shown = 0;
    const asked = engine.query(query, [], { shows: (entry) => (shown = entry) });
    const answer = await Promise.race([death, asked.catch((error: unknown) => error)]);
    if (answer === 'killed' || (answer instanceof Failure && answer.code === 'R0413')) return;
    if (answer instanceof Error) throw answer;
    const { rows } = unmasked(answer as Awaited<typeof asked>);
    const balances = Object.fromEntries(rows.map(([id, balance]) => [scalarText(id), Number(balance)]));
    readings.push({ floor, ceiling: (await witness.fresh()).entry, shown, balances });
  };

  const killOne = async (): Promise<void> => {
    const place = Math.floor(chance() * living.length);
    kills += 1;
    const next = await start();
    living[place]?.kill();
    living[place] = next;
  };

  await Promise.all(
    Array.from({ length: options.clients }, async (_, client) => {
      while (left > 0) {
        left -= 1;
        if (chance() < 0.25) await look();
        else await execute(`${client}-${left}`);
        if (chance() < options.kills) await killOne();
      }
    }),
  );
  for (const { journal } of all) journal.shake({ delay: 0, cutAfter: 0, cutBefore: 0, away: 0 });
  // Appends that a cut left on their way arrive, or find themselves behind.
  await new Promise((resolve) => setTimeout(resolve, 12 * (options.shakes.away + 1)));
  const end = await (living[0] as Living).engine.store.turns.fresh();
  const log = await collect((living[0] as Living).engine.store.log.read(1));
  const told: Record<string, number> = {};
  for (const operation of operations) told[operation.told] = (told[operation.told] ?? 0) + 1;
  const faults = checkHistory(log, operations, readings);
  const asked = all.map(({ journal }) => journal.asked);
  for (const { engine } of living) await engine.close();
  return {
    faults,
    told,
    readings: readings.length,
    entries: end.entry,
    kills,
    behind: asked.reduce((sum, { behind }) => sum + behind, 0),
    locks: asked.reduce((sum, { lock }) => sum + lock, 0),
  };
}
