/**
 * Finds blocks by their words alone, in texts of which a statement does not parse: behind a forgotten `;` or `"` no tree has the name. Takes a place
 * and the texts, gives the places behind CREATE and a kind where that name is written.
 */
import { blockKeywords } from '../../language/contract/block-kind.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import { withoutQuotes, type Span } from '../../language/source/span.ts';
import { createScanner } from '../syntax/scan/scanner.ts';
import { textStart } from '../syntax/parse.ts';
import type { Token } from '../syntax/tokens/token.ts';
import { isWord } from '../syntax/tokens/token-text.ts';
import { keyword } from '../syntax/tokens/vocabulary.ts';

/** Places of the blocks that have the name at this place of a text; `"Account$Events"` names the block Account. */
export function writtenBlocks(file: SourceFile, offset: number, files: readonly SourceFile[]): readonly Span[] {
  const place = tokensOf(file).find(
    (token) => token.startOffset <= offset && offset <= token.endOffset + 1 && isWord(token),
  );
  if (place === undefined) return [];
  const name = nameOf(place);
  const wanted = new Set([name, name.split('$', 1)[0]]);
  return files
    .filter(({ text }) => text.toLowerCase().includes(name.split('$', 1)[0] ?? ''))
    .flatMap((each) => createdIn(each, wanted));
}

function createdIn(file: SourceFile, wanted: ReadonlySet<string | undefined>): readonly Span[] {
  const tokens = tokensOf(file);
  return tokens.flatMap((token, index) => {
    if (!wanted.has(nameOf(token)) || !isWord(token) || !isCreated(tokens, index)) return [];
    return [withoutQuotes({ file, start: token.startOffset, end: token.endOffset + 1 })];
  });
}

/** Whether `CREATE kind` or `CREATE OR REPLACE kind` is before a token. */
function isCreated(tokens: readonly Token[], index: number): boolean {
  const kind = tokens[index - 1]?.image.toUpperCase();
  if (!blockKeywords.some((each) => each === kind)) return false;
  const replaces = tokens[index - 3]?.tokenType === keyword.OR;
  return tokens[index - (replaces ? 4 : 2)]?.tokenType === keyword.CREATE;
}

function nameOf({ text, image }: Token): string {
  return (text ?? image).toLowerCase();
}

function tokensOf(file: SourceFile): readonly Token[] {
  const scanner = createScanner({
    text: file.text,
    start: textStart(file),
    end: file.text.length,
    spanAt: (start, end) => ({ file, start, end }),
  });
  scanner.inTemplate = true; // a placeholder is an error elsewhere
  const tokens: Token[] = [];
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) tokens.push(token);
  return tokens;
}
