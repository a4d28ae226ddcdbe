/**
 * Decides the type of tokens by their neighbours before the grammar sees them, so that the grammar needs one token of lookahead: words that
 * are keywords only before `(` or a string, parentheses that open a query, placeholders that are part of a name. Linear; replaces tokens in
 * the given array.
 */
import type { TokenType } from '../chevrotain.ts';
import { retyped, type Token } from '../tokens/token.ts';
import { endingWords } from '../tokens/keywords.ts';
import * as type from '../tokens/vocabulary.ts';
import { maximumNesting } from './nesting.ts';

const { keyword } = type;

export function classifyTokens(tokens: Token[]): void {
  const closing = matchParentheses(tokens);
  if (endsQueries(tokens)) markEndings(tokens);
  for (let index = tokens.length - 1; index >= 0; index--) {
    const token = tokens[index] as Token; // index is in range
    const found = typeInContext(tokens, index, closing);
    if (found !== token.tokenType) tokens[index] = retyped(token, found);
  }
}

/** Kinds of block whose query is followed by a clause that begins with an ordinary word. */
const queryIsFollowed: ReadonlySet<TokenType | undefined> = new Set([keyword.SUBSCRIPTION, keyword.REACTION]);

function endsQueries(tokens: readonly Token[]): boolean {
  if (tokens[0]?.tokenType !== keyword.CREATE) return false;
  return queryIsFollowed.has(tokens[tokens[1]?.tokenType === keyword.OR ? 3 : 1]?.tokenType);
}

/** Outside parentheses the words that end a query are no aliases. */
function markEndings(tokens: Token[]): void {
  let depth = 0;
  tokens.forEach((token, index) => {
    if (token.tokenType === type.LParen) depth++;
    else if (token.tokenType === type.RParen) depth--;
    const ends = depth === 0 ? endingTypes.get(token.tokenType) : undefined;
    if (ends !== undefined) tokens[index] = retyped(token, ends);
  });
}

const endingTypes: ReadonlyMap<TokenType, TokenType> = new Map(
  endingWords.map((word) => [keyword[word], type.ending[word]]),
);

/** From right to left: the types to the right of `index` are already decided. */
function typeInContext(tokens: readonly Token[], index: number, closing: ReadonlyMap<number, number>): TokenType {
  const own = (tokens[index] as Token).tokenType; // index is in range
  const next = tokens[index + 1]?.tokenType;
  if (own === type.LParen) return opensQuery(tokens, index, closing) ? type.QueryParen : own;
  if (own === keyword.OVER && namesWindow(tokens[index - 1]?.tokenType, next)) return own;
  if (type.callTypes.has(own)) return next === type.LParen || next === type.QueryParen ? own : type.Identifier;
  if (type.literalTypes.has(own)) return next === type.StringToken ? own : type.Identifier;
  if (own === keyword.AT) {
    const opens = next === keyword.TIME && tokens[index + 2]?.tokenType === keyword.ZONE;
    return opens || followsExecute(tokens, index) ? own : type.Identifier;
  }
  if (own === type.Placeholder) return next === type.Dot || next === type.LParen ? type.Identifier : own;
  return own;
}

/** `f(x) OVER w`: an alias of that name is not followed by a name. */
function namesWindow(before: TokenType | undefined, next: TokenType | undefined): boolean {
  return before === type.RParen && (next?.CATEGORIES?.includes(type.Alias) ?? false);
}

/** Whether the parenthesis that ends before a place is that of `EXECUTE Command ( … )` in a reaction. */
function followsExecute(tokens: readonly Token[], index: number): boolean {
  if (tokens[index - 1]?.tokenType !== type.RParen) return false;
  let depth = 0;
  for (let at = index - 1; at >= 0; at--) {
    const { tokenType } = tokens[at] as Token; // at is in range
    if (tokenType === type.RParen) depth++;
    else if (tokenType === type.LParen || tokenType === type.QueryParen) depth--;
    if (depth === 0) return tokens[at - 2]?.tokenType === type.ending.EXECUTE;
  }
  return false;
}

/** For each closed `(`, the index of its `)`. */
function matchParentheses(tokens: readonly Token[]): ReadonlyMap<number, number> {
  const closing = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach((token, index) => {
    if (token.tokenType === type.LParen) open.push(index);
    else if (token.tokenType === type.RParen) {
      const opened = open.pop();
      if (opened !== undefined) closing.set(opened, index);
    }
  });
  return closing;
}

/** Keywords that continue a query after its closing parenthesis. */
const continuesQuery: ReadonlySet<TokenType | undefined> = new Set([
  ...[keyword.UNION, keyword.INTERSECT, keyword.EXCEPT, keyword.ORDER, keyword.LIMIT, keyword.OFFSET],
]);
/** After these a parenthesis around a parenthesised query can only open a query itself. */
const expectsQuery: ReadonlySet<TokenType | undefined> = new Set([
  ...[undefined, keyword.UNION, keyword.ALL, keyword.INTERSECT, keyword.EXCEPT, keyword.AS, keyword.EXISTS],
]);
/** Statements whose parentheses contain declarations, whatever their first word is. */
const takesNoQuery: ReadonlySet<TokenType | undefined> = new Set([keyword.APPLY, keyword.USE]);
/** Words that are names elsewhere, after which a parenthesis is not a list of arguments. */
const callsNothing: ReadonlySet<TokenType> = new Set([
  ...[
    keyword.ALL,
    keyword.ANY,
    keyword.LATERAL,
    keyword.EXISTS,
    keyword.EXPLAIN,
    keyword.BY,
    keyword.FOR,
    keyword.ESCAPE,
  ],
  ...[keyword.LEADING, keyword.TRAILING, keyword.BOTH, keyword.ROWS, keyword.RANGE, keyword.GROUPS],
]);
/** After these even those words are names. */
const namesBlock: ReadonlySet<TokenType | undefined> = new Set([
  ...[keyword.AGGREGATE, keyword.COMMAND, keyword.EVENT, keyword.FUNCTION, keyword.EXECUTE, keyword.TO, keyword.TABLE],
  type.ending.EXECUTE,
]);

function opensQuery(tokens: readonly Token[], index: number, closing: ReadonlyMap<number, number>): boolean {
  const before = tokens[index - 1]?.tokenType;
  if (before !== undefined && isCallable(before, tokens[index - 2]?.tokenType)) return false;
  if (takesNoQuery.has(tokens[0]?.tokenType)) return false;
  // UPCAST FROM (select INT, …) lists fields.
  if (before === keyword.FROM && tokens[index - 2]?.tokenType === keyword.UPCAST) return false;
  const first = tokens[index + 1]?.tokenType;
  const second = tokens[index + 2]?.tokenType;
  if (first === keyword.SELECT) return second !== type.Assign;
  if (first === keyword.WITH) return isWithQuery(tokens, index + 1, closing);
  if (first === keyword.VALUES) return second === type.LParen || second === type.QueryParen;
  if (first !== type.QueryParen) return false;
  const after = tokens[(closing.get(index + 1) ?? tokens.length) + 1]?.tokenType;
  return continuesQuery.has(after) || (after === type.RParen && expectsQuery.has(beforeParentheses(tokens, index)));
}

/** The token before a run of opening parentheses; a run longer than the nesting limit is refused anyway. */
function beforeParentheses(tokens: readonly Token[], index: number): TokenType | undefined {
  let at = index - 1;
  while (tokens[at]?.tokenType === type.LParen && index - at <= maximumNesting) at--;
  return tokens[at]?.tokenType;
}

/** `WITH [RECURSIVE] name [(…)] AS`; anything else is the name `with`. */
function isWithQuery(tokens: readonly Token[], at: number, closing: ReadonlyMap<number, number>): boolean {
  const second = tokens[at + 1]?.tokenType;
  const third = tokens[at + 2]?.tokenType;
  if (second === undefined || third === undefined || !isName(second)) return false;
  if (third === type.LParen) return tokens[(closing.get(at + 2) ?? tokens.length) + 1]?.tokenType === keyword.AS;
  return third === keyword.AS || (second === keyword.RECURSIVE && isName(third));
}

function isName(candidate: TokenType): boolean {
  return candidate.CATEGORIES?.includes(type.Name) ?? false;
}

function isCallable(candidate: TokenType, before: TokenType | undefined): boolean {
  return isName(candidate) && (!callsNothing.has(candidate) || namesBlock.has(before));
}
