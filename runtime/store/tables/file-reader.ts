/**
 * Answers queries from the file of a read model in a thread of its own, next to the thread that writes it: no copy, no memory but its
 * cache. Each query sees all that was durable when it came. The thread starts with the first query and ends some time after the last.
 */
import type { ReadModelDefinition } from '../../../language/contract/read-model.ts';
import { fail, type Failure } from '../../../language/failure/failure.ts';
import type { Clock } from '../disk.ts';
import { limitsOf, Overtaken } from '../query.ts';
import type { ReadModelCopies } from './copy.ts';
import { definitionHash } from './core/bookkeeping.ts';
import { runnableQuery } from './core/query-runner.ts';
import type { ModelFile } from './files/model-file.ts';
import type { ReadModel } from './read-model.ts';
import { createConversation, PortDied, type Conversation } from './thread/conversation.ts';
import { openReaderPort, type Port, type PortListener } from './thread/port.ts';

export type FileReader = Pick<ReadModelCopies, 'query' | 'columns' | 'close'>;

export interface FileReaderOptions {
  readonly file: ModelFile;
  /** The read model that writes it. */
  readonly readModel: Pick<ReadModel, 'settled' | 'inForce' | 'damaged'>;
  readonly clock: Clock;
  readonly idleMilliseconds: number;
}

/** Another query may have ended the thread. */
const attempts = 3;

export function createFileReader({ file, readModel, clock, idleMilliseconds }: FileReaderOptions): FileReader {
  let talking: { readonly state: object; readonly talk: Promise<Conversation> } | undefined;
  /** The previous thread: the next one takes its place among those that have the file open. */
  let ending: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let questions = 0;
  let closed = false;

  const end = async (): Promise<void> => {
    const ended = talking;
    talking = undefined;
    ending = Promise.all([ending, ended?.talk.then((talk) => talk.end()).catch(() => undefined)]);
    await ending;
  };

  const open = (listener: PortListener): Promise<Port> =>
    openReaderPort(file, listener).catch((error: unknown) => {
      throw unreadable(error instanceof Error ? error.message : String(error));
    });

  /** Without an await: another query may ask for another state of the file meanwhile. */
  const talkOn = (state: object): Promise<Conversation> => {
    // The file was replaced: an open one would show removed rows. The next thread waits for its end.
    if (talking !== undefined && talking.state !== state) void end();
    if (talking === undefined) {
      const talk = ending.then(() =>
        createConversation(open, {
          onApplied: () => undefined,
          onSettled: () => undefined,
          onDeath: (_, __, ended) => {
            if (talking?.talk === talk) talking = undefined;
            ending = Promise.all([ending, ended]);
          },
        }),
      );
      const made = { state, talk };
      talking = made;
      talk.catch(() => {
        if (talking === made) talking = undefined;
      });
    }
    return talking.talk;
  };

  const check = (definition: ReadModelDefinition): void => {
    if (closed) throw new Error('the reader of the read model is closed');
    if (definition !== readModel.inForce()) throw new Overtaken();
  };

  const asked = async <T>(
    [query, parameters, options]: Parameters<FileReader['query']>,
    put: (talk: Conversation, ...asked: Parameters<Conversation['query']>) => Promise<T>,
  ): Promise<T> => {
    const { compiledFor, local, shows, signal, takes, instant = clock(), seed } = options;
    const question = {
      do: 'query',
      query: runnableQuery(query),
      parameters,
      limits: limitsOf(options),
      instant,
      ...(seed !== undefined && { seed }),
      definition: definitionHash(compiledFor),
    } as const;
    for (let attempt = 1; ;) {
      check(compiledFor);
      const { file: state, entry } = await readModel.settled(local);
      check(compiledFor);
      shows?.(entry); // it may show more, if the next commit comes before it begins
      try {
        return await put(await talkOn(state), question, signal, takes);
      } catch (error) {
        if (error instanceof PortDied && error.damage !== undefined) await readModel.damaged(state, error.damage);
        if (error instanceof Overtaken && compiledFor === readModel.inForce() && attempt < attempts && !closed) {
          // A damaged file was replaced, and the thread has the new one open, or still the old one.
          attempt += 1;
          await end();
          continue;
        }
        if (error instanceof PortDied && error.unwritable) throw unreadable(error.message);
        if (!(error instanceof PortDied) || attempt === attempts || closed) throw error;
        if (!error.innocent) attempt += 1;
      }
    }
  };

  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    clearTimeout(timer);
    questions += 1;
    try {
      return await work();
    } finally {
      questions -= 1;
      if (questions === 0 && !closed) timer = setTimeout(() => void end(), idleMilliseconds).unref();
    }
  };

  return {
    query: (...given) => counted(() => asked(given, (talk, ...question) => talk.query(...question))),
    columns: (...given) => counted(() => asked(given, (talk, question, signal) => talk.columns(question, signal))),
    close: async () => {
      closed = true;
      clearTimeout(timer);
      await end();
    },
  };
}

function unreadable(problem: string): Failure {
  return fail('R0414', { reason: `the read model on disk cannot be read: ${problem}` });
}
