import type { TokenType } from '../chevrotain.ts';

/** The name of a token type in a diagnostic. */
export function tokenLabelOf(tokenType: TokenType): string {
  return tokenType.LABEL ?? tokenType.name;
}
