import { domainFormat, type EventStoreDefinition, type RegisteredBlock } from '../language/contract/domain.ts';
import type { ReadModelDefinition } from '../language/contract/read-model.ts';
import { arrayCode, callCode, objectCode } from './code.ts';
import { dataCode, textCode } from './data.ts';
import type { ModuleFacts } from './module-facts.ts';
import type { ImportPart, ModuleStructure } from './module.ts';
import { sqlExplained } from './tricks.ts';

/** A block's module as the index imports it. */
export interface IndexedModule {
  readonly kind: 'aggregate' | 'command' | 'event' | 'decision' | 'projection' | 'subscription' | 'reaction';
  readonly name: string;
  /** Relative to the index, ending in `.js`. */
  readonly from: string;
}

export interface DomainParts extends ModuleFacts {
  readonly modules: readonly IndexedModule[];
  readonly registryModule: string;
  readonly readModelModule: string;
  readonly eventStores: readonly EventStoreDefinition[];
}

const kinds = ['aggregate', 'command', 'event', 'decision', 'projection', 'subscription', 'reaction'] as const;

/** The index: all definitions in one `domain`. */
export function domainModule(parts: DomainParts): ModuleStructure {
  const named = (kind: IndexedModule['kind'], name: string): string =>
    `${name}${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const imports = parts.modules.map(({ kind, name, from }): ImportPart => ({
    from,
    types: false,
    names: [{ name: kind, as: named(kind, name) }],
  }));
  const lists = kinds.map((kind) => {
    const items = parts.modules.filter((module) => module.kind === kind).map(({ name }) => named(kind, name));
    return [`${kind}s`, arrayCode(items)] as const;
  });
  const domain = objectCode([
    ['format', String(domainFormat)],
    ['hash', 'hash'],
    ['blocks', 'blocks'],
    ['exportText', 'exportText'],
    ['readModel', 'readModel'],
    ...lists,
    ['eventStores', dataCode(parts.eventStores)],
  ]);
  return {
    path: parts.path,
    head: parts.head,
    imports: [
      { from: 'schemac/runtime', types: true, names: [{ name: 'Domain' }] },
      { from: 'schemac/runtime', types: false, names: [{ name: 'defineDomain' }] },
      ...imports,
      { from: parts.readModelModule, types: false, names: [{ name: 'readModel' }] },
      {
        from: parts.registryModule,
        types: false,
        names: [{ name: 'blocks' }, { name: 'exportText' }, { name: 'hash' }],
      },
    ],
    parts: [
      {
        kind: 'constant',
        exported: true,
        name: 'domain',
        type: 'Domain',
        documentation: ['The whole registry as the domain of a server.'],
        value: callCode('defineDomain', [domain]),
      },
    ],
  };
}

export interface RegistryParts extends ModuleFacts {
  /** Hash of the text that EXPORT REGISTRY gives. */
  readonly hash: string;
  readonly blocks: readonly RegisteredBlock[];
  readonly exportText: string;
}

/** The registered blocks in canonical print, and the text that EXPORT REGISTRY gives: they change with every block. */
export function registryModule(parts: RegistryParts): ModuleStructure {
  return {
    path: parts.path,
    head: parts.head,
    imports: [{ from: 'schemac/runtime', types: true, names: [{ name: 'RegisteredBlock' }] }],
    parts: [
      { kind: 'constant', exported: true, name: 'hash', type: 'string', value: `'${parts.hash}'` },
      {
        kind: 'constant',
        exported: true,
        name: 'blocks',
        type: 'readonly RegisteredBlock[]',
        value: dataCode(parts.blocks),
      },
      { kind: 'constant', exported: true, name: 'exportText', type: 'string', value: textCode(parts.exportText) },
    ],
  };
}

export interface ReadModelParts extends ModuleFacts {
  readonly readModel: ReadModelDefinition;
}

/** The definition of the read model: tables, views and meta rows. */
export function readModelModule(parts: ReadModelParts): ModuleStructure {
  return {
    path: parts.path,
    head: parts.head,
    imports: [{ from: 'schemac/runtime', types: true, names: [{ name: 'ReadModelDefinition' }] }],
    parts: [
      {
        kind: 'constant',
        exported: true,
        name: 'readModel',
        type: 'ReadModelDefinition',
        documentation: sqlExplained,
        value: dataCode(parts.readModel),
      },
    ],
  };
}
