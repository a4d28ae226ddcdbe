import { findAll } from '../../syntax/walk.ts';
import { type BlockKey, blockKey } from '../../../language/contract/block-kind.ts';
import { type Entry } from './workspace.ts';

/**
 * The projections that an entry depends on, each after its own dependencies, as long as there is no circle. Checking them in this order
 * needs no deep recursion, however long a chain of projections is. `isChecked` ones, and their dependencies, are left out.
 */
export function readingOrder(
  entry: Entry,
  entries: ReadonlyMap<BlockKey, Entry>,
  isChecked: (key: BlockKey) => boolean,
): readonly BlockKey[] {
  const order: BlockKey[] = [];
  const seen = new Set<BlockKey>([entry.key]);
  const stack: { readonly key: BlockKey; readonly reads: BlockKey[] }[] = [
    { key: entry.key, reads: projectionsRead(entry) },
  ];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const key = top.reads.pop();
    if (key === undefined) {
      if (stack.length > 1) order.push(top.key);
      stack.pop();
      continue;
    }
    const next = entries.get(key);
    if (next === undefined || seen.has(key) || isChecked(key)) continue;
    seen.add(key);
    stack.push({ key, reads: projectionsRead(next) });
  }
  return order;
}

const reads = new WeakMap<object, readonly BlockKey[]>();

/** Projections that the last check found, else those that the tree names. */
function projectionsRead(entry: Entry): BlockKey[] {
  if (entry.kind !== 'projection' && entry.kind !== 'decision' && entry.kind !== 'reaction') return [];
  const { checked } = entry;
  if (checked !== undefined) return Array.from(checked.asks).filter(isProjectionKey);
  const tree = entry.tree();
  const known = reads.get(tree) ?? namedProjections(tree);
  reads.set(tree, known);
  return [...known];
}

function namedProjections(tree: ReturnType<Entry['tree']>): readonly BlockKey[] {
  return findAll(tree, 'NamedRelation').flatMap((node) =>
    node.schema === undefined || node.name.text.includes('$') ? [] : [blockKey('projection', node.name.text)],
  );
}

function isProjectionKey(ask: string): ask is BlockKey {
  return ask.startsWith('projection:');
}
