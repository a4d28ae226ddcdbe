import type { BlockDocs } from '../../../../language/catalog/block.ts';
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
  const docs = docsOf(statement);
  return {
    kind,
    name,
    key: blockKey(kind, name),
    text: canonicalText(statement),
    ...(statement.stamp === undefined ? {} : { stamp: statement.stamp }),
    ...(docs === undefined ? {} : { docs }),
    tree: () => statement,
  };
}

function docsOf(statement: BlockStatement): BlockDocs | undefined {
  const fields = ('fields' in statement ? statement.fields : []).flatMap(({ name, doc }) =>
    doc === undefined ? [] : [{ name: name.text, doc }],
  );
  const { doc } = statement;
  if (doc === undefined && fields.length === 0) return undefined;
  return { ...(doc === undefined ? {} : { block: doc }), fields, text: canonicalText(statement, 'keep') };
}

/**
 * The definition as compared, and with its doc comments as shown and exported: canonical print without OR REPLACE, and without the passwords
 * of an event store.
 */
export function canonicalText(statement: BlockStatement, docs: 'keep' | 'omit' = 'omit'): string {
  const text = printStatement({ ...statement, orReplace: false }, { docs });
  const hasStores =
    statement.kind === 'CreateEventStore' || (statement.kind === 'CreateTemplate' && /\beventstore\b/i.test(text));
  return hasStores ? withoutPasswords(text) : text;
}
