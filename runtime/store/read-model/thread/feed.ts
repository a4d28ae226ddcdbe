/**
 * Keeps a read model's tables behind the log: posts durable lines in order, from the hand that committed them or from the log when
 * they were missed, and what a turn sees ahead of the disk. Lines of several commits go over together, after a moment or before the
 * next question: a message and a transaction for each commit would cost the processor more than the commands themselves. Never
 * runs far ahead of what the read model has taken in, so a query that holds it fills no queue.
 */
import type { ReadModelLog } from '../read-model.ts';
import type { Conversation } from './conversation.ts';

export interface Feed {
  /** From now on lines may be posted: there are tables for them. */
  readonly open: () => void;
  /** Last durable entry that was posted. */
  readonly position: () => number;
  /** Takes just committed lines when they come next and the read model keeps up; else `reach` finds them in the log. */
  readonly offer: (first: number, lines: readonly string[]) => void;
  /** Resolves when everything up to that durable entry is posted. At once when there are no tables. */
  readonly reach: (entry: number) => Promise<void>;
  /** Posts what a turn sees beyond the durable entries posted so far, as far as it is not there yet. */
  readonly applyAhead: (first: number, lines: readonly string[]) => void;
  /** Rolls back speculative entries. */
  readonly forget: () => void;
}

/** Characters of posted lines that may wait to be taken in. */
const backlogLimit = 32 * 1024 * 1024;
/** How long committed lines may gather, in ms, how many, and their characters. */
const gatherMilliseconds = 10;
const gatherLines = 1000;
const gatherCharacters = 4 * 1024 * 1024;

export function createFeed(talk: Conversation, journal: Pick<ReadModelLog, 'read' | 'end'>, from: number): Feed {
  let opened = false;
  let posted = from;
  /** Last speculative entry, 0 if there is none. */
  let ahead = 0;
  const backlog: { readonly entry: number; readonly size: number }[] = [];
  let backlogSize = 0;
  /** Committed lines that come after those posted. */
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
