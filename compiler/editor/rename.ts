import type { Catalog } from '../../language/catalog/catalog.ts';
import { kindTable } from '../../language/contract/block-kind.ts';
import { safeName } from '../../language/contract/safe-name.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Span } from '../../language/source/span.ts';
import type { SymbolTarget } from '../analyse/environment/symbol-use.ts';
import { valueProblem } from '../analyse/block/check-enum.ts';
import type { Symbols } from '../symbols.ts';
import { isReservedWord } from '../../language/source/reserved-words.ts';

export interface Edit {
  readonly span: Span;
  readonly text: string;
}

export type Renaming =
  | { readonly edits: readonly Edit[]; readonly target: SymbolTarget; readonly refused?: undefined }
  | { readonly refused: string };

export interface Renameable {
  readonly span: Span;
  readonly target: SymbolTarget;
  /** The name without the quotes and escapes of the text. */
  readonly name: string;
}

/** The name at a place that a rename would change; or why it cannot. */
export function renameable(
  file: SourceFile,
  offset: number,
  symbols: Symbols,
): Renameable | { readonly refused: string } {
  const use = symbols.at(file.name, offset);
  if (use === undefined) return { refused: 'there is no name here that is declared in the text' };
  const places = placesOf(symbols, use.target);
  const [first] = symbols.definitions(use.target);
  if (first === undefined) return { refused: `'${shownName(use.target)}' is not declared in the text` };
  const own = nameAt(first, use.target);
  if (own.includes('{{'))
    return { refused: `'${own}' is named by each application of its template: change the text of the template` };
  const same = isValue(use.target) ? own : own.toLowerCase();
  for (const span of places) {
    const written = nameAt(span, use.target);
    if ((isValue(use.target) ? written : written.toLowerCase()) !== same)
      return { refused: `'${own}' is made by a template, at '${written}': rename it there` };
  }
  return { ...use, name: nameAt(use.span, use.target) };
}

/** Whether it is a value of an ENUM, where case counts. */
function isValue({ kind, part }: SymbolTarget): boolean {
  return kind === 'enum' && part !== undefined;
}

/** The name as it is meant: in a text of a statement quotes are doubled, in one of an expectation JSON escapes them. */
function nameAt({ file: { text }, start, end }: Span, target: SymbolTarget): string {
  const written = text.slice(start, end);
  if (!isValue(target)) return written;
  switch (text.charAt(start - 1)) {
    case "'":
      return written.replaceAll("''", "'");
    case '"':
      return JSON.parse(`"${written}"`) as string;
    default:
      return written;
  }
}

/** Every place of the name with the new one, in all texts. */
export function renamed(file: SourceFile, offset: number, symbols: Symbols, catalog: Catalog, name: string): Renaming {
  const found = renameable(file, offset, symbols);
  if ('refused' in found) return found;
  const { target } = found;
  const problem = isValue(target) ? valueProblem(name) : undefined;
  if (problem !== undefined) return { refused: problem };
  if (!isValue(target) && !safeName.test(name))
    return { refused: `'${name}' is no name: a letter or _, then at most 62 letters, digits or _` };
  const owner = takenBy(target, catalog, name);
  if (owner !== undefined) return { refused: owner };
  return { target, edits: placesOf(symbols, target).map((span) => ({ span, text: written(span, name, target) })) };
}

function takenBy({ kind, name: own, part }: SymbolTarget, catalog: Catalog, name: string): string | undefined {
  const same = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  if (part === undefined) {
    const taken = same(own)
      ? undefined
      : catalog.blocks[kind].find((block: { readonly name: string }) => same(block.name));
    return taken === undefined ? undefined : `there is already ${kindTable[kind].word} '${taken.name}'`;
  }
  const block = catalog.blocks[kind].find((each: { readonly name: string }) => each.name === own);
  if (block?.kind === 'enum')
    return part !== name && block.values.includes(name) ? `enum '${own}' already has '${name}'` : undefined;
  const fields = block !== undefined && 'fields' in block ? (block.fields as readonly { readonly name: string }[]) : [];
  const taken = same(part) ? undefined : fields.find((field) => same(field.name));
  return taken === undefined ? undefined : `${kindTable[kind].word} '${own}' already has '${taken.name}'`;
}

function placesOf(symbols: Symbols, target: SymbolTarget): readonly Span[] {
  const spans = [...symbols.definitions(target), ...symbols.references(target)];
  const byPlace = new Map(spans.map((span) => [`${span.file.name}:${span.start}:${span.end}`, span]));
  return Array.from(byPlace.values()).sort((a, b) =>
    a.file.name < b.file.name ? -1 : a.file.name > b.file.name ? 1 : a.start - b.start,
  );
}

/** A reserved word needs quotes, unless it has them or is a part of a longer name. */
function written({ file: { text }, start, end }: Span, name: string, target: SymbolTarget): string {
  if (isValue(target))
    return text.charAt(start - 1) === '"' ? JSON.stringify(name).slice(1, -1) : name.replaceAll("'", "''");
  const isPart = /["']/.test(text.charAt(start - 1)) || text.charAt(end) === '"' || text.charAt(end) === '$';
  return isReservedWord(name) && !isPart ? `"${name}"` : name;
}

function shownName({ name, part }: SymbolTarget): string {
  return part ?? name;
}
