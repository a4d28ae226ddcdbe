/**
 * Tokens to statements (docs/language.md#text). A statement ends at `;`, whatever parentheses are open; only a template's body keeps its
 * `;`, and becomes one token. Takes a scanner; gives the next statement's tokens; never parses.
 */
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Span } from '../../../language/source/span.ts';
import { atOnce, type Steps } from '../../../language/source/steps.ts';
import type { TokenType } from '../chevrotain.ts';
import { createTokenAt, type Token } from '../tokens/token.ts';
import * as type from '../tokens/vocabulary.ts';
import { classifyTokens } from './classify.ts';
import { findTooDeep, maximumNesting } from './nesting.ts';
import type { Scanner } from './scanner.ts';

const { keyword } = type;

/** The most of one statement, each of a template's body for itself. */
export interface StatementLimits {
  readonly tokens: number;
  /** Doc comments included. */
  readonly characters: number;
}

/** More is refused: the tree would not fit in memory. */
export const usualLimits: StatementLimits = { tokens: 500_000, characters: Infinity };

/** The tokens of one statement, classified, at least one; `end` is its `;`, if it has one. */
export interface StatementTokens {
  readonly tokens: readonly Token[];
  readonly last: Token;
  readonly end: Token | undefined;
  /** Why these tokens are not a statement, if that is known before parsing. */
  readonly fault: Diagnostic | undefined;
  /** The first of the tokens that cannot be read; the grammar refuses it, unless it refuses one before. */
  readonly unreadable: Diagnostic | undefined;
}

type SpanAt = (start: number, end: number) => Span;

/** The next non-empty statement; `undefined` at the end. */
export function nextStatement(scanner: Scanner, spanAt: SpanAt): StatementTokens | undefined {
  return atOnce(nextInSteps(scanner, spanAt, usualLimits));
}

/** `nextStatement` in steps of some text. A statement of more than `most` is an error. */
export function* nextInSteps(
  scanner: Scanner,
  spanAt: SpanAt,
  most: StatementLimits,
): Steps<StatementTokens | undefined> {
  for (let first = scanner.next(); first !== undefined; first = scanner.next()) {
    if (first.tokenType !== type.Semicolon) return yield* collect(first, scanner, spanAt, most);
    if (scanner.hasReadMuch()) yield;
  }
  return undefined;
}

function* collect(first: Token, scanner: Scanner, spanAt: SpanAt, most: StatementLimits): Steps<StatementTokens> {
  const tokens: Token[] = [];
  let last = first;
  let fault: Diagnostic | undefined;
  let unreadable: Diagnostic | undefined;
  let parentheses = 0;
  let created = 0;
  let token: Token | undefined = first;
  for (; token !== undefined && token.tokenType !== type.Semicolon; token = scanner.next()) {
    last = token;
    if (scanner.hasReadMuch()) yield;
    unreadable ??= token.fault;
    fault ??= excess(first, token, tokens.length, most, spanAt, unreadable);
    if (fault !== undefined) continue;
    // Behind a forgotten `;` another statement begins; in a list the word is a name.
    const before = tokens.at(-1)?.tokenType;
    if (token.tokenType === keyword.CREATE && before !== type.LParen && before !== type.Comma)
      [created, parentheses] = [tokens.length, 0];
    tokens.push(token);
    if (token.tokenType === type.LParen) parentheses++;
    else if (token.tokenType === type.RParen) parentheses--;
    else if (token.tokenType === keyword.AS && parentheses === 0 && isTemplateHead(tokens, created)) {
      fault = yield* collectBody(tokens, scanner, spanAt);
      last = tokens.at(-1) ?? last;
    }
  }
  fault ??= tooDeep(tokens, spanAt);
  classifyTokens(tokens);
  return { tokens, last, end: token, fault, unreadable };
}

/** The error of a statement that this token makes longer than it may be. */
function excess(
  first: Token,
  token: Token,
  tokens: number,
  most: StatementLimits,
  spanAt: SpanAt,
  unreadable: Diagnostic | undefined,
): Diagnostic | undefined {
  const characters = token.endOffset + 1 - first.startOffset + (first.doc?.length ?? 0);
  const isLong = characters > most.characters;
  if (tokens < most.tokens && !isLong) return undefined;
  const [limit, what] = isLong ? [most.characters, 'characters'] : [most.tokens, 'words and signs'];
  const span = spanAt(first.startOffset, first.endOffset + 1);
  return unreadable ?? diagnose('E0113', span, { limit, what: `${what} in one statement` });
}

function tooDeep(tokens: readonly Token[], spanAt: SpanAt): Diagnostic | undefined {
  const found = findTooDeep(tokens);
  if (found === undefined) return undefined;
  return diagnose('E0112', spanAt(found.startOffset, found.endOffset + 1), { limit: maximumNesting });
}

/** `CREATE [OR REPLACE] TEMPLATE … AS` from the index of CREATE on, with the AS just read. */
function isTemplateHead(tokens: readonly Token[], created: number): boolean {
  const types: readonly (TokenType | undefined)[] = tokens.slice(created, created + 4).map((token) => token.tokenType);
  if (types[0] !== keyword.CREATE) return false;
  return types[1] === keyword.TEMPLATE || (types[1] === keyword.OR && types[3] === keyword.TEMPLATE);
}

/** Reads a body and its end, pushes both; gives the error of a body whose parenthesis is never closed. */
function* collectBody(tokens: Token[], scanner: Scanner, spanAt: SpanAt): Steps<Diagnostic | undefined> {
  const outer = scanner.inTemplate;
  scanner.inTemplate = true;
  const first = scanner.next();
  let fault: Diagnostic | undefined;
  if (first?.tokenType === type.LParen) {
    tokens.push(first);
    const close = yield* closingParenthesis(scanner);
    if (close === undefined) fault = diagnose('E0513', spanAt(first.startOffset, first.endOffset + 1), {});
    else tokens.push(bodyToken(first.endOffset + 1, close.startOffset), close);
  } else if (first !== undefined) {
    const body = yield* openBody(first, scanner);
    tokens.push(bodyToken(first.startOffset, body.end), ...body.closing);
  }
  scanner.inTemplate = outer;
  return fault;
}

function bodyToken(start: number, end: number): Token {
  return createTokenAt(type.TemplateBodyToken, '', start, end, { body: { start, end } });
}

function* closingParenthesis(scanner: Scanner): Steps<Token | undefined> {
  let depth = 1;
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) {
    if (scanner.hasReadMuch()) yield;
    if (token.tokenType === type.LParen) depth++;
    else if (token.tokenType === type.RParen && --depth === 0) return token;
  }
  return undefined;
}

/** Everything up to `END TEMPLATE`, else to the end; an END that closes a CASE does not count. */
function* openBody(
  first: Token,
  scanner: Scanner,
): Steps<{ readonly end: number; readonly closing: readonly Token[] }> {
  let cases = 0;
  let beforeEnd = first.startOffset;
  let previous: Token | undefined;
  for (let token: Token | undefined = first; token !== undefined; token = scanner.next()) {
    if (scanner.hasReadMuch()) yield;
    if (previous?.tokenType === keyword.END && cases < 0) {
      if (token.tokenType === keyword.TEMPLATE) return { end: beforeEnd, closing: [previous, token] };
      cases = 0;
    }
    if (previous?.tokenType === type.Semicolon) cases = 0;
    if (previous?.tokenType !== type.Dot) {
      if (token.tokenType === keyword.CASE) cases++;
      else if (token.tokenType === keyword.END) cases--;
    }
    if (token.tokenType !== keyword.END) beforeEnd = token.endOffset + 1;
    previous = token;
  }
  return { end: previous === undefined ? beforeEnd : previous.endOffset + 1, closing: [] };
}
