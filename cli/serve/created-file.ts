import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  blockKey,
  compileFiles,
  isBlockStatement,
  kindOf,
  parseScript,
  startWithDoc,
  type Catalog,
  type CatalogChange,
  type SourceFile,
} from '../../compiler/index.ts';
import { visibleText } from '../../language/diagnostics/render/visible.ts';
import type { EventStoreDefinition } from '../../language/contract/domain.ts';
import { fail } from '../../language/failure/failure.ts';
import { inputFault } from '../exit-fault.ts';

/**
 * The file that stores posted blocks, so that the schema files hold the complete schema: in the first path, or next to it if that is a
 * file.
 */
export function createdFile(cwd: string, [first = '.']: readonly string[]): string {
  const path = resolve(cwd, first);
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) throw inputFault(`there is no file or folder '${visibleText(first)}'`);
  return join(found.isDirectory() ? path : dirname(path), 'created.schema');
}

/**
 * The event stores among which a server that saves posted blocks in the file `posted` finds its own: those of the other files. A posted one
 * is registered and never opened (docs/http.md#schema-and-console), or a restart would leave the events behind. `sources` are the compiled
 * files; their names are relative to `cwd`.
 */
export function storesToOpen(
  catalog: Catalog,
  sources: readonly SourceFile[],
  posted: string,
  cwd: string,
): readonly EventStoreDefinition[] {
  const without = sources.map((source) =>
    resolve(cwd, source.name) === posted ? { ...source, text: withoutStores(source) } : source,
  );
  const isPosted = without.some(({ text }, at) => text !== sources[at]?.text);
  return (isPosted ? compileFiles(without).catalog : catalog).blocks.eventstore;
}

/**
 * Brings the file up to date with a posted change: put blocks are written as CREATE OR REPLACE, and earlier definitions of them and of
 * dropped blocks are removed. Gives a function that undoes it. Fails with R0410 if it cannot.
 */
export function keepPosted(file: string, changes: readonly CatalogChange[]): () => void {
  try {
    const path = behindLinks(file);
    const before = textOf(path);
    const after = withChanges(before ?? '', changes);
    if (after === (before ?? '')) return () => undefined;
    writeWhole(path, after);
    return () => {
      if (before === undefined) rmSync(path, { force: true });
      else writeWhole(path, before);
    };
  } catch (error) {
    if (!(error instanceof Error) || !('syscall' in error)) throw error;
    throw fail('R0410', { file, problem: error.message });
  }
}

/** The text of the file with these changes; all other text stays as written. */
export function withChanges(text: string, changes: readonly CatalogChange[]): string {
  const changed = new Set(changes.map(({ block, name }) => blockKey(block, name)));
  let kept = '';
  let end = 0;
  for (const { statement, textSpan } of parseScript({ name: 'created.schema', text }).statements) {
    if (statement === undefined || !isBlockStatement(statement)) continue;
    if (!changed.has(blockKey(kindOf(statement), statement.name.text))) continue;
    // Its doc comment would become that of the next statement.
    kept += text.slice(end, startWithDoc(text, textSpan.start, statement.doc));
    // The blank lines after it are removed with it.
    end = textSpan.end + (/^[ \t]*(\r?\n\s*)?/.exec(text.slice(textSpan.end))?.[0].length ?? 0);
  }
  kept = (kept + text.slice(end)).trimEnd();
  const added = changes.flatMap((change) =>
    change.text === undefined
      ? []
      : [change.text.replace(/^((?:---.*\n)*)CREATE (?!OR REPLACE)/i, '$1CREATE OR REPLACE ')],
  );
  return [...(kept === '' ? [] : [kept]), ...added].map((each) => `${each}\n`).join('\n');
}

function withoutStores(source: SourceFile): string {
  const stores = parseScript(source).statements.flatMap(({ statement }) =>
    statement?.kind === 'CreateEventStore' ? [statement.name.text] : [],
  );
  if (stores.length === 0) return source.text;
  return withChanges(
    source.text,
    stores.map((name) => ({ change: 'drop', block: 'eventstore', name })),
  );
}

/** A link to the file stays a link; if its target does not exist, the file is new. */
function behindLinks(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Replaces the file as a whole, so that no reader sees half of it; it is on disk before the change continues. */
function writeWhole(path: string, text: string): void {
  const temporary = `${path}.new`;
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0o666;
  if ((mode & 0o222) === 0) throw Object.assign(new Error('it is not writable'), { syscall: 'open' });
  const descriptor = openSync(temporary, 'w', mode & 0o777);
  try {
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
  renameSync(temporary, path);
}
