import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseJson } from '../../../language/values/json-parse.ts';
import { checkJson, type JsonSchema, type Suggest } from './json-schema.ts';
import { SettingsFault } from './settings-fault.ts';

/** `schemac.config.json`, checked against the published schema. */
export interface ConfigFile {
  /** Absolute; undefined when there is none. */
  readonly path: string | undefined;
  /** Relative paths start here: the file's folder, else the working directory. */
  readonly folder: string;
  readonly values: Readonly<Record<string, unknown>>;
}

export const configFileName = 'schemac.config.json';
const mostBytes = 1024 * 1024;

/** The published schema of the configuration file. */
export function configSchema(): JsonSchema {
  const path = fileURLToPath(import.meta.resolve('schemac/config.schema.json'));
  return JSON.parse(readFileSync(path, 'utf8')) as JsonSchema;
}

/** Reads the given file, else `schemac.config.json` of the working directory if there is one. */
export function loadConfigFile(cwd: string, named: string | undefined, suggest: Suggest): ConfigFile {
  const path = resolve(cwd, named ?? configFileName);
  if (!existsSync(path)) {
    if (named !== undefined) throw new SettingsFault(1, [`there is no configuration file ${path}`]);
    return { path: undefined, folder: cwd, values: {} };
  }
  if (statSync(path).size > mostBytes) throw new SettingsFault(1, [`${path} is larger than ${mostBytes} bytes`]);
  const values = parse(path, readFileSync(path, 'utf8'));
  const problems = checkJson(configSchema(), values, suggest);
  if (problems.length > 0)
    throw new SettingsFault(
      1,
      problems.map((problem) => `${path}: ${problem}`),
    );
  return { path, folder: dirname(path), values: values as Record<string, unknown> };
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { problem = 'it cannot be read', offset = 0 } = parseJson(text) as { problem?: string; offset?: number };
    const lines = text.slice(0, offset).split('\n');
    const column = (lines.at(-1)?.length ?? 0) + 1;
    throw new SettingsFault(1, [`${path}:${lines.length}:${column} is not JSON: ${problem}`]);
  }
}
