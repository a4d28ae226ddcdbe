/** Times at which a server keeps and gives up a claim, by a clock that the test moves. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Claims } from '../../runtime/store/side/claims.ts';
import { createClaim, type Claim } from '../../runtime/delivery/webhook/claim.ts';

/** A log with one claim, several servers, and a clock for all of them. */
function manual() {
  let clock = 0;
  let owner: { readonly holder: string; readonly until: number } | undefined;
  const waiting = new Set<{ readonly at: number; readonly wake: () => void }>();
  const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const one = {
        at: clock + milliseconds,
        wake: () => {
          waiting.delete(one);
          signal.removeEventListener('abort', one.wake);
          resolve();
        },
      };
      waiting.add(one);
      signal.addEventListener('abort', one.wake, { once: true });
      if (signal.aborted) one.wake();
    });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
  };
  const server = (holder: string): { claim: Claim; link: { is: 'up' | 'away' | 'silent' }; warned: string[] } => {
    const link: { is: 'up' | 'away' | 'silent' } = { is: 'up' };
    const warned: string[] = [];
    const claims: Claims = {
      take: async (_, by, milliseconds) => {
        if (link.is === 'silent') await new Promise(() => undefined);
        if (link.is === 'away') throw new Error('the log is away');
        if (owner !== undefined && owner.holder !== by && owner.until >= clock) return false;
        owner = { holder: by, until: clock + milliseconds };
        return true;
      },
      leave: async (_, by) => {
        await Promise.resolve();
        if (owner?.holder === by) owner = undefined;
      },
    };
    const warn = (message: string): void => void warned.push(message);
    const claim = createClaim({ claims, work: 'webhook W', holder, monotonic: () => clock, pause, warn });
    return { claim, link, warned };
  };
  const advance = async (milliseconds: number): Promise<void> => {
    const to = clock + milliseconds;
    for (;;) {
      await settle();
      const [next] = [...waiting].sort((a, b) => a.at - b.at);
      if (next === undefined || next.at > to) break;
      clock = Math.max(clock, next.at);
      next.wake();
    }
    clock = to;
    await settle();
  };
  return { server, advance };
}

const holds = (...servers: readonly { readonly claim: Claim }[]): readonly boolean[] =>
  servers.map(({ claim }) => claim.term() !== undefined);

test('one of two has the work for as long as it renews it', async () => {
  const { server, advance } = manual();
  const [one, other] = [server('one'), server('other')];
  holds(one);
  await advance(0);
  for (let second = 0; second < 30; second += 1) {
    assert.equal(holds(one, other), [true, false]);
    await advance(1000);
  }
  await one.claim.release();
  await advance(1000);
  assert.equal(holds(other, one), [true, false]);
});

for (const is of ['away', 'silent'] as const)
  test(`a server whose log is ${is} stops 8 s after it asked last, and the other begins at 10 s`, async () => {
    const { server, advance } = manual();
    const [one, other] = [server('one'), server('other')];
    holds(one);
    await advance(0);
    const term = one.claim.term();
    holds(other);
    one.link.is = is;
    await advance(7999);
    assert.equal(holds(one, other), [true, false]);
    assert.is(term?.aborted, false);
    await advance(1);
    assert.is(term?.aborted, true);
    await advance(1999);
    assert.equal(holds(one, other), [false, false]);
    await advance(2000);
    assert.equal(holds(one, other), [false, true]);
    assert.is(one.warned.length > 0, is === 'away');
    one.link.is = 'up';
    await advance(20_000);
    assert.equal(holds(one, other), [false, true]);
  });

test('a server that was away for less keeps its term', async () => {
  const { server, advance } = manual();
  const one = server('one');
  holds(one);
  await advance(0);
  const term = one.claim.term();
  one.link.is = 'away';
  await advance(6500);
  one.link.is = 'up';
  await advance(60_000);
  assert.is(one.claim.term(), term);
  assert.is(term?.aborted, false);
});

test.run();
