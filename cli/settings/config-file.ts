import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { visibleText } from '../../compiler/diagnostics/render/visible.ts';
import { placeOf } from '../../compiler/source/source-file.ts';
import { parseJson } from '../../runtime/values/json-parse.ts';
import { inputFault } from '../exit-fault.ts';
import { checkJson, type JsonSchema } from './json-schema.ts';

/** `schemac.config.json`, checked against the published schema. */
export interface ConfigFile {
  /** Absolute; undefined when there is none. */
  readonly path: string | undefined;
  /** Where relative paths start: the file's folder, else the working directory. */
  readonly folder: string;
  readonly values: Readonly<Record<string, unknown>>;
}

const fileName = 'schemac.config.json';
const mostBytes = 1024 * 1024;

/** The published schema of the configuration file. */
export function configSchema(): JsonSchema {
  const path = fileURLToPath(import.meta.resolve('schemac/config.schema.json'));
  return JSON.parse(readFileSync(path, 'utf8')) as JsonSchema;
}

/** Reads the file that was named, else `schemac.config.json` of the working directory if there is one. */
export function loadConfigFile(cwd: string, named: string | undefined): ConfigFile {
  const path = resolve(cwd, named ?? fileName);
  if (!existsSync(path)) {
    if (named !== undefined) throw inputFault(`there is no configuration file ${path}`);
    return { path: undefined, folder: cwd, values: {} };
  }
  if (statSync(path).size > mostBytes) throw inputFault(`${path} is larger than ${mostBytes} bytes`);
  const values = parse(path, readFileSync(path, 'utf8'));
  const problems = checkJson(configSchema(), values);
  if (problems.length > 0) throw inputFault(problems.map((problem) => visibleText(`${path}: ${problem}`)).join('\n'));
  return { path, folder: dirname(path), values: values as Record<string, unknown> };
}

function parse(path: string, text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const { problem = 'it cannot be read', offset = 0 } = parseJson(text) as { problem?: string; offset?: number };
    const { line, column } = placeOf({ name: path, text }, offset);
    throw inputFault(visibleText(`${path}:${line}:${column} is not JSON: ${problem}`));
  }
}
