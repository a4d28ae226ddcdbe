/** The rules for names of blocks, fields and relations (docs/language.md#text). */
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Report } from '../../../language/diagnostics/diagnostic.ts';
import { kindTable, type BlockKind } from '../../../language/contract/block-kind.ts';
import { safeName } from '../../../language/contract/safe-name.ts';
import type { Name } from '../../syntax/ast.ts';

/** Reports a name that cannot be a module, a column and a route at once. */
export function checkSafeName(name: Name, what: string, report: Report): void {
  if (!safeName.test(name.text)) report(diagnose('E0210', name.span, { what, name: name.text }));
}

/** A block's own name: safe, and not hiding a relation that every registry has. */
export function checkBlockName(name: Name, kind: BlockKind, report: Report): void {
  checkSafeName(name, describeKind(kind), report);
  const lower = name.text.toLowerCase();
  const reserved =
    (kind === 'projection' && lower.startsWith('meta_')) || (kind === 'eventstore' && isRegistrySchema(lower));
  if (reserved) report(diagnose('E0211', name.span, { what: describeKind(kind), name: name.text }));
}

/** `Reg` and its synonym, in any case. */
export function isRegistrySchema(text: string): boolean {
  const lower = text.toLowerCase();
  return lower === 'reg' || lower === 'dereg';
}

/** Reports names that are declared twice, case ignored; gives the positions of the first of each. */
export function checkDuplicates(names: readonly Name[], owner: string, report: Report): ReadonlySet<number> {
  const seen = new Map<string, Name>();
  const kept = new Set<number>();
  names.forEach((name, index) => {
    const first = seen.get(name.text.toLowerCase());
    if (first === undefined) {
      seen.set(name.text.toLowerCase(), name);
      kept.add(index);
      return;
    }
    report(
      diagnose(
        'E0212',
        name.span,
        { owner, name: name.text },
        { related: [{ message: 'first declared here', span: first.span }] },
      ),
    );
  });
  return kept;
}

/** The kind with its article: `an aggregate`. */
export function describeKind(kind: BlockKind): string {
  const word = kindWord(kind);
  return `${'aeiou'.includes(word.charAt(0)) ? 'an' : 'a'} ${word}`;
}

export function kindWord(kind: BlockKind): string {
  return kindTable[kind].word;
}
