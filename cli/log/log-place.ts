import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usageFault } from '../exit-fault.ts';
import { resolveSettings, type Flags } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { chooseNamed } from '../store-choice.ts';

export interface LogDirectory {
  readonly kind: 'directory';
  /** Absolute; it may not exist. */
  readonly directory: string;
}
export interface LogDatabase {
  readonly kind: 'database';
  readonly eventstore: string;
  readonly url: string;
  readonly namespace?: string;
}
/** Where the log is that a command works on. */
export type LogPlace = LogDirectory | LogDatabase;

/** With `--data` a directory; with `--eventstore` the store of that name of the generated server; else the data directory of the settings. */
export async function logPlace(shell: Shell, flags: Flags): Promise<LogPlace> {
  const settings = resolveSettings(shell, flags);
  const { sessionData, data, eventstore } = settings;
  if (sessionData !== undefined || eventstore === undefined)
    return { kind: 'directory', directory: sessionData ?? data ?? resolve(shell.cwd, 'data') };
  const choice = await chooseNamed(shell, eventstore, settings, data);
  if (choice.kind !== 'postgres')
    return { kind: 'directory', directory: choice.directory ?? resolve(shell.cwd, 'data') };
  const { url, namespace } = choice;
  return { kind: 'database', eventstore, url, ...(namespace !== undefined && { namespace }) };
}

/**
 * Where the file of a read model is, and the log that it was made of: with `--data` alone both are in that directory. If `--eventstore` names a store whose log is
 * in a database, the file is in the directory of one of its servers, which `--data` or the settings name.
 */
export async function readModelPlace(
  shell: Shell,
  flags: Flags,
): Promise<{ readonly directory: LogDirectory; readonly log: LogPlace }> {
  const { data: _, ...others } = flags;
  const own = await logPlace(shell, flags);
  const named = flags['eventstore'] === undefined ? own : await logPlace(shell, others);
  if (own.kind === 'directory' && named.kind === 'directory') {
    const { landmarkFileName } = await import('../../runtime/store/postgres/lost-entries/landmark-file.ts');
    if (existsSync(join(own.directory, landmarkFileName)))
      throw usageFault(`the log of ${own.directory} is in a database: name its event store with --eventstore`);
    return { directory: own, log: own };
  }
  const log = named.kind === 'database' ? named : own;
  const { sessionData, data, eventstore = '' } = resolveSettings(shell, flags);
  const directory = sessionData ?? data;
  if (directory === undefined)
    throw usageFault(`the log of ${eventstore} is in a database: name the directory of its server with --data`);
  return { directory: { kind: 'directory', directory }, log };
}
