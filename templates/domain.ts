import { arrayCode, callCode, objectCode } from './code.ts';
import type { ModuleFacts } from './module-facts.ts';
import { constantPart, exported, type ImportPart, type ModuleStructure } from './module.ts';

/** A block's module as the index imports it. */
export interface IndexedModule {
  readonly kind: 'aggregate' | 'command' | 'event' | 'decision' | 'projection' | 'subscription' | 'reaction';
  readonly name: string;
  /** Relative to the index, ending in `.js`. */
  readonly from: string;
}

export interface DomainParts extends ModuleFacts {
  readonly modules: readonly IndexedModule[];
  /** The file of `DomainData`, relative to the index. */
  readonly catalog: string;
}

const kinds = ['aggregate', 'command', 'event', 'decision', 'projection', 'subscription', 'reaction'] as const;

/** The index, which only runs: all definitions and the data of the catalog in one `domain`. */
export function domainModule({ path, head, modules, catalog }: DomainParts): ModuleStructure {
  const named = ({ kind, name }: IndexedModule): string => `${name}${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const imports = modules.map((module): ImportPart => ({
    from: module.from,
    types: false,
    names: [{ name: module.kind, as: named(module) }],
  }));
  const lists = kinds.map(
    (kind) => [`${kind}s`, arrayCode(modules.filter((module) => module.kind === kind).map(named))] as const,
  );
  return {
    path,
    head,
    imports: [{ from: 'schemac/runtime', types: false, names: [{ name: 'defineDomain' }] }, ...imports],
    parts: [
      exported(
        constantPart(
          'domain',
          undefined,
          callCode('defineDomain', [objectCode(lists), `new URL('${catalog}', import.meta.url)`]),
          ['The whole registry as the domain of a server.'],
        ),
      ),
    ],
  };
}
