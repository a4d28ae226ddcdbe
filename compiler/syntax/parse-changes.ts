/**
 * Parses mostly unchanged texts: only the changed statements of a file are parsed again. Each statement is parsed as a text of its own, so
 * that its tree stays valid wherever it moves; `placed` gives its present place.
 */
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Steps } from '../../language/source/steps.ts';
import type { Span } from '../../language/source/span.ts';
import type { Statement } from './ast.ts';
import { headerHints } from './file-header.ts';
import { allLost, type LostBlocks } from './grammar/lost-blocks.ts';
import {
  checkSize,
  contextOf,
  createReporter,
  maximumStatements,
  parsedStatement,
  textStart,
  type ParsedStatement,
} from './parse.ts';
import { createScanner } from './scan/scanner.ts';
import { nextStatement, type StatementTokens } from './scan/split.ts';

export interface ChangeParser {
  /**
   * The statements of these files, one a step; undefined if a file cannot be read statement by statement, as `parseScript` then says. Steps that
   * are not run to their end change nothing.
   */
  readonly parse: (files: readonly SourceFile[]) => Steps<ParsedChanges | undefined>;
}

export interface ParsedChanges {
  /** Without those that have errors. */
  readonly statements: readonly Statement[];
  /** In the order of the text; their spans are those of the trees. */
  readonly diagnostics: readonly Diagnostic[];
  /** The blocks that statements with errors would have created. */
  readonly lost: LostBlocks;
  /** The place of a span of these trees in the files. */
  readonly placed: (span: Span) => Span;
}

interface Piece {
  /** From the first non-blank character after the previous statement, comments included, to the `;`, or to the end of the file. */
  readonly own: SourceFile;
  readonly parsed: ParsedStatement;
  /** Its text ends with its `;`, so that it ends there wherever it is. */
  readonly isClosed: boolean;
}
interface PlacedPiece extends Piece {
  readonly offset: number;
}
interface Place {
  readonly file: SourceFile;
  readonly offset: number;
}

export function createChangeParser(): ChangeParser {
  let known = new Map<string, readonly PlacedPiece[]>();

  return {
    *parse(files) {
      const next = new Map<string, readonly PlacedPiece[]>();
      const places = new WeakMap<SourceFile, Place>();
      for (const file of files) {
        const pieces = yield* piecesOf(file, known.get(file.name) ?? []);
        if (pieces === undefined) return undefined;
        next.set(file.name, pieces);
        for (const { own, offset } of pieces) places.set(own, { file, offset });
      }
      known = next;
      const parsed = [...next.values()].flatMap((pieces) => pieces.map((piece) => piece.parsed));
      return {
        statements: parsed.flatMap(({ statement }) => statement ?? []),
        diagnostics: [...next.values()].flatMap((pieces) => {
          const all = pieces.map((piece) => piece.parsed);
          return [...all.flatMap(createReporter()), ...headerHints(all)];
        }),
        lost: allLost(parsed.flatMap(({ lost }) => lost ?? [])),
        placed: (span) => moved(span, places),
      };
    },
  };
}

function moved(span: Span, places: WeakMap<SourceFile, Place>): Span {
  const place = places.get(span.file);
  const applied = span.applied === undefined ? {} : { applied: moved(span.applied, places) };
  if (place === undefined) return { ...span, ...applied };
  const { file, offset } = place;
  return { file, start: span.start + offset, end: span.end + offset, ...applied };
}

/** Statements are read from left to right, so a statement that begins at the end of another and has the same text is the same. */
function* piecesOf(file: SourceFile, before: readonly Piece[]): Steps<readonly PlacedPiece[] | undefined> {
  if (checkSize(file) !== undefined) return undefined;
  const pieces: PlacedPiece[] = [];
  const earlier = createEarlierPieces(before);
  for (let offset = skipBlanks(file.text, textStart(file)); offset < file.text.length;) {
    const piece = earlier.take(file.text, offset) ?? readPiece(file, offset);
    if (piece === 'none') break;
    if (piece === undefined || pieces.length === maximumStatements) return undefined;
    pieces.push({ ...piece, offset });
    offset = skipBlanks(file.text, behindComment(file.text, offset + piece.own.text.length));
    yield;
  }
  return pieces;
}

/**
 * Behind a comment on the line on which a statement ends: at the start of a text of its own it would read as a doc comment. A comment with a
 * character that no text may have stays with the next statement, which reports it.
 */
function behindComment(text: string, from: number): number {
  const comment = /[ \t]*--(?:(?!\0|\p{Surrogate})[^\n])*(?=\n|$)/uy;
  comment.lastIndex = from;
  return comment.test(text) ? comment.lastIndex : from;
}

function skipBlanks(text: string, from: number): number {
  const blanks = /[ \t\r\n]*/y;
  blanks.lastIndex = from;
  blanks.test(text);
  return blanks.lastIndex;
}

/** Characters at the beginning of a statement by which it is found again. */
const longestStart = 60;

/** Statements that begin alike and are compared with a text; beyond them it is parsed again. */
const mostAlike = 100;

/** Gives the earlier piece with the same text, each once: one tree has one place. */
function createEarlierPieces(before: readonly Piece[]): {
  readonly take: (text: string, offset: number) => Piece | undefined;
} {
  /** By the beginning of their text; the first of the text last. */
  const left = new Map<string, Piece[]>();
  const lengths = new Set<number>();
  for (let at = before.length - 1; at >= 0; at--) {
    const piece = before[at] as Piece; // at is in range
    // The end of a statement with errors may depend on the text after it.
    if (piece.parsed.diagnostics.length > 0) continue;
    const start = piece.own.text.slice(0, longestStart);
    lengths.add(start.length);
    const alike = left.get(start);
    if (alike === undefined) left.set(start, [piece]);
    else alike.push(piece);
  }
  return {
    take: (text, offset) => {
      for (const length of lengths) {
        const alike = left.get(text.slice(offset, offset + length)) ?? [];
        for (let at = alike.length - 1; at >= Math.max(0, alike.length - mostAlike); at--) {
          const piece = alike[at] as Piece; // at is in range
          const { own, isClosed } = piece;
          const isWhole = isClosed || offset + own.text.length === text.length;
          if (!isWhole || !text.startsWith(own.text, offset)) continue;
          alike.splice(at, 1);
          return piece;
        }
      }
      return undefined;
    },
  };
}

function readPiece(file: SourceFile, offset: number): Piece | 'none' | undefined {
  const { text, name } = file;
  const found = statementFrom(file, offset);
  if (found === undefined) return 'none';
  const own = { name, text: text.slice(offset, found.end === undefined ? text.length : found.end.endOffset + 1) };
  const alone = statementFrom(own, 0);
  if (alone === undefined) return undefined;
  const parsed = parsedStatement(alone, contextOf(own));
  // A message may name a line of the file. A statement with errors is read again each time, so it needs no text of its own.
  const isClosed = found.end !== undefined;
  return { own, isClosed, parsed: parsed.diagnostics.length === 0 ? parsed : parsedStatement(found, contextOf(file)) };
}

/** Reads from the offset itself: a byte order mark there is an error, except before the first statement of a file. */
function statementFrom(file: SourceFile, offset: number): StatementTokens | undefined {
  const { spanAt } = contextOf(file);
  return nextStatement(createScanner({ text: file.text, start: offset, end: file.text.length, spanAt }), spanAt);
}
