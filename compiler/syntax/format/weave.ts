import type { SourceFile } from '../../../language/source/source-file.ts';
import { createScanner } from '../scan/scanner.ts';
import { docLine } from '../scan/doc-comments.ts';
import { nextStatement } from '../scan/split.ts';
import type { Token } from '../tokens/token.ts';
import { alignTokens } from './align.ts';
import type { Comment } from './comments.ts';

/** Comments by the printed token that they precede (on lines of their own) or follow. */
interface Placed {
  readonly before: ReadonlyMap<number, readonly Comment[]>;
  readonly behind: ReadonlyMap<number, readonly Comment[]>;
  /** Printed tokens that the author preceded with empty lines. */
  readonly blank: ReadonlySet<number>;
  /** Printed tokens below a comment that would become their doc comment without an empty line between. */
  readonly detached: ReadonlySet<number>;
  /** Comments below an empty line that would join the doc comment above it. */
  readonly apart: ReadonlySet<Comment>;
}

export interface Woven {
  readonly text: string;
  /** Whether it contains an empty line. */
  readonly spaced: boolean;
}

/**
 * A statement's printed text with its comments, each at the token where the author put it, and one empty line between groups that the
 * author separated; `undefined` when they cannot be inserted without changing the statement.
 */
export function weaveComments(
  source: SourceFile,
  range: { readonly start: number; readonly end: number },
  comments: readonly Comment[],
  printed: string,
): Woven | undefined {
  const written = tokensOf(source.text, range.start, range.end);
  const tokens = tokensOf(printed, 0, printed.length);
  const woven = write(printed, tokens, place(source.text, written, tokens, comments));
  return sameTokens(written, printed, tokens, woven.text) ? woven : undefined;
}

function tokensOf(text: string, start: number, end: number, onComment?: () => void): readonly Token[] {
  const file = { name: '', text };
  const spanAt = (from: number, to: number) => ({ file, start: from, end: to });
  const scanner = createScanner({ text, start, end, spanAt, ...(onComment === undefined ? {} : { onComment }) });
  const found = nextStatement(scanner, spanAt);
  return found?.tokens ?? [];
}

function sameTokens(written: readonly Token[], printed: string, tokens: readonly Token[], woven: string): boolean {
  const again = tokensOf(woven, 0, woven.length);
  const docs = (all: readonly Token[]): string => JSON.stringify(all.flatMap(({ doc }) => doc ?? []));
  return (
    again.length === tokens.length &&
    docs(again) === docs(written) &&
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
    const last = pastComma(printed, places[index - 1] ?? 0);
    // Behind a comment that has moved past the comma and ends on another line, a comment has a line of its own.
    const above = behind.get(last)?.at(-1);
    const onOwnLine = !trails || (previous.image === ',' && (endsLine(above) || above?.text.includes('\n') === true));
    if (next === undefined || !onOwnLine) add(behind, last, comment);
    else add(before, next, comment);
  }
  const detached = new Set<number>();
  for (const [index, token] of written.entries()) {
    const at = places[index];
    const above = at === undefined ? undefined : before.get(at)?.at(-1);
    const isDoc = above !== undefined && docLine(text, above.start, above.end) !== undefined;
    if (at !== undefined && isDoc && token.doc === undefined) detached.add(at);
  }
  const apart = new Set(
    Array.from(before.values()).flatMap((lines) =>
      lines.filter((comment, at) => joinsDoc(text, lines[at - 1], comment)),
    ),
  );
  return { before, behind, blank: blankPlaces(text, written, places, comments), detached, apart };
}

function endsLine(comment: Comment | undefined): boolean {
  return comment?.text.startsWith('--') === true;
}

/** Whether only an empty line keeps a comment from being a part of the doc comment above. */
function joinsDoc(text: string, above: Comment | undefined, comment: Comment): boolean {
  if (above === undefined || !emptyLine.test(text.slice(above.end, comment.start))) return false;
  const isDoc = ({ start, end }: Comment): boolean => docLine(text, start, end) !== undefined;
  return isDoc(above) && isDoc(comment);
}

/** A gap of at least one empty line, comments left out. */
const emptyLine = /\n[^\S\n]*\n/;

function blankPlaces(
  text: string,
  written: readonly Token[],
  places: readonly number[],
  comments: readonly Comment[],
): ReadonlySet<number> {
  const blank = new Set<number>();
  for (const [index, token] of written.entries()) {
    const previous = written[index - 1];
    if (previous === undefined) continue;
    const [start, end] = [previous.endOffset + 1, token.startOffset];
    if (!emptyLine.test(text.slice(start, end))) continue;
    const inside = comments.filter((comment) => comment.start >= start && comment.end <= end);
    const bounds = [start, ...inside.flatMap((comment) => [comment.start, comment.start + comment.text.length]), end];
    const gaps = bounds.flatMap((from, at) => (at % 2 === 0 ? [text.slice(from, bounds[at + 1])] : []));
    const place = places[index];
    if (place !== undefined && gaps.some((gap) => emptyLine.test(gap))) blank.add(place);
  }
  return blank;
}

/** Words that begin a group. Elements of a list begin one too. */
const groupWords: ReadonlySet<string> = new Set(['UNION', 'INTERSECT', 'EXCEPT', 'BRANCH', 'STATE', 'EMIT']);

/** Whether an empty line between two printed tokens separates groups. */
function isBetweenGroups(previous: Token | undefined, token: Token, commented: boolean): boolean {
  if (previous === undefined || previous.image === '(' || token.image === ')') return false;
  const word = token.image.toUpperCase();
  if (commented || previous.image === ',' || groupWords.has(word)) return true;
  return previous.image === ')' && word === 'SELECT';
}

function add(map: Map<number, Comment[]>, key: number, comment: Comment): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [comment]);
  else list.push(comment);
}

/** A comment after an element of a list comes after its comma. */
function pastComma(printed: readonly Token[], index: number): number {
  return printed[index + 1]?.image === ',' ? index + 1 : index;
}

function write(text: string, tokens: readonly Token[], { before, behind, blank, detached, apart }: Placed): Woven {
  let out = '';
  let spaced = false;
  let end = 0;
  let mustBreak = false;
  for (const [index, token] of tokens.entries()) {
    const gap = text.slice(end, token.startOffset);
    const breaks = gap.includes('\n');
    const indentation = breaks ? gap.slice(gap.lastIndexOf('\n') + 1) : `${lineIndentation(text, token.startOffset)}  `;
    const lines = before.get(index) ?? [];
    const breaksHere = lines.length > 0 || breaks || mustBreak;
    if (
      breaksHere &&
      blank.has(index) &&
      !detached.has(index) &&
      isBetweenGroups(tokens[index - 1], token, lines.length > 0)
    ) {
      out += '\n';
      spaced = true;
    }
    if (lines.length > 0 && index > 0)
      out += lines.map((comment) => `${apart.has(comment) ? '\n' : ''}\n${indentation}${comment.text}`).join('');
    if (detached.has(index)) out += '\n';
    out += lines.length > 0 || (mustBreak && !breaks) ? `\n${indentation}` : gap;
    end = token.endOffset + 1;
    out += text.slice(token.startOffset, end);
    const trailing = behind.get(index) ?? [];
    out += trailing.map((comment, at) => separator(trailing[at - 1], indentation) + comment.text).join('');
    mustBreak = endsLine(trailing.at(-1));
  }
  return { text: out + (mustBreak ? '\n' : '') + text.slice(end), spaced };
}

/** Between two comments after one token: a line comment ends its line. */
function separator(previous: Comment | undefined, indentation: string): string {
  return endsLine(previous) ? `\n${indentation}` : ' ';
}

function lineIndentation(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1;
  return /^ */.exec(text.slice(start, offset))?.[0] ?? '';
}
