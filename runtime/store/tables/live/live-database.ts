/**
 * Keeps one database of a read model alive. It can die at any time: a new one loads the newest image or continues from its file, gets the
 * rest from the log, and work that was under way is repeated on it.
 */
import { fail } from '../../../../language/failure/failure.ts';
import type { Building } from './building.ts';
import { loadImage, resumeFile } from './images.ts';
import type { ReadModelOptions } from './read-model-options.ts';
import { createConversation, PortDied, type Conversation } from '../thread/conversation.ts';
import { createFeed, type Feed } from '../thread/feed.ts';
import type { Loaded, TablesState } from '../core/messages.ts';
import { openBackgroundPort, openInlinePort, openWorkerPort, type Port, type PortListener } from '../thread/port.ts';
import { settleBeforeEnd } from './settle.ts';

/** A started database. */
export interface Live {
  readonly talk: Conversation;
  readonly feed: Feed;
  /** The image or file that it was started from. */
  readonly loaded: Loaded | undefined;
}

export interface LiveDatabase {
  /** The present one, started if there is none. Rejects once it is closed. */
  readonly ready: () => Promise<Live>;
  /** Starts its thread, which has nothing to do until a database is asked for. A failure is reported to the first caller of `ready`. */
  readonly openAhead: () => void;
  /**
   * Repeats the work on a new database when the old one died; a limited number of times when this work may have caused
   * the death.
   */
  readonly patiently: <T>(work: (live: Live) => Promise<T>) => Promise<T>;
  /** The feed of a database that is completely started. */
  readonly feeding: () => Feed | undefined;
  /** The last entry that the tables are known to contain, and their bytes. */
  readonly state: () => TablesState;
  /** A page of this database's file was found damaged: nothing more is answered from it, and it is built again. */
  readonly damaged: (of: object, problem: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface NewDatabase {
  /** Gives it all that it needs before it takes new lines. */
  readonly restore: (live: Live) => Promise<void>;
  /** Called once it takes new lines. */
  readonly started: (feed: Feed) => void;
}

const attempts = 3;
const ports = { inline: openInlinePort, worker: openWorkerPort, background: openBackgroundPort } as const;

export function createLiveDatabase(
  options: ReadModelOptions,
  building: Building,
  { restore, started }: NewDatabase,
): LiveDatabase {
  const { journal } = options;
  const openPort = ports[options.place];
  let live: Promise<Live> | undefined;
  let feeding: Feed | undefined;
  let state: TablesState = { entry: 0, bytes: 0, unreadable: [] };
  let closed = false;
  /** Only a process that ended can have left a file in disorder, not a thread of this one. */
  let hasStarted = false;
  let serving: Live | undefined;
  /** The previous database: its memory is free before another one takes as much. */
  let ending: Promise<void> = Promise.resolve();

  /** With a port that was opened ahead, and that nothing uses yet. */
  let opened: Promise<Conversation> | undefined;

  const tell = (unreadable: TablesState['unreadable']): void => {
    const known = state.unreadable.map(({ text }) => text);
    for (const { text } of unreadable) if (!known.includes(text)) options.log('warn', text);
  };

  const openTalk = async (): Promise<Conversation> => {
    await ending;
    return createConversation(open, {
      onApplied: ({ entry, bytes, unreadable }) => {
        tell(unreadable);
        state = { entry, bytes, unreadable };
        building.applied(entry);
      },
      onSettled: building.settled,
      onDeath: (reason, { overTime, unwritable }, ended) => {
        live = undefined;
        opened = undefined;
        serving = undefined;
        ending = ended;
        feeding = undefined;
        if (closed) return;
        options.log('warn', `the read model starts again: ${reason}`);
        // Started now, so that the next query need not wait for it. After a death by a table or query it starts with
        // the next query.
        if (overTime) ready().catch(() => undefined);
        if (unwritable) building.failed(reason, () => void ready().catch(() => undefined));
      },
    });
  };

  const start = async (): Promise<Live> => {
    const opening = opened ?? openTalk();
    opened = undefined;
    const talk = await opening;
    const loaded = await load(talk);
    tell(loaded?.unreadable ?? []);
    state = { entry: loaded?.entry ?? 0, bytes: loaded?.bytes ?? 0, unreadable: loaded?.unreadable ?? [] };
    building.from(state.entry);
    const feed = createFeed(talk, journal, loaded?.hasDefinition === true ? loaded.entry : 0);
    if (loaded?.hasDefinition === true) feed.open();
    const current = { talk, feed, loaded };
    await restore(current);
    feeding = feed;
    started(feed);
    serving = current;
    if (loaded?.unclean === true && !hasStarted)
      options.file?.check?.begin(
        () => serving !== current,
        (problem) => void damaged(current, problem),
      );
    hasStarted = true;
    return current;
  };

  const open = async (listener: PortListener): Promise<Port> => {
    try {
      return await openPort(journal.secret, listener, options.file?.place);
    } catch (error) {
      if (options.file === undefined) throw error;
      if (/\bEISDIR\b/.test(messageOf(error)))
        throw fail('R0418', { file: options.file.place.path, problem: 'it is a folder' });
      throw fail('R0414', { reason: `the read model on disk cannot be opened: ${messageOf(error)}` });
    }
  };

  const load = (talk: Conversation): Promise<Loaded | undefined> => {
    const { file, log } = options;
    if (file === undefined) return loadImage(talk, options.images(), log);
    return resumeFile(talk, file.fits, (reason) =>
      log('warn', `the read model is built from the log again: ${reason}`),
    );
  };

  const ready = (): Promise<Live> => {
    if (closed) return Promise.reject(new Error('the read model is closed'));
    if (live === undefined) {
      const starting = start();
      live = starting;
      starting.catch(() => {
        if (live === starting) live = undefined;
      });
    }
    return live;
  };

  const damaged = async (of: object, problem: string): Promise<void> => {
    if (closed || serving !== of) return;
    options.log('error', `the read model on disk is damaged: ${problem}`);
    await serving.talk.ask({ do: 'damaged', problem }).catch(() => undefined); // it ends without an answer
    ready().catch(() => undefined); // a failure is reported by the next query
  };

  return {
    ready,
    openAhead: () => {
      opened = openTalk();
      opened.catch(() => undefined);
    },
    damaged,
    patiently: async (work) => {
      for (let attempt = 1; ;) {
        try {
          return await work(await ready());
        } catch (error) {
          if (error instanceof PortDied && error.unwritable) throw building.failure();
          if (!(error instanceof PortDied) || attempt === attempts || closed) throw error;
          if (!error.innocent) attempt += 1;
        }
      }
    },
    feeding: () => feeding,
    state: () => state,
    close: async () => {
      closed = true;
      building.stop();
      const current = await live?.catch(() => undefined);
      if (current === undefined) return (await opened?.catch(() => undefined))?.end();
      if (options.file !== undefined) {
        if (building.trouble() === undefined) await current.feed.reach(journal.end()).catch(() => undefined);
        await settleBeforeEnd(current);
      }
      await current.talk.end();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
