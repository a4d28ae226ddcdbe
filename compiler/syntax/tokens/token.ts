import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { IToken, TokenType } from '../chevrotain.ts';
import type { TemplateValue } from '../ast.ts';

/** A token of a source text; `endOffset` is the offset of its last unit, as chevrotain counts. */
export interface Token extends IToken {
  endOffset: number;
  /** Set for `Unreadable`: its error. */
  readonly fault?: Diagnostic;
  /** Inside a template's body: the text of a word, string or quoted name cut at its placeholders. */
  readonly parts?: readonly TokenPart[];
  /** The token's text where its image differs: a placeholder's or a glued token's text after substitution. */
  readonly text?: string;
  /** Set for a `Placeholder` of an expansion: the value that replaces it. */
  readonly filling?: Filling;
  /** The doc comments directly above it. */
  readonly doc?: string;
  /** Set for a `TemplateBody`: the range of the body in the source text. */
  readonly body?: { readonly start: number; readonly end: number };
}

/** A piece of a token in a template's body: plain text, or the name of a parameter. */
export type TokenPart = { readonly text: string } | { readonly parameter: string };

/** The replacement of a placeholder in an expansion. `assignments` is `{{ParamAssignments}}` of a field list. */
export interface Filling {
  readonly parameter: string;
  readonly value: TemplateValue;
  readonly assignments: boolean;
}

/** A token of one source text, from `start` inclusive to `end` exclusive. */
export function createTokenAt(
  tokenType: TokenType,
  image: string,
  start: number,
  end: number,
  more: Omit<Partial<Token>, keyof IToken> = {},
): Token {
  return {
    image,
    startOffset: start,
    endOffset: end - 1,
    tokenType,
    tokenTypeIdx: tokenType.tokenTypeIdx ?? 0,
    ...more,
  };
}

/** A copy of the token with another type. */
export function retyped(token: Token, tokenType: TokenType): Token {
  return { ...token, tokenType, tokenTypeIdx: tokenType.tokenTypeIdx ?? 0 };
}
