/** Which arguments and claims of commands were SENSITIVE when they were recorded, by the definitions in the log. */
import { parseScript } from '../../../compiler/index.ts';
import type { SchemaChange } from '../../../runtime/store/entry.ts';
import type { Entries } from '../../../runtime/store/store.ts';

/** A field of a command, or a claim, which is the one field of its block. */
export interface MarkedField {
  readonly block: 'command' | 'claim';
  readonly name: string;
  readonly field: string;
}

/** Whether the field was SENSITIVE after that number of changes of the registry; undefined if the log has no definition of the block from before. */
export type RecordedMarks = (field: MarkedField, changes: number) => boolean | undefined;

export function readRecordedMarks(log: Pick<Entries, 'schema'>): RecordedMarks {
  const definitions = new Map<string, { readonly after: number; readonly change: SchemaChange }[]>();
  log.schema().forEach(({ changes }, index) => {
    for (const change of changes) {
      if ((change.block !== 'command' && change.block !== 'claim') || change.change !== 'put') continue;
      const key = `${change.block}:${change.name.toLowerCase()}`;
      const all = definitions.get(key) ?? [];
      definitions.set(key, all);
      all.push({ after: index + 1, change });
    }
  });
  return ({ block, name, field }, changes) => {
    const found = definitions.get(`${block}:${name.toLowerCase()}`)?.findLast(({ after }) => after <= changes);
    return found && sensitiveFields(found.change).has(field.toLowerCase());
  };
}

const parsed = new WeakMap<SchemaChange, ReadonlySet<string>>();

/** In lower case. A definition is parsed once, and only if it has the word. */
function sensitiveFields(change: SchemaChange): ReadonlySet<string> {
  const known = parsed.get(change);
  if (known !== undefined) return known;
  const { block, name, text = '' } = change;
  const tree = /sensitive/i.test(text)
    ? parseScript({ name: `${block} ${name}`, text }).statements[0]?.statement
    : undefined;
  const all = tree?.kind === 'CreateCommand' ? tree.fields : tree?.kind === 'CreateClaim' ? [tree] : [];
  const fields = all.filter(({ sensitive }) => sensitive);
  const found = new Set(fields.map((field) => field.name.text.toLowerCase()));
  parsed.set(change, found);
  return found;
}
