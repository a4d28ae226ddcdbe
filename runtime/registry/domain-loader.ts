import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import {
  emitModules,
  exportRegistry,
  type Catalog,
  type EmittedModule,
  type WaitingBlock,
} from '../../compiler/index.ts';
import type { Domain } from '../contract/domain.ts';

/** Makes a running domain of a catalog: emits its modules, writes those that are new, and imports them. Blocks that wait are only shown by it. */
export interface DomainLoader {
  readonly load: (catalog: Catalog, waiting?: readonly WaitingBlock[]) => Promise<Domain>;
}

/**
 * Modules live in `directory`, which is ours alone (0700). A file's name carries the hash of its content, and every file is held
 * against what was just emitted before it is imported, so that nothing else is ever run from there.
 */
export function createDomainLoader(directory: string, version: string): DomainLoader {
  let prepared = false;
  /** Definitions by the path of their module, of the domain loaded last. */
  let known = new Map<string, unknown>();
  const define = async ({ kind, file }: EmittedModule): Promise<unknown> => {
    if (known.has(file.path)) return known.get(file.path);
    const path = join(directory, file.path);
    writeVerified(path, file.text);
    const module = (await import(pathToFileURL(path).href)) as Readonly<Record<string, unknown>>;
    return module[kind];
  };
  return {
    load: async (catalog, waiting = []) => {
      if (!prepared) prepareDirectory(directory);
      prepared = true;
      const { modules, rest } = emitModules(catalog, { version, exportText: exportRegistry(catalog), waiting });
      const definitions = await Promise.all(modules.map(define));
      known = new Map(modules.map(({ file }, index) => [file.path, definitions[index]]));
      const all = (kind: EmittedModule['kind']): never[] =>
        // A module of ours exports its kind's definition under the kind's name.
        definitions.filter((_, index) => modules[index]?.kind === kind) as never[];
      return {
        ...rest,
        aggregates: all('aggregate'),
        commands: all('command'),
        events: all('event'),
        decisions: all('decision'),
        projections: all('projection'),
      };
    },
  };
}

function prepareDirectory(directory: string): void {
  mkdirSync(join(directory, 'node_modules'), { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, 'package.json'), '{"private":true,"type":"module"}\n', { mode: 0o600 });
  const link = join(directory, 'node_modules', 'schemac');
  if (!existsSync(link)) symlinkSync(packageRoot(), link, 'dir');
}

/** The folder of the running package: the nearest `package.json` above this module. */
function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'package.json'))) folder = dirname(folder);
  return folder;
}

function writeVerified(path: string, text: string): void {
  if (existsSync(path) && sameContent(path, text)) return;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const temporary = `${path}.new`;
  writeFileSync(temporary, text, { mode: 0o600 });
  renameSync(temporary, path);
}

function sameContent(path: string, text: string): boolean {
  const hash = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');
  return hash(readFileSync(path)) === hash(text);
}
