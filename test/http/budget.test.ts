/**
 * Row B of docs/reliability.md at a small size: clients that read nothing take only the memory of their budget, and
 * commands continue.
 */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { attacks } from './long/attack.ts';
import { press } from './long/budget.ts';

const test = suite('budget of results');
const GiB = 1024 * 1024 * 1024;

test('under attacks of 0.4 s each the server takes little memory and answers', async () => {
  // Enough of them to ask for some gigabytes, few enough that the server soon refuses them.
  const small = attacks.slice(0, 3).map((attack) => ({
    ...attack,
    connections: Math.min(attack.connections, 250),
    pipelined: Math.min(attack.pipelined, 400),
  }));
  const { before, under, after } = await press(small, 1_200, 400, 500);
  const highest = Math.max(...under.map((seen) => seen.highest));
  assert.ok(highest - before.highest < GiB, `${Math.round((highest - before.highest) / 2 ** 20)} MiB more`);
  // A command may be refused while too many wait; none is left without an answer.
  const all = [before, ...under, after];
  assert.equal(
    all.map(({ unanswered }) => unanswered),
    all.map(() => 0),
  );
});

test.run();
