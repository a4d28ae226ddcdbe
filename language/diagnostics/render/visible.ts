/**
 * Text that is safe on a terminal: characters that could move the cursor, hide, or reverse the reading direction are replaced by their
 * names. Takes any text, gives one line; tabs become spaces up to the next multiple of `tabWidth` cells.
 */
import { cellWidth } from './cell-width.ts';

/** A shown character: its text, its cells, and its range of the source, in UTF-16 units. */
export interface Cell {
  readonly text: string;
  readonly width: number;
  readonly start: number;
  readonly end: number;
}

const tabWidth = 4;
// Controls, line separators, formats (directions, joiners, invisible marks), lone surrogates, private use.
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u;
const plain = /^[ -~]$/;
/** Created on first use: it takes longer than everything else here. */
let clusters: Intl.Segmenter | undefined;

/** The shown characters of a line, in order; `offset` is where `text` starts in the source line. */
export function cellsOf(text: string, offset = 0): readonly Cell[] {
  const cells: Cell[] = [];
  let column = 0;
  const add = (shown: string, width: number, start: number, end: number): void => {
    cells.push({ text: shown, width, start: offset + start, end: offset + end });
    column += width;
  };
  clusters ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  for (const { segment, index } of clusters.segment(text)) {
    if (segment === '\t') {
      const width = tabWidth - (column % tabWidth);
      add(' '.repeat(width), width, index, index + 1);
    } else if (plain.test(segment)) add(segment, 1, index, index + 1);
    else if (!hidden.test(segment)) add(segment, cellWidth(segment), index, index + segment.length);
    else {
      let at = index;
      for (const character of segment) {
        const shown = hidden.test(character) ? nameOf(character) : character;
        add(shown, cellWidth(shown), at, at + character.length);
        at += character.length;
      }
    }
  }
  return cells;
}

/** Any text as one harmless line, for messages and names of files. */
export function visibleText(text: string): string {
  return hidden.test(text)
    ? cellsOf(text)
        .map((cell) => cell.text)
        .join('')
    : text;
}

/** A control picture for C0 and DEL, `<U+202E>` for the rest. */
function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code === 0x7f) return '\u2421';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
