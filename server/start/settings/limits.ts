import { defaultEngineLimits, type EngineLimits } from '../../../runtime/engine/limits.ts';
import { defaultHttpLimits, type HttpLimits } from '../../http/settings.ts';
import { defaultQueryLimits, type QueryLimits } from '../../operation/query/query-limits.ts';
import { defaultInspectLimits, type InspectLimits } from '../../operation/inspect/inspect-limits.ts';
import { configSchema, type ConfigFile } from './config-file.ts';
import { checkJson } from './json-schema.ts';
import { SettingsFault } from './settings-fault.ts';

/** All limits of a server (docs/http.md#limits). */
export type Limits = HttpLimits & EngineLimits & QueryLimits & InspectLimits;

/** The limits without configuration; schemac.config.schema.json has the maximum of each. */
export const defaultLimits: Limits = {
  ...defaultHttpLimits,
  ...defaultEngineLimits,
  ...defaultQueryLimits,
  ...defaultInspectLimits,
};

const prefix = 'SCHEMAC_LIMIT_';

/**
 * The limits of a configuration: a variable (`SCHEMAC_LIMIT_CONSOLE_ROWS`) wins over the file's `http.limits` (`consoleRows`), whose form
 * was checked when it was read.
 */
export function findLimits(config: ConfigFile, environment: Readonly<Record<string, string | undefined>>): Limits {
  const http = config.values['http'] as { readonly limits?: Partial<Limits> } | undefined;
  return { ...defaultLimits, ...http?.limits, ...limitsOfVariables(environment) };
}

function limitsOfVariables(environment: Readonly<Record<string, string | undefined>>): Partial<Limits> {
  const given = Object.entries(environment).filter(([name, value]) => name.startsWith(prefix) && value !== '');
  if (given.length === 0) return {};
  const known = configSchema().properties?.['http']?.properties?.['limits']?.properties ?? {};
  const byVariable = new Map(Object.keys(known).map((name) => [variableName(name), name]));
  const problems: string[] = [];
  const found = given.flatMap(([variable, text = '']): [string, number][] => {
    const name = byVariable.get(variable);
    const schema = name === undefined ? undefined : known[name];
    if (name === undefined || schema === undefined) {
      problems.push(`there is no limit named '${variable}'`);
      return [];
    }
    const value = /^\d{1,15}$/.test(text) ? Number(text) : text;
    problems.push(...checkJson(schema, value, () => '', variable));
    return [[name, Number(value)]];
  });
  if (problems.length > 0) throw new SettingsFault(2, problems);
  return Object.fromEntries(found);
}

function variableName(limit: string): string {
  return prefix + limit.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}
