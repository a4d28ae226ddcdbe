/** Histories of several servers on one log, checked against the log alone. `npm run test:servers` runs long ones. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runHistory } from './history.ts';
import { calm } from './shaky-journal.ts';

const common = { servers: 3, clients: 12, operations: 300, kills: 0 } as const;

test('three servers that are slow', async () => {
  const run = await runHistory({ ...common, seed: 1, shakes: { ...calm, delay: 2 } });
  assert.equal(run.faults, []);
  assert.ok((run.told['rejected'] ?? 0) > 50 && run.behind > 0 && run.locks > 10, JSON.stringify(run));
});

test('servers that seldom meet and hear late of each other', async () => {
  const run = await runHistory({ ...common, seed: 4, clients: 2, shakes: { ...calm, delay: 3 } });
  assert.equal(run.faults, []);
});

test('connections are cut while a batch is appended', async () => {
  const shakes = { delay: 1, cutAfter: 0.05, cutBefore: 0.05, away: 20 };
  const run = await runHistory({ ...common, seed: 2, shakes });
  assert.equal(run.faults, []);
});

test('servers are killed, and others take their place', async () => {
  const shakes = { delay: 1, cutAfter: 0.01, cutBefore: 0.01, away: 5 };
  const run = await runHistory({ ...common, seed: 3, shakes, kills: 0.04 });
  assert.equal(run.faults, []);
  assert.ok(run.kills > 5, JSON.stringify(run));
});

test.run();
