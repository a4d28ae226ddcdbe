import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileFiles, isBlockStatement, parseScript, type BlockStatement } from '../../compiler/index.ts';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import type { Engine } from '../../runtime/engine/engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { Failure } from '../../language/failure/failure.ts';
import { createDomainLoader } from '../../server/registry/load/domain-loader.ts';
import { createLiveRegistry, type LiveRegistry } from '../../server/registry/live/live-registry.ts';
import { registryFromLog } from '../../server/registry/from-log/registry-from-log.ts';
import { openMemoryStore } from '../../runtime/store/memory-store.ts';
import { withTempFolder } from '../kit/temp-folder.ts';

const files = 'CREATE AGGREGATE Box;';

function puts(text: string): { readonly put: readonly BlockStatement[]; readonly drop: []; readonly forward: [] } {
  const { statements } = parseScript({ name: 'lang', text });
  return {
    put: statements.flatMap(({ statement }) => (statement && isBlockStatement(statement) ? [statement] : [])),
    drop: [],
    forward: [],
  };
}

/** An empty registry on a store in memory, whose modules are written to `modules`. */
async function withLive(
  work: (given: { readonly live: LiveRegistry; readonly engine: Engine; readonly modules: string }) => Promise<void>,
): Promise<void> {
  await withTempFolder(async (folder) => {
    const modules = join(folder, 'modules');
    const store = await openMemoryStore({ readModel: 'inline' });
    const { registry, history } = await registryFromLog(store.log);
    const loader = createDomainLoader({ directory: modules, version: '0.0.0' });
    const domain = await loader.load(registry.catalog);
    const clock = (): bigint => 1_700_000_000_000_000n;
    const engine = await createReactingEngine({ store, domain, clock, randomBytes: createSystemRandom() });
    await work({ live: createLiveRegistry({ engine, registry, loader, history, origin: 'create' }), engine, modules });
    await engine.close();
  });
}

const replaceByFiles = (live: LiveRegistry): Promise<unknown> =>
  live.replace((history) => Promise.resolve(compileFiles([{ name: 'box.schema', text: files }], history).registry));
const blocksOf = (engine: Engine): readonly string[] =>
  engine.domain().blocks.map(({ kind, name }) => `${kind} ${name}`);
const code = (error: unknown): unknown => (error instanceof Failure ? error.code : error);

test('a change that arrives while another fails is not reported as done', () =>
  withLive(async ({ live, engine, modules }) => {
    writeFileSync(modules, 'in the way');
    const outcomes = await Promise.allSettled([
      replaceByFiles(live),
      live.put(puts('CREATE COMMAND Put (id STRING);')),
    ]);
    assert.equal(
      outcomes.map((outcome) => (outcome.status === 'rejected' ? code(outcome.reason) : 'done')),
      ['R0408', 'R0408'],
    );
    assert.equal(blocksOf(engine), []);
    rmSync(modules);
    await live.put(puts('CREATE COMMAND Put (id STRING);'));
    assert.equal(blocksOf(engine), ['command Put']);
  }));

test('a change kept for later is reported as lost when another change fails', () =>
  withLive(async ({ live, engine, modules }) => {
    await live.change(puts('CREATE COMMAND Put (id STRING);'));
    writeFileSync(modules, 'in the way');
    const other = await live.put(puts('CREATE AGGREGATE Box;')).catch(code);
    rmSync(modules);
    assert.equal([other, await live.adopt().catch(code)], ['R0408', 'R0408']);
    await live.adopt();
    assert.equal(blocksOf(engine), []);
  }));

test('concurrent changes: each is checked against the result of the one before', () =>
  withLive(async ({ live, engine }) => {
    const answers = await Promise.all([
      live.put(puts('CREATE AGGREGATE Box;')),
      live.put(puts('CREATE COMMAND Put (id STRING);')),
      live.put(puts('CREATE COMMAND Put (id INT);')),
      live.put(puts('CREATE PROJECTION All AS SELECT COUNT(*) AS n FROM Reg."Box$Events";')),
    ]);
    assert.equal(
      answers.map(({ diagnostics, changes }) => [
        ...diagnostics.map((each) => each.code),
        ...changes.map(({ change }) => change),
      ]),
      [['created'], ['created'], ['E0208'], ['created']],
    );
    assert.equal(blocksOf(engine), ['aggregate Box', 'command Put', 'projection All']);
    assert.is(engine.store.log.schema().length, 3);
  }));

test('doc comments are replaced by OR REPLACE only, build nothing, and come back from the log', () =>
  withLive(async ({ live, engine }) => {
    const box = 'AGGREGATE Box (\n--- How many there are.\nn INT AS COUNT(*));';
    const texts = [
      `--- A box.\nCREATE ${box}`,
      `--- A crate.\nCREATE ${box}`,
      `--- A crate.\nCREATE OR REPLACE ${box}`,
      `--- A crate.\nCREATE OR REPLACE ${box}`,
    ];
    const built: unknown[] = [];
    const found: unknown[] = [];
    for (const text of texts) {
      const { changes } = await live.put(puts(text));
      const [block] = engine.domain().blocks;
      const { aggregates, sqlite } = engine.domain().readModel;
      built.push(JSON.stringify([aggregates, sqlite]));
      found.push([changes[0]?.change, block?.text.split('\n')[0], engine.store.log.schema().length]);
    }
    assert.equal(found, [
      ['created', '--- A box.', 1],
      ['unchanged', '--- A box.', 1],
      ['replaced', '--- A crate.', 2],
      ['unchanged', '--- A crate.', 2],
    ]);
    assert.equal(new Set(built).size, 1);
    const { registry } = await registryFromLog(engine.store.log);
    assert.equal(registry.catalog.blocks.aggregate[0]?.docs, {
      block: 'A crate.',
      fields: [{ name: 'n', doc: 'How many there are.' }],
      text: '--- A crate.\nCREATE AGGREGATE Box (\n  --- How many there are.\n  n INT AS COUNT(*)\n);',
    });
  }));

test('files replace all blocks, whatever was posted before them', () =>
  withLive(async ({ live, engine }) => {
    const [, , changes] = await Promise.all([
      live.put(puts('CREATE COMMAND Put (id STRING);')),
      live.put(puts('CREATE PROJECTION One AS SELECT 1 AS n;')),
      replaceByFiles(live),
    ]);
    assert.equal(
      (changes as readonly { change: string; name: string }[]).map(({ change, name }) => `${change} ${name}`),
      ['put Box', 'drop Put', 'drop One'],
    );
    assert.equal(blocksOf(engine), ['aggregate Box']);
  }));

test.run();
