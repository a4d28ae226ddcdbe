/** Finds the files of a project: those that its `schemac.config.json` names, with open texts in place of the files on disk. */
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { SourceFile } from '../../language/source/source-file.ts';
import { loadConfigFile } from '../../server/start/settings/config-file.ts';
import { asExitFault } from '../exit-of-error.ts';
import { findFiles, readSchemaFile, stateOfFiles } from '../schema-files.ts';

export const configName = 'schemac.config.json';

/** Files that the configuration names, as absolute paths. */
export interface ProjectPaths {
  readonly schema: readonly string[];
  readonly tests: readonly string[];
  readonly data?: string;
  /** Why the configuration cannot be used. */
  readonly problem?: string;
}

/** The nearest configuration file above a file; undefined without one. */
export function findConfig(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const config = join(folder, configName);
    if (existsSync(config)) return config;
    if (folder === dirname(folder)) return undefined;
  }
}

export function readProjectPaths(config: string): ProjectPaths {
  try {
    const { values, folder } = loadConfigFile(dirname(config), config, () => '');
    const paths = (key: string): readonly string[] =>
      ((values[key] as readonly string[] | undefined) ?? []).map((path) => resolve(folder, path));
    const { data } = values;
    return {
      schema: paths('schema'),
      tests: paths('tests'),
      ...(typeof data === 'string' ? { data: resolve(folder, data) } : {}),
    };
  } catch (error) {
    const fault = asExitFault(error);
    if (fault === undefined) throw error;
    return { schema: [], tests: [], problem: fault.message };
  }
}

/** The real path of a file, however it is named. */
export function realPathOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // a file that is not saved yet
  }
}

/** Whether a path is one of these files, or a schema file below one of these folders. */
export function isBelow(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => {
    const inside = relative(realPathOf(root), path);
    if (inside === '') return true;
    if (inside.startsWith('..') || resolve(inside) === inside || !path.endsWith('.schema')) return false;
    return !inside.split(sep).some((part) => part.startsWith('.') || part === 'node_modules');
  });
}

export interface FilesOnDisk {
  /** In the order in which `check` reads them, by real path. A file that cannot be read is left out. */
  readonly read: (roots: readonly string[]) => readonly SourceFile[];
  /** Why files could not be read, by path. */
  readonly problems: ReadonlyMap<string, string>;
}

/** Keeps what it has read until the files change. */
export function createFilesOnDisk(): FilesOnDisk {
  const known = new Map<string, { readonly state: string; readonly source: SourceFile }>();
  const problems = new Map<string, string>();
  return {
    problems,
    read: (roots) => {
      const paths = new Set(roots.flatMap(filesOf).map(realPathOf));
      for (const path of [...known.keys(), ...problems.keys()]) {
        if (paths.has(path) || existsSync(path)) continue;
        known.delete(path);
        problems.delete(path);
      }
      return [...paths].flatMap((path): readonly SourceFile[] => {
        const state = stateOfFiles('/', [path]);
        const before = known.get(path);
        if (before?.state === state) return [before.source];
        problems.delete(path);
        known.delete(path);
        const read = readOne(path);
        if ('problem' in read) problems.set(path, read.problem);
        else known.set(path, { state, source: read });
        return 'problem' in read ? [] : [read];
      });
    },
  };
}

function filesOf(root: string): readonly string[] {
  try {
    return findFiles('/', root);
  } catch (error) {
    if (asExitFault(error) === undefined) throw error;
    return []; // not there, or a folder without schema files
  }
}

function readOne(path: string): SourceFile | { readonly problem: string } {
  try {
    return { name: path, text: readSchemaFile('/', path).text };
  } catch (error) {
    const fault = asExitFault(error);
    if (fault === undefined) throw error;
    return { problem: fault.message };
  }
}
