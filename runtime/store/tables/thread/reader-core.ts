/**
 * Answers queries from the file of a read model while its own thread writes it. Sees the last settled state, and holds
 * its lock only while one query runs.
 */
import { nodeFileSystem } from '../../disk/node-file-system.ts';
import type { ModelFile } from '../files/model-file.ts';
import type { Reply, Request } from '../core/messages.ts';
import type { ReadModelCore } from './core.ts';
import { createMoments } from '../core/moments.ts';
import type { Randomness } from '../../disk.ts';
import { brokenReply, failedReply, isFatal, messageOf } from '../core/failed-reply.ts';
import { loadSqlite } from '../core/sqlite.ts';
import { storedDefinitionHash } from '../core/bookkeeping.ts';
import { createQueryRunner } from '../core/query-runner.ts';

/** Longer than the writer needs to commit. */
const patience = 2_000;

export interface ReaderOptions {
  readonly file: ModelFile;
  readonly random: Randomness;
  readonly reply: (reply: Reply) => void;
  /** The time of this query runs from now; the result says whether it is to stop. */
  readonly begun: (id: number) => () => boolean;
}

export async function createReaderCore({ file, random, reply, begun }: ReaderOptions): Promise<ReadModelCore> {
  const engine = await loadSqlite();
  const database = engine({ in: 'file', file: { ...file, patience, files: nodeFileSystem } });
  const queries = createQueryRunner(database, () => undefined);
  const setMoment = createMoments(database, random);

  const answer = (request: Extract<Request, { readonly do: 'query' }>): Reply => {
    const { id, query, form, parameters, limits, instant, seed, definition } = request;
    setMoment(instant, seed);
    database.begin();
    try {
      if (storedDefinitionHash(database) !== definition) return { reply: 'overtaken', id };
      const isStopped = begun(id);
      const result =
        form === 'columns'
          ? queries.columns(query, parameters, limits, isStopped)
          : queries.run(query, parameters, limits, isStopped, (rows) => reply({ reply: 'rows', id, rows }));
      return { reply: 'done', id, result };
    } finally {
      database.rollback();
      database.settle();
    }
  };

  return {
    handle: (request) => {
      if (request.do !== 'query') throw new Error(`a reader does not take '${request.do}'`);
      const { id } = request;
      try {
        reply(answer(request));
      } catch (error) {
        reply(isFatal(error) ? brokenReply(error, messageOf(error)) : failedReply(id, error));
      }
    },
    drain: () => undefined,
    close: () => database.close(),
  };
}
