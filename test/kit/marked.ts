import type { SourceFile } from '../../language/source/source-file.ts';
import { placeOf } from '../../language/source/source-file.ts';
import type { Span } from '../../language/source/span.ts';

/** A source without its marks, and the ranges that they enclosed, in the order of their openings. */
export interface Marked {
  readonly file: SourceFile;
  readonly text: string;
  readonly spans: readonly Span[];
}

/**
 * Reads a source in which `«` and `»` enclose ranges: `CREATE DECISION D FOR «Tonk» …`. Marks may nest; an empty pair
 * marks a position. `name` is shown in diagnostics.
 */
export function marked(source: string, name = 'test.schema'): Marked {
  const open: { start: number; index: number }[] = [];
  const ranges: { start: number; end: number }[] = [];
  let text = '';
  for (const character of source) {
    if (character === '«') {
      open.push({ start: text.length, index: ranges.length });
      ranges.push({ start: text.length, end: text.length });
    } else if (character === '»') {
      const begun = open.pop();
      if (begun === undefined) throw new Error(`a mark closes that never opened: ${source}`);
      ranges[begun.index] = { start: begun.start, end: text.length };
    } else text += character;
  }
  if (open.length > 0) throw new Error(`a mark is not closed: ${source}`);
  const file = { name, text };
  return { file, text, spans: ranges.map((range) => ({ file, ...range })) };
}

/** `1:5-1:9 text`: a range for people to compare; the text is cut after 40 characters. */
export function showSpan(span: Span): string {
  const start = placeOf(span.file, span.start);
  const end = placeOf(span.file, span.end);
  const text = JSON.stringify(span.file.text.slice(span.start, Math.min(span.end, span.start + 40)));
  return `${start.line}:${start.column}-${end.line}:${end.column} ${text}`;
}
