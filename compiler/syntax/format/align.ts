import { printType } from '../print/words.ts';
import type { Token } from '../tokens/token.ts';
import { isWord, numberText, stringValue } from '../tokens/token-text.ts';
import { NumberToken, StringToken, TemplateBodyToken } from '../tokens/vocabulary.ts';

/** Maximum distance of two equal tokens in the two texts. */
const reach = 24;

/**
 * For each written token its index among the printed tokens: the same token if it exists, else the next that is the same. Printing adds and
 * drops a few (AS, EMIT, parentheses) and sorts modifiers; everything else stays in place.
 */
export function alignTokens(written: readonly Token[], printed: readonly Token[]): readonly number[] {
  const from = written.map(keyOf);
  const to = printed.map(keyOf);
  const places: number[] = [];
  let next = 0;
  for (let index = 0; index < from.length; index++) {
    const skip = distance(from, to, index, next);
    places.push(Math.min(next + (skip ?? 0), printed.length - 1));
    if (skip !== undefined) next += skip + 1;
  }
  return places;
}

/** Number of printed tokens to skip to find this one; `undefined` when skipping the written one is shorter. */
function distance(from: readonly string[], to: readonly string[], index: number, next: number): number | undefined {
  for (let total = 0; total <= reach; total++) {
    for (let skipped = 0; skipped <= total; skipped++) {
      const other = total - skipped;
      if (next + skipped < to.length && index + other < from.length && from[index + other] === to[next + skipped]) {
        return other === 0 ? skipped : undefined;
      }
    }
  }
  return undefined;
}

/** The identity of a token in any spelling. */
function keyOf(token: Token): string {
  if (token.tokenType === StringToken) return `'${stringValue(token)}`;
  if (token.tokenType === NumberToken) return numberText(token);
  if (token.tokenType === TemplateBodyToken) return 'body';
  if (isWord(token)) return printType({ name: (token.text ?? token.image).toUpperCase(), arguments: [] });
  return token.image === '!=' ? '<>' : token.image;
}
