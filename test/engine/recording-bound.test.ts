/**
 * A flood of rejected commands under `envelope.commands = 'all'`: the number of the setting is kept in a second, the others are counted in
 * the log.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { collect } from '../contract/accounts.ts';
import { domainOf } from '../kit/domain.ts';
import { sent } from '../kit/engine.ts';

const schema = (setting: string): string => `CREATE EVENTSTORE kept WITH (envelope.commands = 'all'${setting});
CREATE AGGREGATE Box; CREATE AGGREGATE Bag;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE COMMAND Fill (bag_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := 100 / :n) WHERE :n > 0 OR 1 / :n > 5;
CREATE DECISION FillIt FOR Bag ON COMMAND Fill EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0;
`;

const second = 1_000_000n;

/** Each command with the second in which it is sent; then what the log has of it. */
async function kept(
  setting: string,
  commands: readonly (readonly [second: number, command: 'Put' | 'Fill', n: number, id?: string])[],
): Promise<readonly string[]> {
  const store = await openMemoryStore();
  let now = 1_700_000_000n * second;
  const domain = await domainOf(schema(setting));
  const engine = await createReactingEngine({ store, domain, clock: () => now, randomBytes: createSystemRandom() });
  for (const [at, command, n, commandId] of commands) {
    now = (1_700_000_000n + BigInt(at)) * second;
    const given = sent({ [command === 'Put' ? 'box_id' : 'bag_id']: 'a', n });
    const request = { command, arguments: given, ...(commandId === undefined ? {} : { commandId }) };
    await engine.execute(request).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'R0201') throw error;
    });
  }
  const entries = await collect(store.log.read(1));
  await engine.close();
  return entries.flatMap((entry) => {
    if (entry.kind !== 'command') return [];
    const outcome =
      entry.cells?.failure !== undefined ? 'failed' : entry.rejection === undefined ? 'emitted' : 'rejected';
    const count = entry.cells?.unrecorded;
    return [`${entry.command} ${outcome}${count === undefined ? '' : ` after ${count}`}`];
  });
}

test('rejected and failed ones beyond the setting are counted, and the next entry of their aggregate has the count', async () =>
  assert.equal(
    await kept(', envelope.commands_per_second = 2', [
      [0, 'Put', -1],
      [0, 'Put', 0],
      [0, 'Put', -1],
      [0, 'Put', 0],
      [0, 'Fill', 0],
      // A command with an id is kept, as is one that emits.
      [0, 'Put', -1, 'id'],
      [0, 'Put', -1],
      [0, 'Put', 4],
      // The next second.
      [1, 'Fill', 0],
      [1, 'Put', -1],
      [1, 'Put', -1],
      [9, 'Put', -1],
      [9, 'Put', -1],
    ]),
    [
      'Put rejected',
      'Put failed',
      'Put rejected after 2',
      'Put emitted after 1',
      'Fill rejected after 1',
      'Put rejected',
      'Put rejected after 1',
      'Put rejected',
    ],
  ));

test('without a setting a thousand are kept', async () => {
  const found = await kept('', [...Array.from({ length: 1_003 }, () => [0, 'Fill', 0] as const), [1, 'Fill', 1]]);
  assert.equal([found.length, found.at(-1)], [1_001, 'Fill emitted after 3']);
});

test.run();
