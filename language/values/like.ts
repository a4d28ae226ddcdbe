/**
 * LIKE and ILIKE: `%` matches any text, `_` one character; an escape character may precede either. The cost is linear in the text and in the
 * pattern, except for a piece between two `%` with a `_` between other characters, whose length is limited.
 */
import { fail } from '../failure/failure.ts';
import { lower } from './case-mapping.ts';
import { createFind, type Find } from './search.ts';

/** A part of a pattern between two `%`. */
interface Piece {
  /** Code points, and `anyOne` for `_`. */
  readonly codes: readonly number[];
  readonly find: Find;
}

interface Pattern {
  readonly pieces: readonly Piece[];
  /** The last piece ends with the escape character, which fails where a character is left for it. */
  readonly unfinished: boolean;
}

const anyOne = -1;

/** The most characters of a piece that is sought everywhere in a text and has a `_` between others. */
export const longestPiece = 1000;

const last = { pattern: '', escape: '', read: { pieces: [], unfinished: false } as Pattern };

/** Whether the whole text matches. `escape` is one character, or '' for none. */
export function like(text: string, pattern: string, escape: string): boolean {
  if (last.read.pieces.length === 0 || last.pattern !== pattern || last.escape !== escape) {
    last.read = readPattern(pattern, escape);
    last.pattern = pattern;
    last.escape = escape;
  }
  return matches(codesOf(text), last.read);
}

/** `like` without regard to case (simple case mapping). */
export function ilike(text: string, pattern: string, escape: string): boolean {
  return like(lower(text), lower(pattern), lower(escape));
}

function codesOf(text: string): Int32Array {
  const codes = new Int32Array(text.length);
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) ?? 0;
    codes[length++] = code;
    if (code > 0xffff) at++;
  }
  return codes.subarray(0, length);
}

function readPattern(pattern: string, escape: string): Pattern {
  if (Array.from(escape).length > 1)
    throw fail('R0205', { function: 'LIKE', problem: 'ESCAPE takes one character or none' });
  const sign = escape.codePointAt(0);
  const codes = codesOf(pattern);
  let piece: number[] = [];
  const pieces = [piece];
  let unfinished = false;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    if (code === sign) {
      const escaped = codes[++at];
      if (escaped === undefined) unfinished = true;
      else piece.push(escaped);
    } else if (code === 0x25) pieces.push((piece = []));
    else piece.push(code === 0x5f ? anyOne : code);
  }
  const read = pieces.map((found, index) => {
    const isSought = index > 0 && (index < pieces.length - 1 || unfinished);
    return { codes: found, find: isSought ? finder(found) : noFind };
  });
  return { pieces: read, unfinished };
}

const noFind: Find = () => -1;

/**
 * The first piece is at the start and the last one at the end. Each of the others is taken where it occurs first: a later occurrence gives
 * no other matches. A pattern that ends with its escape character fails when it meets a character, as in PostgreSQL.
 */
function matches(text: Int32Array, { pieces, unfinished }: Pattern): boolean {
  const ends = pieces.length - 1;
  let at = 0;
  for (const [index, { codes, find }] of pieces.entries()) {
    const isLast = index === ends;
    const place = index === 0 ? 0 : isLast && !unfinished ? text.length - codes.length : find(text, at);
    if (place < at || (find === noFind && !standsAt(text, codes, place))) return false;
    at = place + codes.length;
  }
  if (!unfinished) return at === text.length;
  if (at < text.length)
    throw fail('R0205', { function: 'LIKE', problem: 'the pattern must not end with the escape character' });
  return false;
}

function standsAt(text: Int32Array, codes: readonly number[], at: number): boolean {
  if (at + codes.length > text.length) return false;
  return codes.every((code, index) => code === anyOne || code === text[at + index]);
}

function finder(codes: readonly number[]): Find {
  const isOther = (code: number): boolean => code !== anyOne;
  const start = codes.findIndex(isOther);
  // Any characters at either end only need room.
  if (start < 0) return (text, from) => (from + codes.length <= text.length ? from : -1);
  const inner = codes.slice(start, codes.findLastIndex(isOther) + 1);
  const find = inner.includes(anyOne) ? findWithGaps(inner) : createFind(inner);
  return (text, from) => {
    const place = find(text, from + start) - start;
    return place >= from && place + codes.length <= text.length ? place : -1;
  };
}

/** Keeps a bit for each beginning of the piece that ends at the present character, 32 in one step. */
function findWithGaps(piece: readonly number[]): Find {
  if (piece.length > longestPiece)
    throw fail('R0205', {
      function: 'LIKE',
      problem: `a part of the pattern between two % that has a _ takes at most ${longestPiece} characters`,
    });
  const words = Math.ceil(piece.length / 32);
  const gaps = new Int32Array(words);
  const masks = new Map<number, Int32Array>();
  const set = (mask: Int32Array, at: number): void => {
    mask[at >> 5] = (mask[at >> 5] ?? 0) | (1 << (at & 31));
  };
  for (const [at, code] of piece.entries()) if (code === anyOne) set(gaps, at);
  for (const [at, code] of piece.entries()) {
    if (code === anyOne) continue;
    const mask = masks.get(code) ?? gaps.slice();
    masks.set(code, mask);
    set(mask, at);
  }
  const end = piece.length - 1;
  return (text, from) => {
    const state = new Int32Array(words);
    for (let at = from; at < text.length; at++) {
      const mask = masks.get(text[at] ?? 0) ?? gaps;
      let carried = 1;
      for (let word = 0; word < words; word++) {
        const before = state[word] ?? 0;
        state[word] = ((before << 1) | carried) & (mask[word] ?? 0);
        carried = before >>> 31;
      }
      if (((state[end >> 5] ?? 0) >>> (end & 31)) & 1) return at - end;
    }
    return -1;
  };
}
