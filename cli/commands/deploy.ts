import { join, relative, resolve } from 'node:path';
import { existsSync } from 'node:fs';
import type { Catalog } from '../../language/catalog/catalog.ts';
import { kindTable } from '../../language/contract/block-kind.ts';
import type { EventStoreDefinition, RegisteredBlock } from '../../language/contract/domain.ts';
import type { Replaced, Replacement } from '../../server/operation/change.ts';
import { allowFlags, readAllowed, type IsAllowed } from '../compare/allowed.ts';
import { postedBlockKept } from '../compare/differences.ts';
import { compareWhole, showWhole, type WholeComparison } from '../compare/whole-comparison.ts';
import type { Run } from '../declaration.ts';
import { deployTarget, type DeployTarget } from '../deploy/deploy-target.ts';
import { compileWanted, wantedRegistry } from '../deploy/wanted-registry.ts';
import { environmentFault } from '../exit-fault.ts';
import { withProgress } from '../progress.ts';
import { configurationWarnings, showWarnings } from '../settings/configuration-warnings.ts';
import { resolveSettings, type Settings } from '../settings/settings.ts';
import type { Shell } from '../shell.ts';
import { readFiles } from '../compare/registry-side.ts';
import { loadGenerated } from '../serve/load-generated.ts';

/** Comparisons with a registry that changes again before the files are posted. */
const attempts = 5;

/**
 * `schemac deploy [generated|paths…]`: shows what `verify` shows, and then puts the files in force as one change of the store's log; 1 if
 * something breaks that is not allowed, and then nothing is changed.
 */
export const runDeploy: Run = async (shell, words, flags) => {
  const settings = resolveSettings(shell, flags);
  const isAllowed = readAllowed(allowFlags(flags));
  const files = await readDeployed(shell, words, settings);
  const target = await deployTarget(shell, files.eventStores, settings);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const { compared, wanted, isChange, catalog } = await compareNow(shell, target, files.blocks, settings, isAllowed);
    if (attempt === 1) showWarnings(shell.messages, await configurationWarnings(settings.config, catalog));
    const end = (result: Result): 0 | 1 => {
      if (flags['json'] === true) showWhole(shell, compared, resultObject(result));
      else shell.output.write(`${resultText(result)}\n`);
      return result.outcome === 'breaks' ? 1 : 0;
    };
    if (flags['json'] !== true) showWhole(shell, compared);
    const { version } = wanted;
    if (compared.breaks) return end({ outcome: 'breaks', version });
    if (!isChange) return end({ outcome: 'unchanged', version });
    if (flags['dryRun'] === true) return end({ outcome: 'dry-run', version });
    const replaced = await withProgress(shell, 'putting the files in force', () => target.post(wanted));
    if (replaced.outcome === 'replaced') return end(replaced);
    shell.messages.write(
      `schemac: the registry has changed meanwhile, to version ${replaced.version}; the files are compared again\n`,
    );
  }
  throw environmentFault(`the registry changed ${attempts} times while it was compared; nothing was posted`);
};

type Result =
  | Extract<Replaced, { readonly outcome: 'replaced' }>
  | { readonly outcome: 'breaks' | 'unchanged' | 'dry-run'; readonly version: number };

function resultObject({ version, ...result }: Result): Readonly<Record<string, unknown>> {
  return { outcome: result.outcome, registry_version: version, changes: 'changes' in result ? result.changes : [] };
}

function resultText(result: Result): string {
  switch (result.outcome) {
    case 'replaced': {
      const { length } = result.changes;
      return `in force as registry version ${result.version}: ${length} ${length === 1 ? 'block' : 'blocks'} changed`;
    }
    case 'breaks':
      return 'nothing was changed: something breaks, and --allow CODE lets it pass where that is intended';
    case 'unchanged':
      return `nothing was changed: this is registry version ${result.version}, which is in force`;
    case 'dry-run':
      return 'nothing was changed: this was a dry run';
  }
}

interface Comparison {
  readonly compared: WholeComparison;
  readonly wanted: Replacement;
  /** The files differ from the registry of the log. */
  readonly isChange: boolean;
  /** The blocks that are to be in force. */
  readonly catalog: Catalog;
}

async function compareNow(
  shell: Shell,
  target: DeployTarget,
  files: readonly RegisteredBlock[],
  { accept }: Settings,
  isAllowed: IsAllowed,
): Promise<Comparison> {
  const store = await target.read();
  try {
    const { blocks, posted, isChange } = await wantedRegistry(files, store, target.isShared, accept);
    const compiled = await compileWanted(blocks);
    const whole = await compareWhole(shell, store, compiled, isAllowed);
    const kept = posted.map(({ kind, name }) => ({ ...postedBlockKept, block: `${kindTable[kind].word} ${name}` }));
    return {
      compared: { ...whole, differences: [...whole.differences, ...kept] },
      wanted: { blocks, version: store.log.schema().length },
      isChange,
      catalog: compiled.catalog,
    };
  } finally {
    await store.close();
  }
}

/** Blocks to be put in force, and the event stores among which their place is chosen. */
interface DeployedFiles {
  readonly blocks: readonly RegisteredBlock[];
  readonly eventStores: readonly EventStoreDefinition[];
}

/** The words name a generated folder, or files and folders of schema text; without words it is the generated folder that `start` serves. */
async function readDeployed(
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
