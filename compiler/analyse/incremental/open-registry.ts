import type { Block } from '../../../language/catalog/block.ts';
import { writtenText } from '../../../language/catalog/documented.ts';
import { createCatalog, type Catalog } from '../../../language/catalog/catalog.ts';
import { parseScript } from '../../syntax/parse.ts';
import { isBlockStatement, type BlockStatement } from '../../syntax/ast.ts';
import type { Registry } from '../environment/registry.ts';
import { clausesOfBlock, withoutClauses } from '../block/row-clauses.ts';
import { waitingBlocks } from './waiting-blocks.ts';
import { type BlockKey, blockKey, blockKinds } from '../../../language/contract/block-kind.ts';
import {
  decidesKey,
  emptyWorkspace,
  landingKey,
  type AskKey,
  type Checked,
  type Entry,
  type Workspace,
} from './workspace.ts';

const workspaces = new WeakMap<Registry, Workspace>();

/** A registry over a catalog that was compiled earlier. Nothing is parsed until a change or a message needs a tree. */
export function openRegistry(catalog: Catalog): Registry {
  const entries = new Map<BlockKey, Entry>();
  for (const kind of blockKinds)
    for (const block of catalog.blocks[kind]) entries.set(blockKey(kind, block.name), openEntry(block));
  return registryOf({ ...emptyWorkspace, entries }, catalog);
}

export const emptyRegistry: Registry = openRegistry(createCatalog([]));

/** The trees and checks behind a registry; a registry made elsewhere is opened from its catalog. */
export function workspaceOf(registry: Registry): Workspace {
  const known = workspaces.get(registry);
  if (known !== undefined) return known;
  const opened = openRegistry(registry.catalog);
  return workspaces.get(opened) ?? emptyWorkspace;
}

/** The registry over a workspace whose catalog is known. */
export function registryOf(workspace: Workspace, catalog: Catalog): Registry {
  let waiting: Registry['waiting'] | undefined;
  const registry: Registry = {
    catalog,
    // Made on demand: a script makes a registry for each of its statements, and most are never read.
    get waiting() {
      return (waiting ??= waitingBlocks(workspace));
    },
    tree: (kind, name) => {
      const key = blockKey(kind, name);
      return (workspace.entries.get(key) ?? workspace.waiting.get(key))?.tree();
    },
  };
  workspaces.set(registry, workspace);
  return registry;
}

function openEntry(block: Block): Entry {
  let tree: BlockStatement | undefined;
  return {
    kind: block.kind,
    name: block.name,
    key: blockKey(block.kind, block.name),
    text: block.text,
    ...(block.stamp === undefined ? {} : { stamp: block.stamp }),
    ...(block.docs === undefined ? {} : { docs: block.docs }),
    tree: () => (tree ??= parseBlock(block)),
    checked: openChecked(block),
  };
}

function openChecked(block: Block): Checked {
  const clean = { diagnostics: [], missing: new Set<BlockKey>() };
  const definition: Checked = { ...clean, block: withoutClauses(block), asks: asksOf(block) };
  const clauses = clausesOfBlock(block);
  if (clauses === undefined) return definition;
  const asks = new Set(keysOf(clauses.clauseReferences ?? []));
  return {
    ...clean,
    block,
    asks: new Set([...definition.asks, ...asks]),
    parts: { definition, clauses: { ...clean, clauses, asks } },
  };
}

function keysOf(references: readonly string[]): readonly BlockKey[] {
  return references.map((reference) => reference.toLowerCase() as BlockKey); // `kind:name`
}

/** The dependencies of a block's check, as far as its outcome shows them. */
function asksOf(block: Block): ReadonlySet<AskKey> {
  const asks = new Set<AskKey>(keysOf(block.references));
  if (block.kind === 'aggregate') {
    asks.add(landingKey(block.name));
    asks.add('renames:');
    for (const event of block.events) asks.add(blockKey('event', event));
  }
  if (block.kind === 'decision') asks.add(decidesKey(block.command));
  for (const { event } of (block.kind === 'event' ? block.upcasts : undefined) ?? []) {
    if (event === block.name) continue;
    asks.add('renames:');
    asks.add(blockKey('event', event));
  }
  return asks;
}

/** The file name for the text of a block that came from a catalog: not a file that a person wrote. */
export function registeredFileName({ kind, name }: Pick<Block, 'kind' | 'name'>): string {
  return `${kind} ${name}`;
}

function parseBlock(block: Block): BlockStatement {
  const file = { name: registeredFileName(block), text: writtenText(block) };
  const [parsed] = parseScript(file).statements;
  const statement = parsed?.statement;
  if (statement === undefined || !isBlockStatement(statement)) {
    throw new Error(`the registered text of ${block.kind} '${block.name}' does not parse`);
  }
  return block.stamp === undefined ? statement : { ...statement, stamp: block.stamp };
}
