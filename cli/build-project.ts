import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { IncrementalCompiler } from '../compiler/compile.ts';
import type { ProjectMemory } from '../compiler/emit/project/emit-project.ts';
import type { FileHost } from '../compiler/emit/project/file-host.ts';
import type { EventBlock } from '../language/catalog/block.ts';
import type { Catalog } from '../language/catalog/catalog.ts';
import type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
import { compilePaths, type Compiled } from './compile-paths.ts';
import { environmentFault, inputFault } from './exit-fault.ts';
import { hasErrors } from '../language/diagnostics/has-errors.ts';
import { unfinishedBuild } from '../language/contract/domain.ts';
import { makeFolder } from '../runtime/store/disk/make-folder.ts';
import type { ServedBy } from './open-api.ts';
import type { Shell } from './shell.ts';

/** The result of a build. With errors nothing was written. */
export interface Build {
  readonly compiled: Compiled;
  readonly diagnostics: readonly Diagnostic[];
  readonly files?: {
    readonly written: readonly string[];
    readonly unchanged: readonly string[];
    readonly removed: readonly string[];
    readonly kept: readonly string[];
  };
}

/** State that a repeated build keeps from the last time. */
export interface BuildMemory {
  readonly session: IncrementalCompiler;
  readonly emitted: ProjectMemory;
  readonly host: FileHost;
}

export async function createBuildMemory(out: string): Promise<BuildMemory> {
  const { createIncrementalCompiler, createFileHost, createProjectMemory } = await import('../compiler/index.ts');
  return { session: createIncrementalCompiler(), emitted: createProjectMemory(), host: createFileHost(out) };
}

/** Compiles the paths and, without errors, brings the folder `out` up to date. */
export async function buildProject(
  shell: Shell,
  paths: readonly string[],
  out: string,
  served: ServedBy,
  memory?: BuildMemory,
): Promise<Build> {
  checkOutFolder(shell.cwd, out);
  return writeProject(await compilePaths(shell, paths, memory?.session), out, served, memory);
}

/** Brings the folder `out` up to date with the compiled catalog. */
export async function writeProject(
  compiled: Compiled,
  out: string,
  served: ServedBy,
  memory?: Omit<BuildMemory, 'session'>,
): Promise<Build> {
  const { diagnostics, catalog } = compiled;
  if (hasErrors(diagnostics)) return { compiled, diagnostics };
  const { createFileHost, emitProject, exportRegistry, writeFiles } = await import('../compiler/index.ts');
  const { documentedServer, openApiFor } = await import('./open-api.ts');
  const server = documentedServer(served);
  const exportText = exportRegistry(catalog);
  const options = {
    version: server.version,
    exportText,
    ownPackage: !standsInModulePackage(out),
    files: [{ path: 'openapi.json', text: openApiFor(catalog, exportText, server) }],
  };
  const files = await emitProject(asBuilt(catalog), options, memory?.emitted);
  makeOutputFolder(out);
  return { compiled, diagnostics, files: writeFiles(memory?.host ?? createFileHost(out), files) };
}

/** Events as `build` knows them, without a history: a server counts their versions from its own log when it starts. */
function asBuilt(catalog: Catalog): Catalog {
  const { event } = catalog.blocks;
  if (event.every(({ version }) => version === 1)) return catalog;
  return { ...catalog, blocks: { ...catalog.blocks, event: event.map(firstVersion) } };
}

/** Blocks of version 1, kept as the same objects: a repeated build recognises unchanged blocks by them. */
const firstVersions = new WeakMap<EventBlock, EventBlock>();
function firstVersion(block: EventBlock): EventBlock {
  if (block.version === 1) return block;
  const known = firstVersions.get(block) ?? { ...block, version: 1 };
  firstVersions.set(block, known);
  return known;
}

/** Protects other files from a wrong `-o`. */
export function checkOutFolder(cwd: string, out: string): void {
  if (!existsSync(out)) {
    checkAncestors(out);
    return;
  }
  const shown = relative(cwd, out) === '' ? '.' : relative(cwd, out);
  if (!statSync(out).isDirectory()) throw inputFault(`'${shown}' is a file; name a folder to write to`);
  const names = readdirSync(out);
  // A first build that was cut short has no manifest yet.
  if (names.length > 0 && !names.includes('manifest.json') && !names.includes(unfinishedBuild)) {
    throw inputFault(`the folder '${shown}' contains files that schemac did not write; name a new or empty one`);
  }
}

/** A folder can be made below the nearest one that exists. */
function checkAncestors(out: string): void {
  for (let folder = dirname(out); ; folder = dirname(folder)) {
    if (!existsSync(folder)) continue;
    if (!statSync(folder).isDirectory()) throw inputFault(`'${folder}' is a file; name a folder to write to`);
    return;
  }
}

function makeOutputFolder(path: string): void {
  try {
    makeFolder(path);
  } catch (error) {
    const { message, path: failed = path } = error as NodeJS.ErrnoException;
    throw environmentFault(`the folder ${failed} cannot be made: ${message}`);
  }
}

/** Whether Node reads `.js` files of the folder as ES modules at once. Without a `package.json` above it tries CommonJS first. */
function standsInModulePackage(out: string): boolean {
  for (let folder = dirname(out); ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    if (existsSync(file)) return isModulePackage(readFileSync(file, 'utf8'));
    if (folder === dirname(folder)) return false;
  }
}

/** A file that is not JSON does not count. */
function isModulePackage(text: string): boolean {
  try {
    return (JSON.parse(text) as { readonly type?: unknown } | null)?.type === 'module';
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
