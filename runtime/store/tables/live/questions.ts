/** Queries to a live database: each is sent when the tables contain the entries that it needs. */
import type { CompiledQuery } from '../../../../language/contract/query.ts';
import type { Value } from '../../../../language/values/type.ts';
import { limitsOf, Overtaken, type QueryOptions } from '../../query.ts';
import type { Building } from './building.ts';
import { runnableQuery } from '../core/query-runner.ts';
import { createLargeReads } from './large-reads.ts';
import type { Ahead } from '../../turns/turn.ts';
import type { ReadModelOptions } from './read-model-options.ts';
import type { Conversation } from '../thread/conversation.ts';
import type { Feed } from '../thread/feed.ts';
import type { DefinitionInForce } from './definition-in-force.ts';
import type { Live, LiveDatabase } from './live-database.ts';

export interface Questions {
  /** Runs a query when the tables contain the entries that it needs; `put` sends it in one of its forms. */
  readonly ask: <T>(
    query: CompiledQuery,
    parameters: readonly Value[],
    options: QueryOptions | undefined,
    turn: Ahead | undefined,
    put: (live: Live, ...question: Parameters<Conversation['query']>) => Promise<T>,
  ) => Promise<T>;
  /** Sends the entries before a turn, or the local ones, or all that are durable in any process. */
  readonly reachEnd: (feed: Feed, first: number | undefined, local?: boolean) => Promise<void>;
  /** Entries of turns were taken back: their queries fail. */
  readonly takenBack: () => void;
}

/** A read with a limit of at most this many bytes of values is short: it is sent at once. */
const smallRead = 1024 * 1024;

export function createQuestions(
  { journal, place, clock }: Pick<ReadModelOptions, 'journal' | 'place' | 'clock'>,
  building: Building,
  { patiently, feeding }: LiveDatabase,
  { inForce }: DefinitionInForce,
): Questions {
  const largeReads = createLargeReads(() => performance.now());
  /** Number of times that entries of turns were taken back. */
  let epoch = 0;

  const reachEnd = async (feed: Feed, first: number | undefined, local = false): Promise<void> => {
    if (first !== undefined) return feed.reach(first - 1);
    return feed.reach(local ? journal.end() : await journal.fresh());
  };

  /** Runs a query when the tables contain the entries that it needs. */
  const ask: Questions['ask'] = <T>(
    query: CompiledQuery,
    parameters: readonly Value[],
    asking: QueryOptions = {},
    turn: Ahead | undefined,
    put: (live: Live, ...asked: Parameters<Conversation['query']>) => Promise<T>,
  ): Promise<T> => {
    const began = epoch;
    const work = (): Promise<T> =>
      patiently(async (current) => {
        const { feed } = current;
        await building.within(reachEnd(feed, turn?.first, asking.local));
        if (turn === undefined) feed.forget();
        else {
          if (began !== epoch) throw new Error('the turn that asked is over');
          feed.applyAhead(turn.first, turn.lines);
        }
        const { compiledFor, shows, signal, takes, instant = clock(), seed } = asking;
        if (compiledFor !== undefined && compiledFor !== inForce()) throw new Overtaken();
        if (turn === undefined) shows?.(feed.position());
        const question = {
          do: 'query',
          query: runnableQuery(query),
          parameters,
          limits: limitsOf(asking),
          instant,
          ...(seed !== undefined && { seed }),
        } as const;
        return put(current, question, signal, takes);
      });
    // Inline, a query is finished before the next one starts.
    if (place === 'inline') return work();
    if (turn !== undefined) return largeReads.forCommand(work);
    return asking.bytes !== undefined && asking.bytes <= smallRead ? work() : largeReads.inTurn(work);
  };

  return {
    ask,
    reachEnd,
    takenBack: () => {
      epoch += 1;
      feeding()?.forget();
    },
  };
}
