/** Changes of the schema on a log of several servers: each follows those of the others, at their place in the log. */
import { unmasked } from '../../runtime/engine/unmasked.ts';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { Failure } from '../../language/failure/failure.ts';
import { createMemoryLog } from '../../runtime/store/journal/memory-journal.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { TextRefused } from '../../server/operation/text-refused.ts';
import { replaceBlocks } from '../../server/operation/change.ts';
import { startRegistry, type ServerRegistry } from '../../server/start/start-registry.ts';
import { collect } from '../contract/accounts.ts';
import { domainOf } from '../kit/domain.ts';
import { tell } from '../kit/engine.ts';
import { severalEngines, type Server } from './several-engines.ts';
import { calm } from './shaky-journal.ts';

const box = `
CREATE AGGREGATE Box (box_id STRING KEY);
CREATE COMMAND Put (box_id STRING);
CREATE EVENT Was (rule INT);
CREATE DECISION DoPut FOR Box ON COMMAND Put EMIT AS SELECT EVENT Was (rule := 0);
`;

async function two(chance?: () => number): Promise<{ one: Server; other: Server; close: () => Promise<void> }> {
  const { add, close } = await severalEngines(box, chance);
  return { one: await add('first'), other: await add(), close };
}

const create = ({ services }: Server, text: string): Promise<string> =>
  services.create(text).then(
    ({ registryVersion }) => `version ${registryVersion}`,
    (error: unknown) => {
      if (error instanceof TextRefused) return `${error.why}: ${error.messages[0] ?? ''}`;
      throw error;
    },
  );
const rule = (number: number): string =>
  `CREATE OR REPLACE DECISION DoPut FOR Box ON COMMAND Put EMIT AS SELECT EVENT Was (rule := ${number});`;
const namesOf = ({ engine }: Server): readonly string[] =>
  engine
    .domain()
    .blocks.map(({ name }) => name)
    .sort();
/** The rules by which the events of the log were decided, and `change` for each schema entry. */
async function rules({ engine }: Server): Promise<readonly (number | 'change')[]> {
  const entries = await collect(engine.store.log.read(1));
  return entries.flatMap((entry): readonly (number | 'change')[] => {
    if (entry.kind === 'schema') return ['change'];
    if (entry.kind !== 'command') return [];
    return entry.events.map(({ data }) => (JSON.parse(data) as { rule: number }).rule);
  });
}

test('a block posted to one server is served by the other when it is asked for, with the same version', async () => {
  const { one, other, close } = await two();
  const posted = await create(
    one,
    "CREATE COMMAND Take (box_id STRING); CREATE EVENT Taken (why STRING); CREATE DECISION DoTake FOR Box ON COMMAND Take EMIT AS SELECT EVENT Taken (why := 'x');",
  );
  assert.is(posted, 'version 2');
  await other.engine.store.turns.fresh();
  assert.equal(namesOf(other), namesOf(one));
  assert.equal([one.engine.registryVersion(), other.engine.registryVersion()], [2, 2]);
  assert.is(one.engine.domain().hash, other.engine.domain().hash);
  assert.is(await tell(other.engine, 'Take', { box_id: 'a' }), 'emitted');
  assert.is(await create(other, 'CREATE OR REPLACE EVENT Taken (why STRING, by STRING);'), 'version 3');
  assert.is(await tell(one.engine, 'Take', { box_id: 'a' }), 'emitted');
  const versions = (await collect(one.engine.store.log.read(1))).flatMap((entry) =>
    entry.kind === 'command' ? entry.events.map(({ version }) => version) : [],
  );
  assert.equal(versions, [1, 2]);
  await close();
});

test('of two servers that post at the same time both succeed, and neither forgets what the other posted', async () => {
  const { one, other, close } = await two(() => 0.5);
  for (const { journal } of [one, other]) journal.shake({ ...calm, delay: 4 });
  const told = await Promise.all([
    create(one, 'CREATE EVENT FromOne (a INT);'),
    create(other, 'CREATE EVENT FromOther (a INT);'),
  ]);
  assert.equal([...told].sort(), ['version 2', 'version 3']);
  await Promise.all([one.engine.store.turns.fresh(), other.engine.store.turns.fresh()]);
  assert.equal(namesOf(one), ['Box', 'DoPut', 'FromOne', 'FromOther', 'Put', 'Was']);
  assert.equal(namesOf(other), namesOf(one));
  await close();
});

test('of two servers that post the same name the slower one is checked against the faster one', async () => {
  const { one, other, close } = await two(() => 0.5);
  for (const { journal } of [one, other]) journal.shake({ ...calm, delay: 4 });
  const told = await Promise.all([
    create(one, 'CREATE EVENT Same (a INT);'),
    create(other, 'CREATE EVENT Same (b INT);'),
  ]);
  const [refused, created] = [...told].sort();
  assert.is(created, 'version 2');
  assert.match(refused ?? '', /^invalid: .*'?Same/);
  assert.is(one.engine.registryVersion(), other.engine.registryVersion());
  await close();
});

test('events of another server that come in while a clause is put in force are tried as well', async () => {
  for (let ticks = 0; ticks < 8; ticks += 1) {
    const { add, close } = await severalEngines(
      `CREATE AGGREGATE Box; CREATE COMMAND Put (id STRING, n INT); CREATE EVENT Added (n INT);
       CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n);`,
      () => 0.5,
    );
    const [one, other] = [await add('first'), await add()];
    assert.is(await tell(other.engine, 'Put', { id: 'a', n: 1 }), 'emitted');
    for (const { journal } of [one, other]) journal.shake({ ...calm, delay: 2 });
    const changed = create(
      one,
      `CREATE OR REPLACE EVENT Added (m INT) UPCAST FROM (n INT) AS (m := 10 / n);
       CREATE OR REPLACE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (m := :n);`,
    ).catch((error: unknown) => (error instanceof Failure ? error.code : String(error)));
    for (let tick = 0; tick < ticks; tick += 1) await new Promise((resume) => setTimeout(resume, 2));
    assert.is(await tell(other.engine, 'Put', { id: 'a', n: 0 }), 'emitted');
    const answer = await changed;
    const versions = (await collect(one.engine.store.log.read(1))).flatMap((entry) =>
      entry.kind === 'command' ? entry.events.map(({ version }) => version) : [],
    );
    // The event is of the old version only where the change was refused because of it.
    assert.ok(['R0510 1,1', 'version 2 1,2'].includes(`${answer} ${versions.join()}`), `${answer} ${versions.join()}`);
    for (const server of [one, other]) {
      await server.engine.store.turns.fresh();
      const selection = { relation: 'Box$Events', columns: ['data'], filters: [], order: [] };
      const { query, parameters } = await server.services.select(server.engine.domain(), selection);
      assert.is(unmasked(await server.engine.query(query, parameters, {})).rows.length, 2);
    }
    await close();
  }
});

test('every event is decided by the rule before it in the log, while both servers change the rule and take commands', async () => {
  const { one, other, close } = await two();
  for (const { journal } of [one, other]) journal.shake({ ...calm, delay: 1 });
  const until = { done: false };
  const commands = [one, other].map(async ({ engine }) => {
    while (!until.done) assert.is(await tell(engine, 'Put', { box_id: 'a' }), 'emitted');
  });
  for (let number = 1; number <= 6; number += 1)
    assert.is(await create(number % 2 === 0 ? one : other, rule(number)), `version ${number + 1}`);
  until.done = true;
  await Promise.all(commands);
  let changes = 0;
  for (const seen of await rules(one)) {
    if (seen === 'change') changes += 1;
    else assert.is(seen, changes - 1);
  }
  assert.is(changes, 7);
  await close();
});

test('a server that cannot follow a change stops deciding and reading, and names the entry', async () => {
  const { one, other, close } = await two();
  other.engine.compileWith(() => Promise.reject(new Error('entry 2 of the log is beyond me')));
  await create(one, rule(1));
  const refused = await other.engine.store.turns.fresh().then(() => '', String);
  assert.match(refused, 'entry 2 of the log is beyond me');
  assert.is(await tell(other.engine, 'Put', { box_id: 'a' }), 'R0402');
  assert.is(other.engine.store.turns.refusesReads()?.heals, false);
  assert.is(await tell(one.engine, 'Put', { box_id: 'a' }), 'emitted');
  await close();
});

test('of two whole registries that were compared with the same one only the first is put in force', async () => {
  const { one, other, close } = await two();
  const replace = async ({ engine, services }: Server, number: number, version: number): Promise<unknown> => {
    const blocks = (await domainOf(box.replace('rule := 0', `rule := ${number}`))).blocks;
    return replaceBlocks(engine, await services.live(), { blocks, version });
  };
  const changes = [{ change: 'put', block: 'decision', name: 'DoPut' }];
  const both = (await Promise.all([replace(one, 1, 1), replace(other, 2, 1)])) as { outcome: string }[];
  assert.equal(
    both.sort((a, b) => b.outcome.localeCompare(a.outcome)), // either may be first
    [
      { outcome: 'replaced', version: 2, changes },
      { outcome: 'moved', version: 2 },
    ],
  );
  assert.equal(await replace(other, 3, 2), { outcome: 'replaced', version: 3, changes });
  assert.equal(await replace(one, 3, 3), { outcome: 'replaced', version: 3, changes: [] });
  assert.is(await tell(one.engine, 'Put', { box_id: 'a' }), 'emitted');
  assert.equal(await rules(other), ['change', 'change', 'change', 3]);
  await close();
});

function starts(): (text: string, accept?: 'files') => Promise<{ engine: Engine; said: readonly string[] }> {
  const log = createMemoryLog('cd'.repeat(32));
  return async (text, accept) => {
    const store = await openMemoryStore({ shared: log.connect() });
    const said: string[] = [];
    const registry: ServerRegistry = await startRegistry({
      store,
      domain: await domainOf(text),
      version: '0.1.0',
      modules: undefined,
      readOnly: false,
      warn: (message) => said.push(message),
      ...(accept && { accept }),
    });
    const clock = (): bigint => BigInt(Date.now()) * 1000n;
    const engine = await createReactingEngine({
      store,
      domain: registry.domain,
      clock,
      randomBytes: createSystemRandom(),
    });
    const { follow } = await registry.serve(engine)();
    engine.compileWith(follow.compile);
    if (registry.entry !== undefined) await engine.adopt(registry.domain, registry.entry);
    return { engine, said };
  };
}

test('a start with other files serves what the log says and names the blocks, unless the files are wanted', async () => {
  const start = starts();
  const before = 'CREATE EVENT A (a INT); CREATE EVENT B (a INT);';
  const after = 'CREATE EVENT A (a INT, b INT); CREATE EVENT C (a INT);';
  const names = ({ engine }: { engine: Engine }): string =>
    engine
      .domain()
      .blocks.map(({ name }) => name)
      .join(' ');
  const first = await start(before);
  assert.equal([names(first), first.said, first.engine.registryVersion()], ['A B', [], 1]);
  const same = await start(before);
  assert.equal([names(same), same.said, same.engine.registryVersion()], ['A B', [], 1]);
  const differing = await start(after);
  assert.equal(
    [names(differing), differing.said],
    [
      'A B',
      [
        'the files differ from the registry of the log, which is served: event A, event B, event C; --accept files puts the files in force',
      ],
    ],
  );
  const accepted = await start(after, 'files');
  assert.equal([names(accepted), accepted.said, accepted.engine.registryVersion()], ['A C', [], 2]);
  await first.engine.store.turns.fresh();
  assert.is(names(first), 'A C');
  const back = await start(before, 'files').catch((error: unknown) => error);
  assert.ok(back instanceof Failure && back.code === 'R0507', String(back));
  for (const { engine } of [first, same, differing, accepted]) await engine.close();
});

test.run();
