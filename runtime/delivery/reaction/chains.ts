/**
 * Counts the commands that follow from one event by reactions, so that a circle in which each step leads to more of them
 * ends. The count is a function of the log: it is the same on all servers and after a restart.
 */
import type { ReactionChain } from '../../store/cells.ts';
import type { LogEntry } from '../../store/entry.ts';
import type { EventSource, Task } from './task.ts';

/** The addition of an entry to a chain: a command, or the end of it, because there were too many. */
export interface Link {
  readonly chain: ReactionChain;
  readonly isEnd: boolean;
}

export interface Chains {
  readonly add: (link: Link) => void;
  /** Commands that count, together with the next one of this chain, with these links after all others. An ended chain has Infinity. */
  readonly count: (chain: ReactionChain, ahead: readonly Link[]) => number;
}

/** The commands of a chain since it first had this number of rests. */
interface Count {
  readonly rests: number;
  readonly commands: number;
}

/** A chain is forgotten after at least this number of commands of others; a chain that grows too fast has commands again before. */
const mostRecent = 20_000;
const ended: Count = { rests: 0, commands: Infinity };

export function createChains(): Chains {
  /** By root. */
  let recent = new Map<number, Count>();
  let before = new Map<number, Count>();
  /** Few, since each has led to thousands of commands. */
  const ends = new Set<number>();
  const known = (root: number): Count | undefined => (ends.has(root) ? ended : (recent.get(root) ?? before.get(root)));

  return {
    add: (link) => {
      const { root } = link.chain;
      if (link.isEnd) ends.add(root);
      recent.set(root, after(known(root), link));
      if (recent.size <= mostRecent) return;
      before = recent;
      recent = new Map();
    },
    count: ({ root, rests }, ahead) => {
      const count = ahead.reduce(after, known(root));
      return count === undefined || (count !== ended && rests > count.rests) ? 0 : count.commands;
    },
  };
}

function after(count: Count | undefined, { chain: { rests }, isEnd }: Link): Count {
  if (isEnd || count === ended) return ended;
  if (count === undefined || rests > count.rests) return { rests, commands: 1 };
  return { rests: count.rests, commands: count.commands + 1 };
}

/** The link of an entry that a reaction led to. */
export function linkOf(entry: LogEntry): Link | undefined {
  if (entry.kind !== 'command' || entry.cells?.chain === undefined) return undefined;
  return { chain: entry.cells.chain, isEnd: entry.command === '' };
}

/** The chain of a task's commands. */
export function chainOf({ rests, isReleased }: Task, { event, chain }: EventSource): ReactionChain {
  if (chain === undefined || isReleased === true) return { root: event.position, rests: 0 };
  return rests ? { ...chain, rests: chain.rests + 1 } : chain;
}
