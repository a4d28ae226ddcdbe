/** Large and unusual schemas posted to a running engine: accepted or refused with a reason, while commands continue. */
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileFiles } from '../../compiler/index.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { createDomainLoader } from '../../server/registry/load/domain-loader.ts';
import { createLiveRegistry } from '../../server/registry/live/live-registry.ts';
import { TextRefused } from '../../server/operation/text-refused.ts';
import { createBlocks, type Created } from '../../server/operation/change.ts';
import { readHistoryFromLog } from '../../server/registry/from-log/history-from-log.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { ExactNumber, type JsonValue } from '../../language/values/json.ts';
import { lastProjection, randomSchema, shapes } from '../change/schemas.ts';
import { createChance, seedOf } from '../crash/chance.ts';

const box = `CREATE AGGREGATE Box (id STRING KEY, n INT DEFAULT 0 AS SUM(data.n));
CREATE COMMAND Put (id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put STATE AS SELECT n AS had FROM Reg."Box$Agg" WHERE aggregate_id = :id
EMIT AS SELECT EVENT Added (n := :n) WHERE had < 1000000;`;

const { registry } = compileFiles([{ name: 'box.schema', text: box }]);
const store = await openMemoryStore({ readModel: 'worker' });
const loader = createDomainLoader({ version: '0.0.0' });
const domain = await loader.load(registry.catalog);
const clock = (): bigint => 1_700_000_000_000_000n;
const engine = await createReactingEngine({ store, domain, clock, randomBytes: createSystemRandom() });
const live = createLiveRegistry({ engine, registry, loader, history: readHistoryFromLog(store.log), origin: 'create' });
const create = (text: string): Promise<Created> => createBlocks(engine, live, text, () => undefined);
test.after(() => engine.close());

function put(id: string): ReturnType<Engine['execute']> {
  const sent = new Map<string, JsonValue>([
    ['id', id],
    ['n', new ExactNumber('1')],
  ]);
  return engine.execute({ aggregate: 'Box', command: 'Put', arguments: sent });
}

/** Posts a text while commands are sent one after the other; gives the number answered meanwhile. */
async function postUnderCommands(text: string): Promise<{ readonly refused: string; readonly answered: number }> {
  let answered = 0;
  let posted = false;
  const commands = async (): Promise<void> => {
    while (!posted) {
      assert.is(unmasked(await put(`box ${answered % 10}`)).outcome, 'emitted');
      answered += 1;
    }
  };
  const sending = commands();
  const before = answered;
  const refused = await refusal(text).finally(() => (posted = true));
  const during = answered - before;
  await sending;
  return { refused, answered: during };
}

/** Why a text is refused; empty if it is not. */
function refusal(text: string): Promise<string> {
  return create(text).then(
    () => '',
    (error: unknown) => {
      if (error instanceof TextRefused) return `${error.why} ${error.message}`;
      throw error;
    },
  );
}

const chance = createChance(seedOf('large changes'));
for (const [index, shape] of shapes.entries())
  test(`a ${shape} is accepted or refused`, async () => {
    const text = randomSchema(chance, shape, `S${index}`, 30);
    const { refused } = await postUnderCommands(text);
    if (refused !== '') {
      assert.match(refused, /\(E0630\)$/);
      return;
    }
    const last = lastProjection(text);
    const projection = engine.domain().projections.find(({ name }) => name === last);
    if (projection === undefined) return;
    const { rows } = unmasked(await engine.query(projection.query, [], {}));
    assert.ok(rows.length >= 0);
  });

test('commands are answered while many blocks are posted', async () => {
  const { refused, answered } = await postUnderCommands(
    Array.from({ length: 60 }, (_, index) =>
      randomSchema({ ...chance, below: () => 0 }, 'big', `Many${index}`, 1),
    ).join(''),
  );
  assert.is(refused, '');
  // A slice is some milliseconds, and so are compiling, loading and building 300 blocks.
  assert.ok(answered > 5, `${answered} were`);
});

test('a statement with too many words is refused', async () => {
  const fields = Array.from({ length: 4_000 }, (_, index) => `f${index} STRING`).join(', ');
  assert.is(
    await refusal(`CREATE EVENT Wide (${fields});`),
    'invalid 1:1 more than 8000 words and signs in one statement (E0113)',
  );
  const described = `${'--- a line of a long description\n'.repeat(10_000)}CREATE EVENT Told (n INT);`;
  assert.is(await refusal(described), 'invalid 10001:1 more than 262144 characters in one statement (E0113)');
  assert.is(
    await refusal(`CREATE TEMPLATE T (Name STRING) AS (CREATE EVENT {{Name}}Wide (${fields}););`),
    'invalid 1:37 more than 8000 words and signs in one statement (E0113)',
  );
});

test.run();
