import type { BlockOf } from '../../../language/catalog/block.ts';
import type { Environment, Found } from '../environment/environment.ts';
import { workspaceOf } from './open-registry.ts';
import { noHistory, type Registry } from '../environment/registry.ts';
import { awaited } from './waiting-blocks.ts';
import { blockKey, type BlockKind } from '../../../language/contract/block-kind.ts';
import { decisionOutline } from './workspace.ts';

/** A registry as seen by statements outside the schema: all of it compiles, and their questions are not recorded. */
export function registryEnvironment(registry: Registry, lenientPayload = false): Environment {
  const workspace = workspaceOf(registry);
  const { entries, waiting } = workspace;
  return {
    history: noHistory,
    lenientPayload,
    accepted: false,
    tolerant: false,
    find: <K extends BlockKind>(kind: K, name: string): Found<BlockOf<K>> => {
      const block = entries.get(blockKey(kind, name))?.checked?.block;
      // The key begins with the kind, so the block found under it has that kind.
      return block === undefined ? { status: 'unknown' } : { status: 'found', block: block as BlockOf<K> };
    },
    names: (kind) => Array.from(entries.values()).flatMap((entry) => (entry.kind === kind ? [entry.name] : [])),
    landings: (aggregate) => {
      const block = entries.get(blockKey('aggregate', aggregate))?.checked?.block;
      return block?.kind === 'aggregate' ? block.events : [];
    },
    readersOf: () => [],
    landingsKnown: () => true,
    deciders: (command) => {
      const wanted = command.toLowerCase();
      return Array.from(entries.values()).flatMap((entry) =>
        entry.kind === 'decision' && decisionOutline(entry).command.toLowerCase() === wanted ? [entry.name] : [],
      );
    },
    tree: (kind, name) => entries.get(blockKey(kind, name))?.tree(),
    eventVersion: () => 1,
    eventBefore: () => undefined,
    waitsFor: (kind, name) => {
      const entry = waiting.get(blockKey(kind, name));
      return entry === undefined ? undefined : awaited(entry, workspace);
    },
    waitingDecider: (command) => {
      const wanted = command.toLowerCase();
      for (const entry of waiting.values())
        if (entry.kind === 'decision' && decisionOutline(entry).command.toLowerCase() === wanted) return entry.name;
      return undefined;
    },
  };
}
