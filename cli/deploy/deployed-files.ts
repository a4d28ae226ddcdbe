import { existsSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { EventStoreDefinition, RegisteredBlock } from '../../language/contract/domain.ts';
import { readFiles } from '../compare/registry-side.ts';
import { loadGenerated } from '../serve/load-generated.ts';
import type { Settings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';

/** Blocks to be put in force, and the event stores among which their place is chosen. */
export interface DeployedFiles {
  readonly blocks: readonly RegisteredBlock[];
  readonly eventStores: readonly EventStoreDefinition[];
}

/** The words name a generated folder, or files and folders of schema text; without words it is the generated folder that `start` serves. */
export async function readDeployed(
  shell: Shell,
  words: readonly string[],
  { out }: Pick<Settings, 'out'>,
): Promise<DeployedFiles> {
  const [only = out ?? 'generated', ...more] = words;
  const folder = resolve(shell.cwd, only);
  if (words.length === 0 || (more.length === 0 && existsSync(join(folder, 'dist/index.js')))) {
    const { blocks, eventStores } = await loadGenerated(folder, relative(shell.cwd, folder) || '.');
    return { blocks, eventStores };
  }
  const { catalog } = await readFiles(shell, words);
  const { registeredBlocks } = await import('../../compiler/index.ts');
  return { blocks: registeredBlocks(catalog), eventStores: catalog.blocks.eventstore };
}
