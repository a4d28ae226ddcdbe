/** The statement around a place of a text that need not parse: its tokens, and the word that is being typed there. */
import type { SourceFile } from '../../language/source/source-file.ts';
import { textStart } from '../syntax/parse.ts';
import { classifyTokens } from '../syntax/scan/classify.ts';
import { createScanner } from '../syntax/scan/scanner.ts';
import type { Token } from '../syntax/tokens/token.ts';
import { isWord } from '../syntax/tokens/token-text.ts';
import {
  Bind,
  keyword,
  LParen,
  QuotedIdentifier,
  RParen,
  Semicolon,
  StringToken,
  Unreadable,
} from '../syntax/tokens/vocabulary.ts';

export interface Cursor {
  /** `name`: a quoted one. In comments and strings nothing is offered. */
  readonly inside: 'code' | 'name' | 'parameter' | 'comment' | 'string';
  /** All tokens of the statement, classified. */
  readonly tokens: readonly Token[];
  /** The number of tokens that end before the word. */
  readonly index: number;
  /** The word at the place, which a choice replaces: without the `:` of a parameter, without the quotes of a text, with those of a name. */
  readonly start: number;
  readonly end: number;
  /** Parameters of the template whose body the place is in. */
  readonly parameters: readonly string[];
}

export function cursorAt(file: SourceFile, offset: number): Cursor {
  const { text } = file;
  let comment = false;
  const scanner = createScanner({
    text,
    start: textStart(file),
    end: text.length,
    spanAt: (start, end) => ({ file, start, end }),
    onComment: (start, end) => {
      // Behind the last sign of a line comment is still the comment; behind `*/` is not.
      if (start < offset && (offset < end || (offset === end && text.startsWith('--', start)))) comment = true;
    },
  });
  let tokens: Token[] = [];
  let body: Body | undefined;
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) {
    const parameters = body === undefined && token.tokenType === keyword.AS ? parametersOf(tokens) : undefined;
    const opens: boolean = body?.form === 'not known yet' && token.tokenType === LParen;
    if (body !== undefined) body = inBody(body, token);
    const closes = body !== undefined && closesBody(body, token, tokens);
    const isEdge = token.tokenType === Semicolon || parameters !== undefined || opens || closes;
    if (isEdge && token.startOffset >= offset) break;
    if (isEdge) tokens = [];
    else tokens.push(token);
    if (parameters !== undefined) body = { parameters, form: 'not known yet', depth: 0 };
    else if (closes) body = undefined;
    scanner.inTemplate = body !== undefined;
  }
  return placed(text, offset, tokens, comment, body?.parameters ?? []);
}

/** The body of a template that is open. */
interface Body {
  readonly parameters: readonly string[];
  readonly form: 'not known yet' | 'parentheses' | 'words';
  /** Parentheses that are open, in the form with parentheses. */
  readonly depth: number;
}

function inBody({ parameters, form, depth }: Body, { tokenType }: Token): Body {
  const known = form !== 'not known yet' ? form : tokenType === LParen ? 'parentheses' : 'words';
  return { parameters, form: known, depth: depth + (tokenType === LParen ? 1 : tokenType === RParen ? -1 : 0) };
}

function closesBody({ form, depth }: Body, { tokenType }: Token, before: readonly Token[]): boolean {
  if (form === 'parentheses') return depth === 0;
  return tokenType === keyword.TEMPLATE && before.at(-1)?.tokenType === keyword.END;
}

/** Parameters in `CREATE [OR REPLACE] TEMPLATE Name [WITH] (a, b TYPE)`; undefined for other statements. */
function parametersOf(tokens: readonly Token[]): readonly string[] | undefined {
  const words = tokens.map(({ image }) => image.toUpperCase());
  const head = words[1] === 'OR' ? 3 : 1;
  if (words[0] !== 'CREATE' || words[head] !== 'TEMPLATE' || words.at(-1) !== ')') return undefined;
  return tokens.flatMap((token, index) => {
    const opens = words[index - 1] === '(' || words[index - 1] === ',';
    return opens && isWord(token) ? [token.text ?? token.image] : [];
  });
}

function placed(
  text: string,
  offset: number,
  tokens: readonly Token[],
  comment: boolean,
  parameters: readonly string[],
): Cursor {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  const braces = parameters.length > 0 ? /\{\{\s*(\w*)$/.exec(line) : null;
  const wordStart = offset - (/[A-Za-z0-9_$]*$/.exec(line)?.[0].length ?? 0);
  const wordEnd = offset + (/^[A-Za-z0-9_$]*/.exec(text.slice(offset, offset + 200))?.[0].length ?? 0);
  const at = (inside: Cursor['inside'], start: number, end: number, before = start): Cursor => {
    const all = [...tokens];
    const index = all.filter((token) => token.endOffset < before).length;
    classifyTokens(all);
    return { inside, tokens: all, index, start, end, parameters };
  };
  if (comment) return at('comment', offset, offset);
  if (braces !== null) return at('parameter', offset - (braces[1]?.length ?? 0), wordEnd);
  const around = tokens.find((token) => token.startOffset < offset && offset <= token.endOffset + 1);
  if (around?.tokenType === StringToken && offset <= around.endOffset)
    return at('string', around.startOffset + 1, around.endOffset, around.startOffset);
  if (around?.tokenType === Unreadable && text.charAt(around.startOffset) === "'")
    return at('string', around.startOffset + 1, wordEnd, around.startOffset);
  if (around?.tokenType === QuotedIdentifier) return at('name', around.startOffset, around.endOffset + 1);
  if (around?.tokenType === Unreadable && text.charAt(around.startOffset) === '"')
    return at('name', around.startOffset, wordEnd);
  if (around?.tokenType === Bind) return at('code', around.startOffset + 1, around.endOffset + 1);
  return at('code', wordStart, wordEnd);
}
