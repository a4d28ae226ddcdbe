/** Memory of followers: the newest lines up to a bound, while there are followers, and one page each. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createFollowing, type Following } from '../../runtime/store/journal/following.ts';

interface Log {
  readonly following: Following;
  readonly append: (...lines: readonly string[]) => void;
  /** First entry of each read of the log, and how many are open. */
  readonly reads: number[];
  readonly open: () => number;
}

/** A log that keeps a diary of what is read from it, two lines a page. */
function logOf(most: number): Log {
  const kept: string[] = [];
  const reads: number[] = [];
  let open = 0;
  const following = createFollowing(
    {
      end: () => kept.length,
      fresh: () => Promise.resolve(),
      async *read(from, to) {
        reads.push(from);
        open += 1;
        try {
          for (let at = from; at <= to; at += 2) yield await Promise.resolve(kept.slice(at - 1, Math.min(to, at + 1)));
        } finally {
          open -= 1;
        }
      },
    },
    most,
  );
  const append = (...lines: readonly string[]): void => {
    const first = kept.length + 1;
    kept.push(...lines);
    following.moved(first, lines);
  };
  return { following, append, reads, open: () => open };
}

const never = new AbortController().signal;
const next = async (of: AsyncIterator<readonly string[]>): Promise<readonly string[]> => {
  const step = await of.next();
  return step.done === true ? [] : step.value;
};

test('a follower that keeps up reads from memory, one that fell behind reads the log until it has caught up', async () => {
  const { following, append, reads } = logOf(10);
  const follower = following.follow(1, never)[Symbol.asyncIterator]();
  const first = next(follower);
  await new Promise((resolve) => setImmediate(resolve));
  append('aaaa');
  assert.equal(await first, ['aaaa']);
  append('bbbb', 'b');
  assert.equal([await next(follower), reads], [['bbbb', 'b'], []]);
  // Five lines of four characters: two of them fit.
  for (const line of ['cccc', 'dddd', 'eeee', 'ffff', 'gggg']) append(line);
  assert.equal(await next(follower), ['cccc', 'dddd']);
  assert.equal(reads, [4]);
  assert.equal(
    [await next(follower), reads],
    [
      ['eeee', 'ffff'],
      [4, 6],
    ],
  );
  assert.equal([await next(follower), reads], [['gggg'], [4, 6]]);
  await follower.return?.();
});

test('lines of a batch larger than the memory limit are read from the log', async () => {
  const { following, append, reads } = logOf(3);
  const follower = following.follow(1, never)[Symbol.asyncIterator]();
  const first = next(follower);
  await new Promise((resolve) => setImmediate(resolve));
  append('aaaa');
  assert.equal([await first, reads], [['aaaa'], [1]]);
  await follower.return?.();
});

test('a slow follower keeps no read of the log open', async () => {
  const { following, append, open } = logOf(10);
  append('a', 'b', 'c', 'd');
  const follower = following.follow(1, never)[Symbol.asyncIterator]();
  assert.equal([await next(follower), open()], [['a', 'b'], 0]);
  await follower.return?.();
});

test('without followers no lines are kept in memory', async () => {
  const { following, append, reads } = logOf(1000);
  const stop = new AbortController();
  const follower = following.follow(1, stop.signal)[Symbol.asyncIterator]();
  const first = next(follower);
  await new Promise((resolve) => setImmediate(resolve));
  append('a');
  assert.equal([await first, following.isFollowed()], [['a'], true]);
  stop.abort();
  assert.equal([await next(follower), following.isFollowed()], [[], false]);
  append('b');
  const later = following.follow(1, never)[Symbol.asyncIterator]();
  assert.equal([await next(later), reads], [['a', 'b'], [1]]);
  await later.return?.();
});

test.run();
