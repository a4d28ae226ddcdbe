/**
 * Parses texts that are mostly what they were: of a file that has changed only the statements that are different are read again. Each
 * statement is read as a text of its own, so that its tree stays good wherever it moves; `placeOf` says where it stands now.
 */
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Span } from '../../language/source/span.ts';
import type { Statement } from './ast.ts';
import { checkSize, contextOf, parseScript, textStart } from './parse.ts';
import { createScanner } from './scan/scanner.ts';
import { nextStatement } from './scan/split.ts';

export interface ChangeParser {
  /** The statements of these files; undefined when any of their text is at fault, which `parseScript` then tells. */
  readonly parse: (files: readonly SourceFile[]) => readonly Statement[] | undefined;
  /** A span of a tree given last, in its file as that is now. */
  readonly currentSpan: (span: Span) => Span;
}

interface Piece {
  /** From what is no blank behind the statement before, comments included, to the `;`, or to the end of the file. */
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

/** Statements are read from left to right, so one that begins at the end of another and says the same is the same. */
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

/** Gives the earlier piece that stands at a place of the text, each once: one tree has one place. */
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
