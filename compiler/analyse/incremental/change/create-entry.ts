import type { BlockStatement } from '../../../syntax/ast.ts';
import { printStatement } from '../../../syntax/print.ts';
import { kindOf } from '../../block/kind-of.ts';
import { withoutPasswords } from '../../store/without-passwords.ts';
import { blockKey } from '../../../../language/contract/block-kind.ts';
import { type Entry } from '../workspace.ts';

const entries = new WeakMap<BlockStatement, Entry>();

/** The unchecked entry for the block that a statement creates; one statement has one entry, however often it is planned. */
export function createEntry(statement: BlockStatement): Entry {
  const known = entries.get(statement);
  if (known !== undefined) return known;
  const entry = newEntry(statement);
  entries.set(statement, entry);
  return entry;
}

function newEntry(statement: BlockStatement): Entry {
  const kind = kindOf(statement);
  const name = statement.name.text;
  return {
    kind,
    name,
    key: blockKey(kind, name),
    text: canonicalText(statement),
    ...(statement.stamp === undefined ? {} : { stamp: statement.stamp }),
    tree: () => statement,
  };
}

/** The definition as compared, shown and exported: canonical print without OR REPLACE, and without the passwords of an event store. */
export function canonicalText(statement: BlockStatement): string {
  const text = printStatement({ ...statement, orReplace: false });
  const hasStores =
    statement.kind === 'CreateEventStore' || (statement.kind === 'CreateTemplate' && /\beventstore\b/i.test(text));
  return hasStores ? withoutPasswords(text) : text;
}
