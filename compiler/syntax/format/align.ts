import { numberText, stringValue } from '../build/literal.ts';
import { printType } from '../print/words.ts';
import type { Token } from '../tokens/token.ts';
import { isWord } from '../tokens/token-text.ts';
import { NumberToken, StringToken, TemplateBodyToken } from '../tokens/vocabulary.ts';

/** How far two texts may differ between tokens that are the same. */
const reach = 24;

/**
 * For each token as written, its place among the tokens as printed: the same token where there is one, else the next that is
 * the same. Printing adds and drops a few (AS, EMIT, parentheses) and puts modifiers in order; everything else stays in place.
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

/** How many printed tokens to pass over to find this one; `undefined` when passing over the written one is shorter. */
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

/** What a token is in any writing. */
function keyOf(token: Token): string {
  if (token.tokenType === StringToken) return `'${stringValue(token)}`;
  if (token.tokenType === NumberToken) return numberText(token);
  if (token.tokenType === TemplateBodyToken) return 'body';
  if (isWord(token)) return printType({ name: (token.text ?? token.image).toUpperCase(), arguments: [] });
  return token.image === '!=' ? '<>' : token.image;
}
