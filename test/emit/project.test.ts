import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createCatalog, type Catalog } from '../../language/catalog/catalog.ts';
import { createIncrementalCompiler } from '../../compiler/compile.ts';
import { emitModules } from '../../compiler/emit/project/emit-modules.ts';
import type { Domain } from '../../language/contract/domain.ts';
import { createDomainLoader } from '../../server/registry/load/domain-loader.ts';
import { createProjectMemory, emitProject } from '../../compiler/emit/project/emit-project.ts';
import type { GeneratedFile } from '../../compiler/emit/project/generated-file.ts';
import { withTempFolder } from '../kit/temp-folder.ts';
import { catalogOf, projectOf } from './compiled.ts';
import { everyProject } from './every-project.ts';
import { importDomain, isTypeScript, normalised, transpiled } from './generated-project.ts';
import { samples } from './samples.ts';

const projects = new Map<string, readonly GeneratedFile[]>();
for (const [name, text] of Object.entries(samples)) projects.set(name, await projectOf(text));
const all = [...projects].flatMap(([name, files]) => files.map((file) => ({ ...file, place: `${name}/${file.path}` })));

/** A decision's two modules run as one, which imports what both import. */
test('the JavaScript is the output of TypeScript for the TypeScript', () => {
  const anImport = /^import \{ (.+) \} from '(?!\.)(.+)';$/gm;
  const imports = (text: string): readonly string[] =>
    [...text.matchAll(anImport)].flatMap(([, names = '', from]) => names.split(', ').map((name) => `${from} ${name}`));
  const rest = (text: string): string => text.replace(/^import .+;$/gm, '').trim();
  for (const { text: typeScript, path, place } of all.filter(isTypeScript)) {
    if (path.endsWith('.definition.ts')) continue;
    const project = place.slice(0, -path.length);
    const textOf = (other: string): string => all.find((file) => file.place === project + other)?.text ?? '';
    const runs = normalised(textOf(path.replace(/ts$/, 'js')) + textOf(`dist/${path.replace(/ts$/, 'js')}`));
    const definition = textOf(path.replace(/ts$/, 'definition.ts'));
    const texts = (definition === '' ? [typeScript] : [typeScript, definition]).map(transpiled).map(normalised);
    assert.is(rest(runs), rest(texts.map(rest).join('\n')), place);
    assert.equal(imports(runs).toSorted(), [...new Set(texts.flatMap(imports))].toSorted(), place);
  }
});

test('the same catalog gives the same bytes, in any order of its text', async () => {
  for (const [name, text] of Object.entries(samples)) {
    const catalog = catalogOf(text);
    const shuffled = createCatalog(Object.values(catalog.blocks).flat().reverse());
    const again = await emitProject(shuffled, { version: '0.0.0', exportText: '-- the registry\n' });
    assert.equal(again, projects.get(name));
  }
});

test('lines keep to 120 columns, are indented by two, and end without spaces', async () => {
  const files = Object.entries(await everyProject()).flatMap(([name, files]) =>
    files.filter(isTypeScript).map(({ path, text }) => ({ place: `${name}/${path}`, lines: text.split('\n') })),
  );
  const indentOf = (line = ''): number => line.search(/\S|$/);
  const isWrong = (line: string, before: string | undefined): boolean =>
    line.length > 120 || /\s$/.test(line) || (!/^ *\*/.test(line) && indentOf(line) > indentOf(before) + 2);
  const wrong = files.flatMap(({ place, lines }) =>
    lines.flatMap((line, index) => (isWrong(line, lines[index - 1]) ? [`${place}:${index + 1} ${line}`] : [])),
  );
  assert.equal(wrong, []);
});

test('every file is in the manifest, and every path is plain', () => {
  for (const files of projects.values()) {
    const manifest = files.find(({ path }) => path === 'manifest.json');
    const listed = JSON.parse(manifest?.text ?? '{}') as { readonly files: object };
    assert.equal(
      Object.keys(listed.files),
      files.map(({ path }) => path).filter((path) => path !== 'manifest.json'),
    );
    for (const { path } of files) assert.match(path, /^(dist\/)?([a-z]+\/)?[A-Za-z0-9_-]+(\.[a-z]+)+$/);
  }
});

/** The modules that a text imports, also where it runs. */
function imported(text: string): readonly string[] {
  return [...text.matchAll(/(?:^(?:import|export) .*from |\bimport\()'([^']+)'/gm)].map(([, from]) => from ?? '');
}

test('generated modules import only schemac/runtime and each other, a client only schemac/client', () => {
  const seen = new Set<string>();
  for (const { place, path, text } of all.filter((file) => /\.(ts|js)$/.test(file.path))) {
    const isClient = path.startsWith('client.');
    for (const from of imported(text)) {
      if (isClient || !from.startsWith('.')) seen.add(`${isClient ? 'client' : 'server'} ${from}`);
      else assert.match(from, /^\.\.?\/(?!client)[\w/.-]+\.js$/, place);
    }
  }
  assert.equal([...seen].sort(), ['client schemac/client', 'server schemac/runtime']);
});

test('a project has a TypeScript file for each module of a block, one to run for each block, and few others', () => {
  const files = projects.get('bikes') ?? [];
  const others = files.filter(({ path }) => !/^(dist\/)?[a-z]+\/[A-Z]\w*(\.definition)?\.(ts|js)$/.test(path));
  assert.equal(
    others.map(({ path }) => path),
    ['catalog.json', 'client.js', 'client.ts', 'dist/index.js', 'server.js', 'manifest.json'],
  );
});

test('modules to run are named by their content, so that a change renames the changed ones', () => {
  const names = (text: string): readonly string[] =>
    emitModules(catalogOf(text), { version: '0.0.0', exportText: text }).modules.map(({ file }) => file.path);
  const before = names(samples['bikes'] ?? '');
  const after = names((samples['bikes'] ?? '').replace(':km >= 0', ':km > 0'));
  const changed = after.filter((path) => !before.includes(path)).map((path) => path.replace(/-[0-9a-f]{16}\.cjs$/, ''));
  assert.equal(changed, ['decisions/GiveBack']);
});

test('emitting again after a change gives the same project as emitting it the first time', async () => {
  const session = createIncrementalCompiler();
  const memory = createProjectMemory();
  const text = samples['bikes'] ?? '';
  const edits = [
    text,
    text.replace(':km >= 0', ':km > 0'),
    text.replace('station STRING)', 'station STRING, at DATE NULL)'),
    `${text} CREATE EVENT Added (a INT); CREATE COMMAND Another (a INT);`,
    `CREATE EVENTSTORE Kept WITH (durable.type = 'embedded'); ${text}`,
    text.replaceAll('BikeReturned', 'BikeBrought'),
    samples['types'] ?? '',
    text,
  ];
  for (const edited of edits) {
    const options = { version: '0.0.0', exportText: edited };
    const { catalog } = session.compile([{ name: 'test.schema', text: edited }]);
    const again = await emitProject(catalog, options, memory);
    assert.equal(again, await emitProject(catalogOf(edited), options));
  }
});

test('a changed guard changes only its decision and the files with the texts of blocks', async () => {
  const session = createIncrementalCompiler();
  const memory = createProjectMemory();
  const text = samples['bikes'] ?? '';
  const emitted = async (edited: string): Promise<ReadonlyMap<string, string>> => {
    const { catalog } = session.compile([{ name: 'test.schema', text: edited }]);
    const files = await emitProject(catalog, { version: '0.0.0', exportText: edited }, memory);
    return new Map(files.map((file) => [file.path, file.text]));
  };
  const before = await emitted(text);
  const after = await emitted(text.replace(':km >= 0', ':km > 0'));
  assert.equal(
    [...after].filter(([path, file]) => before.get(path) !== file).map(([path]) => path),
    [
      'catalog.json',
      'decisions/GiveBack.definition.ts',
      'decisions/GiveBack.ts',
      'dist/decisions/GiveBack.js',
      'manifest.json',
    ],
  );
});

test('an unchanged block is not printed again, unless its events changed', () => {
  const catalog = catalogOf(samples['bikes'] ?? '');
  const emit = (of: Catalog): ReadonlyMap<string, GeneratedFile> =>
    new Map(
      emitModules(of, { version: '0.0.0', exportText: '' }).modules.map(({ file }) => [
        file.path.replace(/-\w+\.cjs$/, ''),
        file,
      ]),
    );
  const before = emit(catalog);
  const event = catalog.blocks.event.map((block) =>
    block.name === 'BikeReturned'
      ? { ...block, fields: block.fields.map((field) => ({ ...field, sensitive: true })) }
      : block,
  );
  const after = emit({ ...catalog, blocks: { ...catalog.blocks, event } });
  assert.is(after.get('commands/ReturnBike') ?? 'missing', before.get('commands/ReturnBike'));
  assert.is(after.get('events/BikeRegistered'), before.get('events/BikeRegistered'));
  assert.is.not(after.get('events/BikeReturned'), before.get('events/BikeReturned'));
  assert.is.not(after.get('projections/Fleet'), before.get('projections/Fleet'));
});

test('modules to run give the same domain as the files of a project', () =>
  withTempFolder(async (folder) => {
    for (const [name, files] of projects) {
      const kept = await importDomain(`${folder}/${name}/kept`, files);
      const run = await createDomainLoader({ version: '0.0.0' }).load(catalogOf(samples[name] ?? ''));
      const { exportText, hash } = kept;
      assert.equal(asData({ ...run, exportText, hash }), asData(kept));
    }
  }));

function asData(domain: Domain): unknown {
  return JSON.parse(JSON.stringify(domain, noFunctions));
}

function noFunctions(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

test.run();
