import type { SourceFile } from '../../source/source-file.ts';
import { createScanner } from '../scan/scanner.ts';
import { nextStatement } from '../scan/split.ts';
import type { Token } from '../tokens/token.ts';
import { alignTokens } from './align.ts';
import type { Comment } from './comments.ts';

/** Comments by the printed token that they stand before (on lines of their own) or behind. */
interface Placed {
  readonly before: ReadonlyMap<number, readonly Comment[]>;
  readonly behind: ReadonlyMap<number, readonly Comment[]>;
}

/**
 * A statement's printed text with the comments from inside it, each at the token where its author put it; `undefined` when they
 * cannot be put in without changing the statement.
 */
export function weaveComments(
  source: SourceFile,
  range: { readonly start: number; readonly end: number },
  comments: readonly Comment[],
  printed: string,
): string | undefined {
  const written = tokensOf(source.text, range.start, range.end);
  const tokens = tokensOf(printed, 0, printed.length);
  const woven = write(printed, tokens, place(source.text, written, tokens, comments));
  return sameTokens(printed, tokens, woven) ? woven : undefined;
}

function tokensOf(text: string, start: number, end: number, onComment?: () => void): readonly Token[] {
  const file = { name: '', text };
  const spanAt = (from: number, to: number) => ({ file, start: from, end: to });
  const scanner = createScanner({ text, start, end, spanAt, ...(onComment === undefined ? {} : { onComment }) });
  const found = nextStatement(scanner, spanAt);
  return found?.tokens ?? [];
}

function sameTokens(printed: string, tokens: readonly Token[], woven: string): boolean {
  const again = tokensOf(woven, 0, woven.length);
  return (
    again.length === tokens.length &&
    again.every((token, index) => {
      const other = tokens[index] as Token; // of the same length
      const text = printed.slice(other.startOffset, other.endOffset + 1).trim();
      return woven.slice(token.startOffset, token.endOffset + 1).trim() === text;
    })
  );
}

function place(
  text: string,
  written: readonly Token[],
  printed: readonly Token[],
  comments: readonly Comment[],
): Placed {
  const places = alignTokens(written, printed);
  const before = new Map<number, Comment[]>();
  const behind = new Map<number, Comment[]>();
  let index = 0;
  for (const comment of comments) {
    while (index < written.length && (written[index] as Token).startOffset < comment.start) index++; // index is in range
    const previous = written[index - 1];
    const trails = previous !== undefined && !text.slice(previous.endOffset + 1, comment.start).includes('\n');
    const next = places[index];
    if (trails || next === undefined) add(behind, pastComma(printed, places[index - 1] ?? 0), comment);
    else add(before, next, comment);
  }
  return { before, behind };
}

function add(map: Map<number, Comment[]>, key: number, comment: Comment): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [comment]);
  else list.push(comment);
}

/** A comment behind an element of a list stands behind its comma. */
function pastComma(printed: readonly Token[], index: number): number {
  return printed[index + 1]?.image === ',' ? index + 1 : index;
}

function write(text: string, tokens: readonly Token[], { before, behind }: Placed): string {
  let out = '';
  let end = 0;
  let mustBreak = false;
  for (const [index, token] of tokens.entries()) {
    const gap = text.slice(end, token.startOffset);
    const breaks = gap.includes('\n');
    const indentation = breaks ? gap.slice(gap.lastIndexOf('\n') + 1) : `${lineIndentation(text, token.startOffset)}  `;
    const lines = before.get(index) ?? [];
    if (lines.length > 0 && index > 0) out += lines.map((comment) => `\n${indentation}${comment.text}`).join('');
    out += lines.length > 0 || (mustBreak && !breaks) ? `\n${indentation}` : gap;
    end = token.endOffset + 1;
    out += text.slice(token.startOffset, end);
    const trailing = behind.get(index) ?? [];
    out += trailing.map((comment, at) => separator(trailing[at - 1], indentation) + comment.text).join('');
    mustBreak = trailing.at(-1)?.text.startsWith('--') ?? false;
  }
  return out + (mustBreak ? '\n' : '') + text.slice(end);
}

/** Between two comments behind one token: a line comment ends its line. */
function separator(previous: Comment | undefined, indentation: string): string {
  return previous?.text.startsWith('--') === true ? `\n${indentation}` : ' ';
}

function lineIndentation(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^ */.exec(text.slice(start, offset))?.[0] ?? '';
}
