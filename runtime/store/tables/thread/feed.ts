/**
 * Feeds the tables of a read model from the log: sends durable lines in order, directly after their commit or from the
 * log when they were missed, and the entries that a turn sees ahead of the disk. Lines of several commits are sent
 * together, after a moment or before the next request: a message and a transaction for each commit would cost more
 * processor time than the commands themselves. Sending stays close to what the read model has applied, so a long query
 * fills no queue.
 */
import type { ReadModelLog } from '../../journal/entries.ts';
import type { Conversation } from './conversation.ts';

export interface Feed {
  /** From now on lines may be sent: there are tables for them. */
  readonly open: () => void;
  /** Last durable entry that was sent. */
  readonly position: () => number;
  /** Takes committed lines when they come next and the read model keeps up; else `reach` reads them from the log. */
  readonly offer: (first: number, lines: readonly string[]) => void;
  /** Resolves when everything up to that durable entry is sent; at once when there are no tables. */
  readonly reach: (entry: number) => Promise<void>;
  /** Sends the entries of a turn beyond the durable ones, unless they were sent before. */
  readonly applyAhead: (first: number, lines: readonly string[]) => void;
  /** Rolls back the entries applied ahead. */
  readonly forget: () => void;
}

/** Characters of sent lines that may wait to be applied. */
const backlogLimit = 32 * 1024 * 1024;
/**
 * Limits for collecting committed lines: the time in ms, their number, and their characters. A thread that wakes rarely finds less of its
 * memory displaced from the processor's caches by others. A query that comes first has the lines sent at once, and waits for at most this
 * number: some milliseconds.
 */
const gatherMilliseconds = 120;
const gatherLines = 1000;
const gatherCharacters = 4 * 1024 * 1024;

export function createFeed(talk: Conversation, journal: Pick<ReadModelLog, 'read' | 'end'>, from: number): Feed {
  let opened = false;
  let posted = from;
  /** Last entry applied ahead, 0 if there is none. */
  let ahead = 0;
  const backlog: { readonly entry: number; readonly size: number }[] = [];
  let backlogSize = 0;
  /** Committed lines after those sent. */
  let gathered: string[] = [];
  let gatheredSize = 0;
  let timer: NodeJS.Timeout | undefined;
  let pumping: Promise<void> | undefined;

  const congested = (): boolean => {
    const taken = talk.applied();
    const waiting = backlog.findIndex(({ entry }) => entry > taken);
    for (const { size } of backlog.splice(0, waiting < 0 ? backlog.length : waiting)) backlogSize -= size;
    return backlogSize > backlogLimit;
  };

  const forget = (): void => {
    if (ahead === 0) return;
    ahead = 0;
    talk.tell({ do: 'forget' });
  };

  const post = (lines: readonly string[]): void => {
    const last = posted + lines.length;
    let rest = lines;
    if (ahead > 0 && last >= ahead) {
      talk.tell({ do: 'confirm' });
      rest = lines.slice(ahead - posted);
      ahead = 0;
    } else forget();
    if (rest.length > 0) {
      const text = rest.join('\n');
      backlog.push({ entry: last, size: text.length });
      backlogSize += text.length;
      talk.tell({ do: 'apply', text });
    }
    posted = last;
  };

  const postGathered = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (gathered.length === 0) return;
    const lines = gathered;
    gathered = [];
    gatheredSize = 0;
    post(lines);
  };

  const pump = async (): Promise<void> => {
    for await (const lines of journal.read(posted + 1, journal.end())) {
      while (congested()) await talk.news();
      post(lines);
    }
  };

  return {
    open: () => {
      opened = true;
    },
    position: () => posted,
    offer: (first, lines) => {
      if (!opened || pumping !== undefined || first !== posted + gathered.length + 1 || congested()) return;
      for (const line of lines) {
        gathered.push(line);
        gatheredSize += line.length;
      }
      if (gathered.length >= gatherLines || gatheredSize >= gatherCharacters) postGathered();
      else timer ??= setTimeout(postGathered, gatherMilliseconds).unref();
    },
    reach: async (entry) => {
      postGathered();
      while (opened && posted < entry) {
        pumping ??= pump().finally(() => {
          pumping = undefined;
        });
        await pumping;
      }
    },
    applyAhead: (first, lines) => {
      if (!opened) return;
      const last = first + lines.length - 1;
      if (ahead > last) forget();
      const missing = lines.slice(Math.max(posted, ahead) - first + 1);
      if (missing.length === 0) return;
      talk.tell({ do: 'apply-ahead', lines: missing });
      ahead = last;
    },
    forget,
  };
}
