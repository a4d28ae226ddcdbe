import { blockKey, kindTable, type BlockKey } from '../../language/contract/block-kind.ts';
import type { RegisteredBlock } from '../../language/contract/domain.ts';
import type { Store } from '../../runtime/store/store.ts';
import type { LoggedBlock } from '../../server/registry/from-log/reconcile.ts';
import type { RegistrySide } from '../compare/registry-side.ts';
import { inputFault } from '../exit-fault.ts';

export interface WantedRegistry {
  /** All blocks that are to be in force. */
  readonly blocks: readonly RegisteredBlock[];
  /** Blocks that were posted and that the files do not have. */
  readonly posted: readonly LoggedBlock[];
  /** Whether they differ from what is in force. */
  readonly isChange: boolean;
}

/**
 * The registry of a store as files want it, by the rules of a start: posted blocks stay, and where files and a post differ `accept` decides;
 * without it this ends with 1 and names them. On a log of several servers an EVENTSTORE is the matter of each server.
 */
export async function wantedRegistry(
  files: readonly RegisteredBlock[],
  store: Store,
  isShared: boolean,
  accept: 'files' | 'log' | undefined,
): Promise<WantedRegistry> {
  const [{ readLoggedBlocks }, { reconcile }] = await Promise.all([
    import('../../server/registry/from-log/logged-blocks.ts'),
    import('../../server/registry/from-log/reconcile.ts'),
  ]);
  const logged = readLoggedBlocks(store.log);
  const isOwn = ({ kind }: RegisteredBlock): boolean => isShared && logged.length > 0 && kind === 'eventstore';
  const compared = files.filter((block) => !isOwn(block));
  const { changes, kept, conflicts } = await reconcile(
    compared,
    logged.filter((block) => !isOwn(block)),
    accept,
  );
  if (conflicts.length > 0) {
    const names = conflicts.map(({ files: { kind, name } }) => `${kindTable[kind].word} ${name}`);
    throw inputFault(
      `posted blocks differ from those of the files: ${names.join(', ')}; --accept files or --accept log says which are to be in force`,
    );
  }
  const keys = new Set(kept.map(keyOf));
  const named = new Set(compared.map(keyOf));
  return {
    blocks: [...compared.filter((block) => !keys.has(keyOf(block))), ...kept, ...logged.filter(isOwn)],
    posted: kept.filter((block) => !named.has(keyOf(block))),
    isChange: changes.length > 0,
  };
}

/** The blocks as one side of a comparison. Files that compile alone may not compile with posted blocks: then this ends with 1. */
export async function compileWanted(
  blocks: readonly RegisteredBlock[],
): Promise<Required<Pick<RegistrySide, 'catalog' | 'compile'>>> {
  const { checkBlocks } = await import('../../server/registry/from-log/compile-blocks.ts');
  const { noHistory } = await import('../../compiler/index.ts');
  const { registry, diagnostics } = checkBlocks(blocks, noHistory);
  const error = diagnostics.find(({ severity }) => severity === 'error');
  if (error !== undefined)
    throw inputFault(
      `the files do not compile with the posted blocks: ${error.span.file.name}: ${error.message} (${error.code})`,
    );
  return {
    catalog: registry.catalog,
    compile: (history) => {
      const compiled = checkBlocks(blocks, history);
      return { catalog: compiled.registry.catalog, diagnostics: compiled.diagnostics };
    },
  };
}

function keyOf({ kind, name }: RegisteredBlock): BlockKey {
  return blockKey(kind, name);
}
