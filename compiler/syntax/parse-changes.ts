/**
 * Parses mostly unchanged texts: only the changed statements of a file are parsed again. Each statement is parsed as a text of its own, so
 * that its tree stays valid wherever it moves; `placeOf` gives its present place.
 */
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Span } from '../../language/source/span.ts';
import type { Statement } from './ast.ts';
import { checkSize, contextOf, parseScript, textStart } from './parse.ts';
import { createScanner } from './scan/scanner.ts';
import { nextStatement } from './scan/split.ts';

export interface ChangeParser {
  /** The statements of these files; undefined when any of their text has errors, which `parseScript` then reports. */
  readonly parse: (files: readonly SourceFile[]) => readonly Statement[] | undefined;
  /** The present place of a span from the last returned trees, in its file. */
  readonly currentSpan: (span: Span) => Span;
}

interface Piece {
  /** From the first non-blank character after the previous statement, comments included, to the `;`, or to the end of the file. */
  readonly own: SourceFile;
  readonly statement: Statement;
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
  let places = new WeakMap<SourceFile, Place>();

  return {
    parse: (files) => {
      const next = new Map<string, readonly PlacedPiece[]>();
      places = new WeakMap();
      for (const file of files) {
        const pieces = piecesOf(file, known.get(file.name) ?? []);
        if (pieces === undefined) return undefined;
        next.set(file.name, pieces);
        for (const { own, offset } of pieces) places.set(own, { file, offset });
      }
      known = next;
      return [...next.values()].flatMap((pieces) => pieces.map(({ statement }) => statement));
    },
    currentSpan: (span) => moved(span, places),
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
function piecesOf(file: SourceFile, before: readonly Piece[]): readonly PlacedPiece[] | undefined {
  if (checkSize(file) !== undefined) return undefined;
  const pieces: PlacedPiece[] = [];
  const earlier = createEarlierPieces(before);
  for (let offset = skipBlanks(file.text, 0); offset < file.text.length;) {
    const piece = earlier.take(file.text, offset) ?? readPiece(file, offset);
    if (piece === 'none') break;
    if (piece === undefined) return undefined;
    pieces.push({ ...piece, offset });
    offset = skipBlanks(file.text, offset + piece.own.text.length);
  }
  return pieces;
}

function skipBlanks(text: string, from: number): number {
  const blanks = /[ \t\r\n]*/y;
  blanks.lastIndex = from;
  blanks.test(text);
  return blanks.lastIndex;
}

/** Gives the earlier piece with the same text, each once: one tree has one place. */
function createEarlierPieces(before: readonly Piece[]): {
  readonly take: (text: string, offset: number) => Piece | undefined;
} {
  const left = new Set(before);
  let expected = 0;
  return {
    take: (text, offset) => {
      for (let step = 0; step < before.length; step++) {
        const index = (expected + step) % before.length;
        const piece = before[index];
        if (piece === undefined || !left.has(piece)) continue;
        const { text: own } = piece.own;
        const whole = own.endsWith(';') || offset + own.length === text.length;
        if (!whole || !text.startsWith(own, offset)) continue;
        left.delete(piece);
        expected = index + 1;
        return piece;
      }
      return undefined;
    },
  };
}

function readPiece(file: SourceFile, offset: number): Piece | 'none' | undefined {
  const { text, name } = file;
  const start = offset === 0 ? textStart(file) : offset;
  const scanner = createScanner({ text, start, end: text.length, spanAt: contextOf(file).spanAt });
  const found = nextStatement(scanner, contextOf(file).spanAt);
  if (found === undefined) return 'none';
  const own = { name, text: text.slice(offset, found.end === undefined ? text.length : found.end.endOffset + 1) };
  const { statements, diagnostics } = parseScript(own);
  const statement = statements[0]?.statement;
  return statement === undefined || statements.length !== 1 || diagnostics.length > 0 ? undefined : { own, statement };
}
