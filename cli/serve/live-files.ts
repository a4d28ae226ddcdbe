/**
 * What schema files say, kept in force in a running server. Takes the files as they are, puts them in force through the path that posted
 * changes take, and keeps what was posted in a file of its own; never stops the server, whatever the files say.
 */
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { CatalogChange, CompileSession } from '../../compiler/index.ts';
import { readLoggedBlocks } from '../../server/registry/from-log/logged-blocks.ts';
import type { RunningServer } from '../../server/start/run-server.ts';
import { compilePaths, type Compiled } from '../compile-paths.ts';
import { hasErrors } from '../../language/diagnostics/has-errors.ts';
import type { Shell } from '../shell.ts';
import { keepPosted } from './created-file.ts';

export interface LiveFiles {
  /** Reads all that has changed and puts it in force; with errors nothing changes. */
  readonly update: () => Promise<{ readonly compiled: Compiled; readonly changes: readonly CatalogChange[] }>;
}

export interface LiveFilesOptions {
  readonly shell: Shell;
  readonly server: RunningServer;
  readonly session: CompileSession;
  readonly paths: readonly string[];
  /** The file that posted blocks are kept in. */
  readonly posted: string;
  /** What the server was started with. */
  readonly started: Compiled;
}

/** A file that is missing or empty may be between two steps of being saved; after that long it is not. */
const savedMilliseconds = 150;

export function createLiveFiles(options: LiveFilesOptions): LiveFiles {
  const { shell, server, session, posted } = options;
  const { store } = server.engine;
  let inForce = options.started;

  /** What was posted while no files were watched, and they do not have so, goes into the file first. */
  let keepEarlier = (): void => {
    keepEarlier = () => undefined;
    const filed = new Set(Object.values(inForce.catalog.blocks).flatMap((blocks) => blocks.map(definition)));
    const missing = readLoggedBlocks(store).filter(
      (block) => block.origin === 'create' && !filed.has(definition(block)),
    );
    keepPosted(
      posted,
      missing.map(({ kind, name, text }) => ({ change: 'put', block: kind, name, text })),
    );
  };
  const compile = async (history: Parameters<CompileSession['compile']>[1]): Promise<Compiled> => {
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

/** A block with its text: what files and log can differ in. */
function definition({ kind, text }: { readonly kind: string; readonly text: string }): string {
  return `${kind} ${text}`;
}
