import { resolve } from 'node:path';
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
