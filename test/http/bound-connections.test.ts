/** The limit of connections leaves descriptors for files. */
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { boundConnections, descriptorLimit, parseDescriptorLimit } from '../../server/start/bound-connections.ts';

const test = suite('connections and descriptors');

test('connections are bounded by the descriptors that the process may open', () => {
  const cases: readonly (readonly [
    wanted: number,
    descriptors: number,
    alone: number,
    pushing: number,
    sent: number,
  ])[] = [
    [1_024, 1_000_000, 1_024, 1_024, 128],
    [1_024, 1_280, 1_024, 1_024, 128],
    [1_024, 1_152, 1_024, 896, 128],
    [1_024, 1_151, 1_023, 895, 128],
    [1_024, 1_024, 896, 768, 128],
    [1_024, 200, 100, 75, 25],
    [1_024, 3, 1, 1, 1],
    [10, 1_024, 10, 10, 128],
  ];
  for (const [wanted, descriptors, alone, pushing, sent] of cases) {
    const found = [false, true].map((pushes) => boundConnections(wanted, descriptors, pushes));
    const expected = [alone, pushing].map((connections) => ({ connections, webhooks: sent }));
    assert.equal(found, expected, `${wanted} of ${descriptors}`);
  }
});

test('the soft limit of descriptors is read from its line', () => {
  const limits = (soft: string): string => `Limit  Soft Limit  Hard Limit\nMax open files   ${soft}   4096   files\n`;
  assert.equal([parseDescriptorLimit(limits('100')), parseDescriptorLimit(limits('unlimited'))], [100, undefined]);
  assert.is(process.platform === 'linux' ? typeof descriptorLimit() : 'number', 'number');
});

test.run();
