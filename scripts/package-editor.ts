/**
 * `npm run editor:package`: writes the extension of VS Code to `dist/schemac-<version>.vsix`, with the grammar made from the parser's tables,
 * the client as one file, and the tool as `npm run build` wrote it, for projects that have none.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { textMateGrammar } from '../editors/textmate-grammar.ts';
import { blockKeywords } from '../language/contract/block-kind.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const load = createRequire(import.meta.url);

/** The part of `@vscode/vsce` that is used. Only the folder of the extension has that package. */
interface Packaging {
  readonly createVSIX: (options: {
    readonly cwd: string;
    readonly packagePath: string;
    readonly dependencies: boolean;
    readonly allowMissingRepository: boolean;
  }) => Promise<void>;
}

/** Files that the extension has as they are in the sources. */
const plain = ['README.md', 'language-configuration.json', 'icons', 'snippets'];
/**
 * Folders of `dist`: everything but declarations and the files of `init` and `build`, which are for projects that have the tool installed.
 */
const folders = ['chunks', 'cli', 'compiler', 'runtime', 'server'];

/** Packages the output of `npm run build`; gives the path of the file. */
export async function packageEditor(target: string): Promise<string> {
  if (!existsSync(join(root, 'dist/cli/main.js'))) throw new Error('run npm run build first');
  const stage = mkdtempSync(join(tmpdir(), 'schemac-vscode-'));
  try {
    await fill(stage);
    const { version } = readJson('package.json');
    const { createVSIX } = createRequire(join(root, 'editors/vscode/package.json'))('@vscode/vsce') as Packaging;
    const packagePath = join(target, `schemac-${String(version)}.vsix`);
    await createVSIX({ cwd: stage, packagePath, dependencies: false, allowMissingRepository: true });
    return packagePath;
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

async function fill(stage: string): Promise<void> {
  const { version, type } = readJson('package.json');
  const source = join(root, 'editors/vscode');
  for (const name of plain) cpSync(join(source, name), join(stage, name), { recursive: true });
  cpSync(join(root, 'LICENSE'), join(stage, 'LICENSE.txt'));
  cpSync(join(root, 'docs/licences.md'), join(stage, 'THIRD-PARTY.md'));
  cpSync(join(root, 'schemac.config.schema.json'), join(stage, 'schemac.config.schema.json'));
  const { devDependencies: _, allowScripts: __, ...shown } = manifest();
  writeJson(join(stage, 'package.json'), { ...shown, version, files: ['**'] });
  mkdirSync(join(stage, 'syntaxes'));
  writeJson(join(stage, 'syntaxes/schemac.tmLanguage.json'), textMateGrammar());
  await build({
    absWorkingDir: root,
    entryPoints: ['editors/vscode/client/extension.ts'],
    outfile: join(stage, 'client/extension.cjs'),
    bundle: true,
    minify: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    external: ['vscode'],
    legalComments: 'linked',
    logLevel: 'warning',
  });
  const tool = join(stage, 'tool');
  for (const folder of folders)
    for (const name of readdirSync(join(root, 'dist', folder), { recursive: true, encoding: 'utf8' }))
      if (name.endsWith('.js')) cpSync(join(root, 'dist', folder, name), join(tool, folder, name));
  cpSync(join(root, 'docs/codes.md'), join(tool, 'docs/codes.md'));
  writeJson(join(tool, 'package.json'), {
    name: 'schemac',
    version,
    type,
    exports: {
      '.': './compiler/index.js',
      './runtime': './server/index.js',
      './package.json': './package.json',
    },
  });
  copySqlite(join(tool, 'node_modules/sql.js'));
}

/** The manifest of the sources, which knows a text without an ending by any block of the language. */
function manifest(): Record<string, unknown> {
  const text = JSON.stringify(readJson('editors/vscode/package.json'));
  return JSON.parse(text.replace('BLOCKS', blockKeywords.join('|'))) as Record<string, unknown>;
}

/** The one package that is not bundled, because it finds its WebAssembly file next to itself. */
function copySqlite(target: string): void {
  const from = dirname(load.resolve('sql.js'));
  mkdirSync(join(target, 'dist'), { recursive: true });
  for (const name of ['sql-wasm.js', 'sql-wasm.wasm']) cpSync(join(from, name), join(target, 'dist', name));
  const { name, version, license, main } = JSON.parse(readFileSync(join(from, '../package.json'), 'utf8')) as Record<
    string,
    unknown
  >;
  writeJson(join(target, 'package.json'), { name, version, license, main });
  cpSync(join(from, '../LICENSE'), join(target, 'LICENSE'));
}

function readJson(path: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, path), 'utf8')) as Record<string, unknown>;
}

function writeJson(path: string, value: object): void {
  writeFileSync(path, `${JSON.stringify(value, undefined, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await packageEditor(join(root, 'dist')));
