/**
 * The settings of a command: a flag wins over a `SCHEMAC_*` variable, which wins over the configuration file. Takes commander's options,
 * the environment and the file; gives typed values, absent if not set.
 */
import { resolve } from 'node:path';
import { isReadEngine, type ReadEngine } from '../../../language/contract/read-model.ts';
import { loadConfigFile, type ConfigFile } from './config-file.ts';
import type { Suggest } from './json-schema.ts';
import { SettingsFault } from './settings-fault.ts';

/** The address of a server if no setting names one. */
export const defaultHost = '127.0.0.1';
export const defaultPort = 8080;

type Kind = 'text' | 'path' | 'port' | 'entry' | 'seconds' | 'switch' | 'files-or-log' | 'read-engine';

/** Every setting that may come from more than a flag; in the file it has this name, in the environment `SCHEMAC_` and the same in capitals. */
const kinds = {
  accept: 'files-or-log',
  acceptLoss: 'entry',
  as: 'text',
  data: 'path',
  enableCreate: 'switch',
  enableInspect: 'switch',
  enableQuery: 'switch',
  eventstore: 'text',
  host: 'text',
  insecure: 'switch',
  noPush: 'switch',
  noReactions: 'switch',
  out: 'path',
  port: 'port',
  readEngine: 'read-engine',
  readOnly: 'switch',
  token: 'text',
  url: 'text',
  wait: 'seconds',
} as const satisfies Readonly<Record<string, Kind>>;

type ValueOf<K extends Kind> = K extends 'port' | 'entry' | 'seconds'
  ? number
  : K extends 'switch'
    ? boolean
    : K extends 'files-or-log'
      ? 'files' | 'log'
      : K extends 'read-engine'
        ? ReadEngine
        : string;
export type SettingName = keyof typeof kinds;
export type Settings = { readonly [N in SettingName]?: ValueOf<(typeof kinds)[N]> } & {
  readonly config: ConfigFile;
  /** The data directory if a flag or a variable names it: a session is in memory by default. */
  readonly sessionData?: string;
  /** The event store if a flag names it, for the same reason. */
  readonly sessionEventstore?: string;
  /** The configuration's files and folders of schema text, and of scripts, absolute. */
  readonly schema?: readonly string[];
  readonly tests?: readonly string[];
  /** The configuration's time at which each script of `test` begins, as text. */
  readonly clock?: string;
};

/** The environment of a process: its folder and its variables. */
export interface Surroundings {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Flags as commander gives them: text, `true`, or nothing. */
export type Flags = Readonly<Record<string, unknown>>;

/** Finds each setting's value. Paths become absolute: paths of the file start at its folder, others at the working directory. */
export function findSettings(process: Surroundings, flags: Flags, suggest: Suggest): Settings {
  const named = flags['config'] ?? present(process.environment['SCHEMAC_CONFIG']);
  const config = loadConfigFile(process.cwd, named as string | undefined, suggest);
  const found: Record<string, unknown> = { config };
  for (const [name, kind] of Object.entries(kinds)) {
    const variable = variableName(name);
    const fromEnvironment = present(process.environment[variable]);
    const flag = flagOf(flags, name);
    if (flag !== undefined) found[name] = read(kind, `--${dashed(name)}`, flag, process.cwd);
    else if (fromEnvironment !== undefined) found[name] = read(kind, variable, fromEnvironment, process.cwd);
    else if (config.values[name] !== undefined) found[name] = read(kind, name, config.values[name], config.folder);
  }
  if (flags['data'] !== undefined || present(process.environment['SCHEMAC_DATA']) !== undefined)
    found['sessionData'] = found['data'];
  if (flags['eventstore'] !== undefined) found['sessionEventstore'] = found['eventstore'];
  if (config.values['clock'] !== undefined) found['clock'] = config.values['clock'];
  for (const name of ['schema', 'tests']) {
    const paths = config.values[name] as readonly string[] | undefined;
    if (paths !== undefined) found[name] = paths.map((path) => resolve(config.folder, path));
  }
  return found as unknown as Settings;
}

/** `--no-push` is `noPush: true` to Node's parser, and `push: false` to commander, which gives `push: true` without it. */
function flagOf(flags: Flags, name: string): unknown {
  const [, first, rest] = /^no([A-Z])(.*)$/.exec(name) ?? [];
  if (first === undefined || rest === undefined) return flags[name];
  return flags[first.toLowerCase() + rest] === false ? true : flags[name];
}

/** Empty variables count as absent, as in most tools. */
function present(value: string | undefined): string | undefined {
  return value === '' ? undefined : value;
}
function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
function variableName(name: string): string {
  return `SCHEMAC_${dashed(name).replaceAll('-', '_').toUpperCase()}`;
}

function read(kind: Kind, from: string, value: unknown, folder: string): string | number | boolean {
  if (typeof value !== 'string') return value as number | boolean;
  switch (kind) {
    case 'text':
      return value;
    case 'path':
      return resolve(folder, value);
    case 'port':
      if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value);
      throw new SettingsFault(2, [`${from} takes a port from 0 to 65535, not '${value}'`]);
    case 'entry':
      if (/^[1-9]\d{0,14}$/.test(value)) return Number(value);
      throw new SettingsFault(2, [`${from} takes the number of an entry, at least 1, not '${value}'`]);
    case 'seconds':
      if (/^\d{1,5}$/.test(value)) return Number(value);
      throw new SettingsFault(2, [`${from} takes a number of seconds from 0 to 99999, not '${value}'`]);
    case 'switch':
      if (/^(1|true|yes|on)$/i.test(value)) return true;
      if (/^(0|false|no|off)$/i.test(value)) return false;
      throw new SettingsFault(2, [`${from} takes true or false, not '${value}'`]);
    case 'files-or-log':
      if (value === 'files' || value === 'log') return value;
      throw new SettingsFault(2, [`${from} takes 'files' or 'log', not '${value}'`]);
    case 'read-engine':
      if (isReadEngine(value)) return value;
      throw new SettingsFault(2, [`${from} takes 'memory', 'disk' or 'auto', not '${value}'`]);
  }
}
