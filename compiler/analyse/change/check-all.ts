import { createCheckSession, type SessionInput } from '../check-session.ts';
import { findAll } from '../../syntax/walk.ts';
import { blockKey, type BlockKey, type Entry } from '../workspace.ts';

/** Every entry with a check that holds in this version, in the order given. */
export function checkAll(input: SessionInput): ReadonlyMap<BlockKey, Entry> {
  const session = createCheckSession(input);
  // Long chains of projections are brought leaves first, so that none is deep.
  for (const key of inReadingOrder(input.entries)) session.bring(key);
  const checked = new Map<BlockKey, Entry>();
  for (const [key, entry] of input.entries) checked.set(key, session.bring(key) ?? entry);
  return checked;
}

/** Unchecked projections, each after those that it reads (as far as there is no circle). */
function inReadingOrder(entries: ReadonlyMap<BlockKey, Entry>): readonly BlockKey[] {
  const order: BlockKey[] = [];
  const seen = new Set<BlockKey>();
  for (const entry of entries.values()) {
    if (entry.kind !== 'projection' || entry.checked !== undefined || seen.has(entry.key)) continue;
    const stack: { readonly key: BlockKey; readonly reads: BlockKey[] }[] = [];
    const enter = (key: BlockKey): void => {
      const next = entries.get(key);
      if (seen.has(key) || next === undefined || next.checked !== undefined) return;
      seen.add(key);
      stack.push({ key, reads: projectionsRead(next) });
    };
    enter(entry.key);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const read = top.reads.pop();
      if (read !== undefined) enter(read);
      else {
        order.push(top.key);
        stack.pop();
      }
    }
  }
  return order;
}

function projectionsRead(entry: Entry): BlockKey[] {
  return findAll(entry.tree(), 'NamedRelation').flatMap((node) =>
    node.schema === undefined || node.name.text.includes('$') ? [] : [blockKey('projection', node.name.text)],
  );
}

/** Whether a checked entry may stand in a registry. */
export function compiles(entry: Entry): boolean {
  return entry.checked?.block !== undefined;
}
