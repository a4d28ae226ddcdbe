/**
 * Characters to tokens, one at a time, in linear time (docs/language.md#text). Takes a range of a source text; gives tokens without end
 * (past the range, `undefined`). Invalid text becomes an `Unreadable` token that carries its diagnostic. Never throws, never looks at
 * grammar.
 */
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { Span } from '../../../language/source/span.ts';
import type { TokenType } from '../chevrotain.ts';
import { createTokenAt, type Token } from '../tokens/token.ts';
import * as type from '../tokens/vocabulary.ts';
import { createDocCollector } from './doc-comments.ts';
import { scanFaults } from './faults.ts';
import { placeholderSource, splitAtPlaceholders } from './placeholders.ts';
import { quotedNameAt } from './quoted-name.ts';
import { skipBlockComment } from './skip-comment.ts';

export interface ScannerOptions {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Makes a span in this text. */
  readonly spanAt: (start: number, end: number) => Span;
  /** Called for each comment, in order. */
  readonly onComment?: (start: number, end: number) => void;
}
export interface Scanner {
  /** The next token, `undefined` at the end of the range. */
  readonly next: () => Token | undefined;
  /** Whether much text was read since it was so the last time: work in steps then has one. */
  readonly hasReadMuch: () => boolean;
  /** Inside a template's body `{{Parameter}}` is a token or part of one; outside it is an error. */
  inTemplate: boolean;
}

const wordPattern = /[A-Za-z_][A-Za-z0-9_$]*/y;
const gluedPattern = new RegExp(`(?:[A-Za-z0-9_$]|${placeholderSource})+`, 'y');
const placeholderPattern = new RegExp(placeholderSource, 'y');
const digits = String.raw`[0-9]+(?:_[0-9]+)*`;
const numberPattern = new RegExp(String.raw`(?:${digits}(?:\.${digits})?|\.${digits})(?:[eE][+-]?${digits})?`, 'y');
const numberTail = /[A-Za-z0-9_$.]*/y;
const strayPattern = /(?:[^\s\0-\x7f]|[?@#~^&`\\[\]{}!|$])+/uy;
const forbiddenPattern = /\0|\p{Surrogate}/gu;

/** The last search in a long text. Its statements are scanned one by one, and each search may end far behind. */
let searched = { text: '', from: 0, found: 0 };
const longSearch = 10_000;

/** A step takes about a millisecond, and some where each character is an error. */
const charactersOfStep = 8_192;

/** The place of the next forbidden character; behind the text without one. */
function nextForbidden(text: string, from: number): number {
  if (searched.text === text && searched.from <= from && from <= searched.found) return searched.found;
  forbiddenPattern.lastIndex = from;
  const found = forbiddenPattern.exec(text)?.index ?? Infinity;
  if (Math.min(found, text.length) - from > longSearch) searched = { text, from, found };
  return found;
}

const signs: ReadonlyMap<string, TokenType> = new Map([
  ...([
    ['->>', type.ArithmeticSign],
    ['::', type.DoubleColon],
    ['[]', type.Brackets],
    [':=', type.Assign],
    ['<>', type.ComparisonSign],
  ] as const),
  ...([
    ['!=', type.ComparisonSign],
    ['<=', type.ComparisonSign],
    ['>=', type.ComparisonSign],
  ] as const),
  ...([
    ['||', type.ArithmeticSign],
    ['->', type.ArithmeticSign],
    ['(', type.LParen],
    [')', type.RParen],
  ] as const),
  ...([
    [',', type.Comma],
    ['.', type.Dot],
    [';', type.Semicolon],
    ['=', type.Equal],
    ['<', type.ComparisonSign],
  ] as const),
  ...([
    ['>', type.ComparisonSign],
    ['+', type.Plus],
    ['-', type.Minus],
    ['*', type.Star],
  ] as const),
  ...([
    ['/', type.ArithmeticSign],
    ['%', type.ArithmeticSign],
  ] as const),
]);

/** Signs that are not a prefix of a longer one. */
const lonelySigns: ReadonlyMap<number, TokenType> = new Map(
  ['(', ')', ',', '.', ';', '=', '+', '*', '/', '%'].map((sign) => [
    sign.charCodeAt(0),
    signs.get(sign) ?? type.Unreadable,
  ]),
);

export function createScanner(options: ScannerOptions): Scanner {
  const { text, end, spanAt } = options;
  let at = options.start;
  let forbiddenAt = nextForbidden(text, at);
  let line = { from: 0, end: -1 };
  let stepAt = at;
  const docs = createDocCollector(text);
  const scanner: Scanner = { next, hasReadMuch, inTemplate: false };
  return scanner;

  function next(): Token | undefined {
    for (;;) {
      const start = at;
      const open = skipTrivia();
      if (forbiddenAt < at) return forbidden(start);
      if (open !== undefined) return unreadable(open, end, scanFaults.openComment(spanAt(open, open + 2)));
      if (at >= end) return undefined;
      const doc = docs.take(at);
      const token = scanToken(at, text.charCodeAt(at));
      at = token.endOffset + 1;
      if (forbiddenAt < at) return forbidden(token.startOffset);
      return doc === undefined ? token : { ...token, doc };
    }
  }
  function hasReadMuch(): boolean {
    if (at - stepAt < charactersOfStep) return false;
    stepAt = at;
    return true;
  }
  /** The text from `start` to the scanner's position contains a forbidden character. */
  function forbidden(start: number): Token {
    const fault = scanFaults.forbidden(spanAt(forbiddenAt, forbiddenAt + 1), text.charAt(forbiddenAt));
    forbiddenAt = nextForbidden(text, at);
    return unreadable(start, at, fault);
  }
  /** Skips white space and comments; gives the start of a comment that is not closed. */
  function skipTrivia(): number | undefined {
    for (; at < end; at++) {
      const code = text.charCodeAt(at);
      if (code === 32 || (code >= 9 && code <= 13)) continue;
      const start = at;
      if (code === 45 && text.charCodeAt(at + 1) === 45) at = endOfLine(at);
      else if (code === 47 && text.charCodeAt(at + 1) === 42) {
        const close = skipBlockComment(text, at, end);
        at = close ?? end;
        if (close === undefined) return start;
      } else return undefined;
      docs.comment(start, at);
      options.onComment?.(start, at);
      at--;
    }
    return undefined;
  }
  /** Remembered, so that many quotes on one long line stay linear. */
  function endOfLine(from: number): number {
    if (from < line.from || from > line.end) {
      const found = text.indexOf('\n', from);
      line = { from, end: found < 0 || found > end ? end : found };
    }
    return line.end;
  }
  function scanToken(start: number, code: number): Token {
    if (isWordStart(code)) return word(start);
    if (code >= 48 && code <= 57) return number(start);
    if (code === 39) return string(start);
    if (code === 34) return quotedName(start, start);
    if (code === 58) return colon(start);
    if (code === 123 && match(placeholderPattern, start) !== undefined) return word(start);
    if (code === 46 && isDigit(text.charCodeAt(start + 1))) return number(start);
    return sign(start);
  }
  function match(pattern: RegExp, start: number): string | undefined {
    pattern.lastIndex = start;
    const found = pattern.exec(text)?.[0];
    return found === undefined || start + found.length <= end ? found : found.slice(0, end - start);
  }
  function word(start: number): Token {
    const plain = match(scanner.inTemplate ? gluedPattern : wordPattern, start);
    if (plain === undefined) {
      const image = match(placeholderPattern, start) ?? '';
      return unreadable(
        start,
        start + image.length,
        scanFaults.placeholder(spanAt(start, start + image.length), image),
      );
    }
    const stop = start + plain.length;
    const parts = scanner.inTemplate ? splitAtPlaceholders(plain) : undefined;
    if (parts === undefined) return createTokenAt(type.keywordType(plain) ?? type.Identifier, plain, start, stop);
    const alone = parts.length === 1;
    return createTokenAt(alone ? type.Placeholder : type.Identifier, plain, start, stop, { parts });
  }
  function number(start: number): Token {
    const image = match(numberPattern, start) ?? '';
    const tail = match(numberTail, start + image.length) ?? '';
    const stop = start + image.length + tail.length;
    const glued = scanner.inTemplate && match(placeholderPattern, stop) !== undefined;
    if (tail === '' && !glued) return createTokenAt(type.NumberToken, image, start, stop);
    return unreadable(start, stop, scanFaults.number(spanAt(start, stop), image + tail));
  }
  function string(start: number): Token {
    let close = text.indexOf("'", start + 1);
    while (close >= 0 && close < end && text.charCodeAt(close + 1) === 39) close = text.indexOf("'", close + 2);
    if (close < 0 || close >= end) return openString(start);
    const image = text.slice(start, close + 1);
    const parts = scanner.inTemplate ? splitAtPlaceholders(image.slice(1, -1).replaceAll("''", "'")) : undefined;
    return createTokenAt(type.StringToken, image, start, close + 1, parts === undefined ? {} : { parts });
  }
  /** An unclosed string ends at the end of its line, before a `;` there, so that the next statement is still read. */
  function openString(start: number): Token {
    const rest = text.slice(start, endOfLine(start)).trimEnd();
    const length = rest.length > 1 && rest.endsWith(';') ? rest.length - 1 : rest.length;
    return unreadable(start, start + length, scanFaults.openString(spanAt(start, start + length)));
  }
  /** A quoted name, or `:` and a quoted name; it must end on its line. */
  function quotedName(start: number, quote: number): Token {
    const lineEnd = endOfLine(start);
    const found = quotedNameAt(text, quote, lineEnd);
    if (found === undefined) {
      const stop = start + text.slice(start, lineEnd).trimEnd().length;
      return unreadable(start, stop, scanFaults.openName(spanAt(start, stop)));
    }
    const { name, stop } = found;
    if (name === '') return unreadable(start, stop, scanFaults.emptyName(spanAt(quote, stop)));
    const parts = scanner.inTemplate ? splitAtPlaceholders(name) : undefined;
    return createTokenAt(
      start === quote ? type.QuotedIdentifier : type.Bind,
      text.slice(start, stop),
      start,
      stop,
      parts === undefined ? { text: name } : { parts },
    );
  }
  function colon(start: number): Token {
    const code = text.charCodeAt(start + 1);
    if (code === 58 || code === 61) return sign(start);
    if (code === 34) return quotedName(start, start + 1);
    const name = scanner.inTemplate ? match(gluedPattern, start + 1) : match(wordPattern, start + 1);
    if (name === undefined || isDigit(name.charCodeAt(0))) {
      return unreadable(start, start + 1, scanFaults.colon(spanAt(start, start + 1)), ':');
    }
    const stop = start + 1 + name.length;
    const parts = scanner.inTemplate ? splitAtPlaceholders(name) : undefined;
    return createTokenAt(
      type.Bind,
      text.slice(start, stop),
      start,
      stop,
      parts === undefined ? { text: name } : { parts },
    );
  }
  function sign(start: number): Token {
    const alone = lonelySigns.get(text.charCodeAt(start));
    if (alone !== undefined) return createTokenAt(alone, text.charAt(start), start, start + 1);
    for (let length = Math.min(3, end - start); length > 0; length--) {
      const image = text.slice(start, start + length);
      const found = signs.get(image);
      if (found !== undefined) return createTokenAt(found, image, start, start + length);
    }
    const image = match(strayPattern, start) ?? text.charAt(start);
    return unreadable(start, start + image.length, scanFaults.stray(spanAt(start, start + image.length), image), image);
  }
  function unreadable(start: number, stop: number, fault: Diagnostic, image = ''): Token {
    return createTokenAt(type.Unreadable, image, start, stop, { fault });
  }
}

function isWordStart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
