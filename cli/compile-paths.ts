import { blockKinds } from '../language/contract/block-kind.ts';
import type { Registry, StoredHistory } from '../compiler/analyse/environment/registry.ts';
import type { Catalog } from '../language/catalog/catalog.ts';
import type { IncrementalCompiler } from '../compiler/compile.ts';
import type { Diagnostic } from '../language/diagnostics/diagnostic.ts';
import type { SourceFile } from '../language/source/source-file.ts';
import { usageFault } from './exit-fault.ts';
import { readSchemaFiles } from './schema-files.ts';
import type { Settings } from './settings/settings.ts';
import type { Shell } from './shell.ts';

export interface Compiled {
  readonly sources: readonly SourceFile[];
  readonly catalog: Catalog;
  readonly registry: Registry;
  readonly diagnostics: readonly Diagnostic[];
}

/** The paths of the command line, else those of the configuration's `schema`. */
export function schemaPaths(words: readonly string[], settings: Settings): readonly string[] {
  const configured = settings.schema ?? [];
  const paths = words.length > 0 ? words : configured;
  if (paths.length === 0)
    throw usageFault('name files or folders of schema text, or set "schema" in schemac.config.json');
  return paths;
}

/** Reads and compiles all files of the paths as one compilation; with a session, only the changes since its last one. */
export async function compilePaths(
  shell: Shell,
  paths: readonly string[],
  session?: IncrementalCompiler,
  history?: StoredHistory,
  mostErrors?: number,
): Promise<Compiled> {
  const sources = readSchemaFiles(shell.cwd, paths);
  const { compileFiles } = await import('../compiler/index.ts');
  return { sources, ...(session?.compile(sources, history) ?? compileFiles(sources, history, mostErrors)) };
}

/** `3 files, 12 blocks`. */
export function countCompiled({ sources, catalog }: Compiled): string {
  const blocks = blockKinds.reduce((sum, kind) => sum + catalog.blocks[kind].length, 0);
  return `${sources.length} ${sources.length === 1 ? 'file' : 'files'}, ${blocks} ${blocks === 1 ? 'block' : 'blocks'}`;
}
