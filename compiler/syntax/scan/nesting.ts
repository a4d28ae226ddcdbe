import type { Token } from '../tokens/token.ts';
import * as type from '../tokens/vocabulary.ts';

/** docs/language.md#scripts: nesting beyond this is refused. */
export const maximumNesting = 200;

const { keyword } = type;

/**
 * The first token deeper than `maximumNesting`, if any: parentheses, CASEs and runs of unary operators count one each. Every recursion of
 * the grammar passes one of these, so an accepted statement cannot exhaust the stack.
 */
export function findTooDeep(tokens: readonly Token[]): Token | undefined {
  let parentheses = 0;
  let cases = 0;
  let unary = 0;
  let previous: Token | undefined;
  for (const token of tokens) {
    const kind = token.tokenType;
    const isUnary = kind === keyword.NOT || kind === type.Minus || kind === type.Plus;
    unary = isUnary ? unary + 1 : 0;
    if (kind === type.LParen) parentheses++;
    else if (kind === type.RParen) parentheses = Math.max(0, parentheses - 1);
    else if (previous?.tokenType !== type.Dot) {
      if (kind === keyword.CASE) cases++;
      else if (kind === keyword.END) cases = Math.max(0, cases - 1);
    }
    if (parentheses + cases + unary > maximumNesting) return token;
    previous = token;
  }
  return undefined;
}
