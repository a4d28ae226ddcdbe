/**
 * Keeps the content of schema files in force in a running server. Takes the present files, puts them in force in the same way as posted
 * changes, and saves posted blocks in a file of its own; never stops the server, even if the files have errors.
 */
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { CatalogChange, IncrementalCompiler } from '../../compiler/index.ts';
import { readLoggedBlocks } from '../../server/registry/from-log/logged-blocks.ts';
import type { RunningServer } from '../../server/start/run-server.ts';
import { compilePaths, type Compiled } from '../compile-paths.ts';
import { hasErrors } from '../../language/diagnostics/has-errors.ts';
import type { Shell } from '../shell.ts';
import { keepPosted } from './created-file.ts';

export interface LiveFiles {
  /** Reads all changes and puts them in force; with errors nothing changes. */
  readonly update: () => Promise<{ readonly compiled: Compiled; readonly changes: readonly CatalogChange[] }>;
}

export interface LiveFilesOptions {
  readonly shell: Shell;
  readonly server: RunningServer;
  readonly session: IncrementalCompiler;
  readonly paths: readonly string[];
  /** The file for posted blocks. */
  readonly posted: string;
  /** The compiled files at the server's start. */
  readonly started: Compiled;
}

/** A missing or empty file may be in the course of being saved; after this long it is not. */
const savedMilliseconds = 150;

export function createLiveFiles(options: LiveFilesOptions): LiveFiles {
  const { shell, server, session, posted } = options;
  const { store } = server.engine;
  let inForce = options.started;

  /** Blocks that were posted while no files were watched, and that the files lack, are saved first. */
  let keepEarlier = (): void => {
    keepEarlier = () => undefined;
    const filed = new Set(Object.values(inForce.catalog.blocks).flatMap((blocks) => blocks.map(definition)));
    const missing = readLoggedBlocks(store.log).filter(
      (block) => block.origin === 'create' && !filed.has(definition(block)),
    );
    keepPosted(
      posted,
      missing.map(({ kind, name, text }) => ({ change: 'put', block: kind, name, text })),
    );
  };
  const compile = async (history: Parameters<IncrementalCompiler['compile']>[1]): Promise<Compiled> => {
    const paths = existsSync(posted) ? [...options.paths, posted] : options.paths;
    const compiled = await compilePaths(shell, paths, session, history);
    const now = new Set(compiled.sources.flatMap(({ name, text }) => (text.trim() === '' ? [] : [name])));
    if (inForce.sources.every(({ name, text }) => now.has(name) || text.trim() === '')) return compiled;
    await wait(savedMilliseconds);
    return compilePaths(shell, existsSync(posted) ? [...options.paths, posted] : options.paths, session, history);
  };

  return {
    update: async () => {
      let last: Compiled | undefined;
      const live = await server.live();
      const changes = await live.replace(async (history) => {
        keepEarlier();
        last = await compile(history);
        return hasErrors(last.diagnostics) ? undefined : last.registry;
      });
      if (last === undefined) throw new Error('nothing was compiled');
      if (!hasErrors(last.diagnostics)) inForce = last;
      return { compiled: last, changes };
    },
  };
}

/** A block with its text: the unit in which files and log can differ. */
function definition({ kind, text }: { readonly kind: string; readonly text: string }): string {
  return `${kind} ${text}`;
}
