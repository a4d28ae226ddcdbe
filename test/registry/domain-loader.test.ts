import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileFiles, emitModules, type Catalog } from '../../compiler/index.ts';
import { Failure } from '../../language/failure/failure.ts';
import { createDomainLoader } from '../../server/registry/load/domain-loader.ts';
import { domainOf } from '../kit/domain.ts';
import { withTempFolder } from '../kit/temp-folder.ts';

const schema = (most: number, more = ''): string => `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, n INT);
CREATE EVENT Added (n INT);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n) WHERE :n < ${most};
CREATE PROJECTION Sums AS SELECT SUM(data.n) AS total FROM Reg."Box$Events";
${more}`;
const catalogOf = (text: string): Catalog => compileFiles([{ name: 'test.schema', text }]).catalog;
const version = '0.0.0';

/** The files below a folder, sorted. */
function filesIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  const entries = readdirSync(folder, { withFileTypes: true });
  return entries
    .flatMap((entry) =>
      entry.isDirectory() ? filesIn(join(folder, entry.name)).map((path) => `${entry.name}/${path}`) : [entry.name],
    )
    .sort();
}

function pathsOf(catalog: Catalog): readonly string[] {
  return emitModules(catalog, { version, exportText: '' })
    .modules.map(({ file }) => file.path)
    .sort();
}

test('modules that a change does not touch are not loaded again', () =>
  withTempFolder(async (directory) => {
    const loader = createDomainLoader({ directory, version });
    const before = await loader.load(catalogOf(schema(10)));
    const after = await loader.load(catalogOf(schema(20)));
    assert.is(after.commands[0], before.commands[0]);
    assert.is(after.events[0], before.events[0]);
    assert.is(after.aggregates[0], before.aggregates[0]);
    assert.is(after.projections[0], before.projections[0]);
    assert.is.not(after.decisions[0], before.decisions[0]);
    assert.is(after.decisions[0]?.branches[0]?.guard, ':n < 20');
  }));

test('modules that the running domain has are not loaded again, wherever they came from', () =>
  withTempFolder(async (directory) => {
    const running = await domainOf(schema(10));
    const catalog = catalogOf(schema(10, 'CREATE PROJECTION More AS SELECT total FROM Reg.Sums;'));
    const domain = await createDomainLoader({ directory, version, running }).load(catalog);
    assert.is(domain.decisions[0], running.decisions[0]);
    assert.is(domain.projections[1], running.projections[0]);
    assert.equal(
      filesIn(directory).map((path) => dirname(path)),
      ['projections'],
    );
    // Stored under another version of its definition, an event is another one.
    const old = { ...running, events: running.events.map((event) => ({ ...event, version: 2 })) };
    const again = await createDomainLoader({ version, running: old }).load(catalog);
    assert.is(again.events[0]?.version, 1);
    assert.is.not(again.decisions[0], running.decisions[0]);
    assert.is(again.commands[0], running.commands[0]);
  }));

test('modules that no domain uses are freed', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const loader = createDomainLoader({ version });
  const seen: WeakRef<object>[] = [];
  for (let most = 1; most <= 5; most++) {
    const [decision] = (await loader.load(catalogOf(schema(most)))).decisions;
    if (decision !== undefined) seen.push(new WeakRef(decision.decide));
  }
  await new Promise((resume) => setTimeout(resume));
  collect();
  assert.equal(
    seen.map((each) => each.deref() !== undefined),
    [false, false, false, false, true],
  );
});

test('tidying keeps the modules of the last domain, and files that are no modules', () =>
  withTempFolder(async (directory) => {
    const loader = createDomainLoader({ directory, version });
    await loader.load(catalogOf(schema(10)));
    const catalog = catalogOf(schema(20));
    await loader.load(catalog);
    assert.is(filesIn(directory).length, pathsOf(catalog).length + 1);
    // Left by a process that was killed while it wrote.
    writeFileSync(join(directory, 'events/Added-0123456789abcdef.cjs.new'), 'half');
    writeFileSync(join(directory, 'notes.txt'), 'mine');
    loader.tidy();
    assert.equal(filesIn(directory), ['notes.txt', ...pathsOf(catalog)].sort());
    assert.is((await loader.load(catalogOf(schema(10)))).decisions[0]?.branches[0]?.guard, ':n < 10');
  }));

test('a file with other content is not run, and is written again', () =>
  withTempFolder(async (directory) => {
    const catalog = catalogOf(schema(10));
    const { file } = emitModules(catalog, { version, exportText: '' }).modules[0] ?? { file: { path: '', text: '' } };
    mkdirSync(join(directory, dirname(file.path)), { recursive: true });
    writeFileSync(join(directory, file.path), `${file.text}throw new Error('run');\n`);
    chmodSync(directory, 0o777);
    const loader = createDomainLoader({ directory, version });
    assert.is((await loader.load(catalog)).aggregates[0]?.name, 'Box');
    assert.is(readFileSync(join(directory, file.path), 'utf8'), file.text);
    assert.is(statSync(directory).mode & 0o777, 0o700);
  }));

async function refusal(directory: string): Promise<unknown> {
  const error: unknown = await createDomainLoader({ directory, version })
    .load(catalogOf(schema(10)))
    .catch((thrown: unknown) => thrown);
  return error instanceof Failure ? [error.code, error.message.replaceAll(directory, 'DIR')] : error;
}

test('a folder that cannot be used is named', () =>
  withTempFolder(async (folder) => {
    const directory = join(folder, 'file', 'modules');
    writeFileSync(join(folder, 'file'), '');
    assert.equal(await refusal(directory), [
      'R0408',
      "the data directory DIR cannot be used: ENOTDIR: not a directory, mkdir 'DIR'",
    ]);
    if (process.getuid?.() !== 0) return; // only root can give a folder away
    const foreign = join(folder, 'foreign');
    mkdirSync(foreign);
    chownSync(foreign, 12345, 12345);
    assert.equal(await refusal(foreign), [
      'R0408',
      'the data directory DIR cannot be used: it belongs to another user',
    ]);
  }));

test.run();
