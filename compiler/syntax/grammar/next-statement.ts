import { blockKeywords } from '../../../language/contract/block-kind.ts';
import { placeOf, type SourceFile } from '../../../language/source/source-file.ts';
import type { IRecognitionException } from '../chevrotain.ts';
import type { Token } from '../tokens/token.ts';
import { isWord } from '../tokens/token-text.ts';
import { keyword, LParen, Name, QueryParen, RParen } from '../tokens/vocabulary.ts';

const kinds: ReadonlySet<string> = new Set([...blockKeywords, 'TABLE']);

/** Whether the words at an index can only begin a statement. */
const beginnings: Readonly<Record<string, (next: Token | undefined, second: Token | undefined) => boolean>> = {
  CREATE: (next) => isKind(next) || next?.image.toUpperCase() === 'OR',
  DROP: isKind,
  DESCRIBE: isKind,
  APPLY: (next) => next?.image.toUpperCase() === 'TEMPLATE',
  USE: (next) => next?.image.toUpperCase() === 'TEMPLATE',
  EXECUTE: (next, second) => isName(next) && second?.tokenType === LParen,
  INSPECT: (next) => ['DECISION', 'PROJECTION'].includes(next?.image.toUpperCase() ?? ''),
};

/** Words that begin a statement where the grammar expects the end of one, if they are first on their line. */
const bare: ReadonlySet<string> = new Set(['SELECT', 'VALUES', 'EXPLAIN', 'VALIDATE', 'EXPORT', 'DESCRIBE']);

/**
 * The index of a token that begins the next statement though no `;` is before it: the refused one, or the one before, which an alias
 * without AS took.
 */
export function startOfNext(
  tokens: readonly Token[],
  refused: number,
  { message }: IRecognitionException,
  file: SourceFile,
): number | undefined {
  for (const index of [refused, refused - 1]) {
    const token = tokens[index];
    if (index < 1 || token === undefined || !isWord(token)) continue;
    const word = token.image.toUpperCase();
    if (beginnings[word]?.(tokens[index + 1], tokens[index + 2]) === true) return index;
    const emits = tokens[index + 1]?.tokenType === keyword.EVENT;
    if (index === refused && bare.has(word) && !emits && message === endExpected && isFirstOnLine(tokens, index, file))
      return index;
  }
  return undefined;
}

/** Part of the message where only the end can follow, as in `error-messages.ts`. */
const endExpected = 'the end of the statement';

/** The number of parentheses that are open before a token. */
export function openBefore(tokens: readonly Token[], index: number): number {
  let open = 0;
  for (const { tokenType } of tokens.slice(0, index)) {
    if (tokenType === LParen || tokenType === QueryParen) open++;
    else if (tokenType === RParen) open--;
  }
  return open;
}

function isFirstOnLine(tokens: readonly Token[], index: number, file: SourceFile): boolean {
  const [before, token] = [tokens[index - 1], tokens[index]];
  if (before === undefined || token === undefined) return true;
  return placeOf(file, before.endOffset).line < placeOf(file, token.startOffset).line;
}

function isKind(token: Token | undefined): boolean {
  return token !== undefined && kinds.has(token.image.toUpperCase());
}

function isName(token: Token | undefined): boolean {
  return token?.tokenType.CATEGORIES?.includes(Name) === true;
}
