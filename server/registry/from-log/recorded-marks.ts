/** Which arguments of commands were SENSITIVE when they were recorded, by the definitions in the log. */
import { parseScript } from '../../../compiler/index.ts';
import type { SchemaChange } from '../../../runtime/store/entry.ts';
import type { Entries } from '../../../runtime/store/store.ts';

/**
 * Whether the field of a command was SENSITIVE after that number of changes of the registry; undefined if the log has no definition of the
 * command from before.
 */
export type RecordedMarks = (command: string, field: string, changes: number) => boolean | undefined;

export function readRecordedMarks(log: Pick<Entries, 'schema'>): RecordedMarks {
  const definitions = new Map<string, { readonly after: number; readonly change: SchemaChange }[]>();
  log.schema().forEach(({ changes }, index) => {
    for (const change of changes) {
      if (change.block !== 'command' || change.change !== 'put') continue;
      const key = change.name.toLowerCase();
      const all = definitions.get(key) ?? [];
      definitions.set(key, all);
      all.push({ after: index + 1, change });
    }
  });
  return (command, field, changes) => {
    const found = definitions.get(command.toLowerCase())?.findLast(({ after }) => after <= changes);
    return found && sensitiveFields(found.change).has(field.toLowerCase());
  };
}

const parsed = new WeakMap<SchemaChange, ReadonlySet<string>>();

/** In lower case. A definition is parsed once, and only if it has the word. */
function sensitiveFields(change: SchemaChange): ReadonlySet<string> {
  const known = parsed.get(change);
  if (known !== undefined) return known;
  const { name, text = '' } = change;
  const tree = /sensitive/i.test(text)
    ? parseScript({ name: `command ${name}`, text }).statements[0]?.statement
    : undefined;
  const fields = tree?.kind === 'CreateCommand' ? tree.fields.filter(({ sensitive }) => sensitive) : [];
  const found = new Set(fields.map((field) => field.name.text.toLowerCase()));
  parsed.set(change, found);
  return found;
}
