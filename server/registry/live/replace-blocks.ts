import type { BlockKind } from '../../../language/contract/block-kind.ts';
import type { RegisteredBlock } from '../../../language/contract/domain.ts';
import { fail } from '../../../language/failure/failure.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import { compileInSteps } from '../from-log/compile-blocks.ts';
import { inSlices } from '../in-slices.ts';
import type { LiveRegistry } from './live-registry.ts';

/** A whole registry that is to be put in force. */
export interface Replacement {
  /** All its blocks: those that are missing here are dropped. */
  readonly blocks: readonly RegisteredBlock[];
  /** The version of the registry that they were compared with. */
  readonly version: number;
}

/** The outcome. With `moved` nothing was changed: the registry is no longer the one that was compared. */
export type Replaced =
  | { readonly outcome: 'moved'; readonly version: number }
  | {
      readonly outcome: 'replaced';
      readonly version: number;
      readonly changes: readonly {
        readonly change: 'put' | 'drop';
        readonly block: BlockKind;
        readonly name: string;
      }[];
    };

/** Puts the blocks in force as one change, unless another change came since they were compared. */
export async function replaceBlocks(
  engine: Engine,
  live: LiveRegistry,
  { blocks, version }: Replacement,
): Promise<Replaced> {
  if (engine.readOnly) throw fail('R0109', { what: 'deploying a schema' });
  // The comparison may have seen changes of other servers that this one has not taken in yet.
  await engine.store.turns.fresh();
  let found = version;
  const changes = await live.replace(async (history) => {
    found = engine.registryVersion();
    return found === version ? inSlices(compileInSteps(blocks, history)) : undefined;
  });
  if (found !== version) return { outcome: 'moved', version: found };
  return {
    outcome: 'replaced',
    version: engine.registryVersion(),
    changes: changes.map(({ change, block, name }) => ({ change, block, name })),
  };
}
