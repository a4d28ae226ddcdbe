import type { TokenType } from '../chevrotain.ts';

/** How a diagnostic names a type of token. */
export function tokenLabelOf(tokenType: TokenType): string {
  return tokenType.LABEL ?? tokenType.name;
}
