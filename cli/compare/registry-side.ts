/** A side of a comparison: schema files, or the registry of a store now or at a moment (docs/production.md#levels-and-codes). */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Catalog, Diagnostic, StoredHistory } from '../../compiler/index.ts';
import { hasErrors } from '../../language/diagnostics/has-errors.ts';
import { parseTimestamp } from '../../language/values/timestamp.ts';
import type { AskedMoment } from '../../runtime/store/journal/moment.ts';
import type { Store } from '../../runtime/store/store.ts';
import { readSchemaFiles } from '../schema-files.ts';
import { environmentFault, ExitFault, inputFault, usageFault } from '../exit-fault.ts';
import { reportDiagnostics } from '../report.ts';
import { resolveSettings, type Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import type { ComparedServer } from '../remote/server.ts';
import { chooseNamed, openToRead } from '../store-choice.ts';

export interface RegistrySide {
  readonly catalog: Catalog;
  /** Set for files: compiles them with the history of a store. */
  readonly compile?: CompileWithHistory;
  /** The registry of the store as it is now. */
  readonly isOfLog?: boolean;
}

export type CompileWithHistory = (history: StoredHistory) => {
  readonly catalog: Catalog;
  readonly diagnostics: readonly Diagnostic[];
};

/** `log` or `log@<position|time>`; a folder of that name is written `./log`. */
export function isOfLog(word: string): boolean {
  return word === 'log' || word.startsWith('log@');
}

/** Reads one side; `server` is asked for the registry of its log if there is no store. Reports the errors of files and ends with status 1. */
export async function readSide(
  shell: Shell,
  word: string,
  store: Store | undefined,
  server?: ComparedServer,
): Promise<RegistrySide> {
  if (isOfLog(word)) {
    if (store === undefined && server !== undefined) return { catalog: await registryOfServer(shell, word, server) };
    if (store === undefined)
      throw usageFault(`'${word}' is the registry of a store: name it with --data, --eventstore or --url`);
    return { catalog: await registryOfLog(word, store), isOfLog: word === 'log' };
  }
  return readFiles(shell, [word]);
}

/** The files as one compilation, without a store. */
export async function readFiles(
  shell: Shell,
  paths: readonly string[],
): Promise<Required<Pick<RegistrySide, 'catalog' | 'compile'>>> {
  const { compileFiles } = await import('../../compiler/index.ts');
  const sources = readSchemaFiles(shell.cwd, paths);
  const { diagnostics, catalog } = compileFiles(sources);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  await reportDiagnostics(shell, errors);
  if (hasErrors(errors)) throw new ExitFault(1, `${paths.join(', ')} does not compile, so it cannot be compared`);
  return { catalog, compile: (history) => compileFiles(sources, history) };
}

async function registryOfServer(shell: Shell, word: string, { url, token }: ComparedServer): Promise<Catalog> {
  const [{ remoteServer, Refusal }, { compileFiles }] = await Promise.all([
    import('../remote/server.ts'),
    import('../../compiler/index.ts'),
  ]);
  const moment = word.slice('log@'.length);
  if (word !== 'log') momentOfWord(moment, 'log@');
  const path = word === 'log' ? '/api/lang/export' : `/api/lang/export?as_of=${encodeURIComponent(moment)}`;
  const text = await remoteServer(url, { token })
    .text(path)
    .catch((error: unknown) => {
      throw error instanceof Refusal ? environmentFault(`${url}: ${error.message}`) : error;
    });
  const { diagnostics, catalog } = compileFiles([{ name: url, text }]);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  await reportDiagnostics(shell, errors);
  if (hasErrors(errors))
    throw new ExitFault(1, `the registry of ${url} does not compile here, so it cannot be compared`);
  return catalog;
}

async function registryOfLog(word: string, store: Store): Promise<Catalog> {
  if (word === 'log') {
    const { registryFromLog } = await import('../../server/registry/from-log/registry-from-log.ts');
    return (await registryFromLog(store.log)).registry.catalog;
  }
  const { registryAt } = await import('../../server/place/registry-at.ts');
  return (await registryAt(store, await store.log.moment(momentOfWord(word.slice('log@'.length), 'log@')))).catalog;
}

/** A position or a time, as an option or a side names it. */
export function momentOfWord(text: string, where: string): AskedMoment {
  if (/^\d{1,15}$/.test(text)) return { position: Number(text) };
  const time = parseTimestamp(text);
  if (time === undefined) throw usageFault(`${where} takes a position or an ISO 8601 time, not '${text}'`);
  return { time };
}

/** The store of `--data` or `--eventstore`, opened for reading even while servers run; undefined without the options. */
export async function openComparedStore(shell: Shell, flags: Flags): Promise<Store | undefined> {
  const settings = resolveSettings(shell, flags);
  const { data, sessionData, sessionEventstore: name } = settings;
  if (name !== undefined) return openToRead(await chooseNamed(shell, name, settings, sessionData), settings);
  if (data === undefined) return undefined;
  const directory = resolve(shell.cwd, data);
  if (!existsSync(directory)) throw inputFault(`there is no data directory ${directory}`);
  const { openReadOnlyStore } = await import('../../runtime/store/embedded/read-only-store.ts');
  return openReadOnlyStore({ directory });
}

/** The definitions of the store's events and how many are stored under each. */
export async function historyOf(store: Store): Promise<StoredHistory> {
  const { readHistoryFromLog } = await import('../../server/registry/from-log/history-from-log.ts');
  return readHistoryFromLog(store.log).read();
}
