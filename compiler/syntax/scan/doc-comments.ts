/**
 * Doc comments (docs/language.md#doc-comments): lines of `--- text` directly above a block or a field. Everything else in `--` is an
 * ordinary comment.
 */

/** Gathers the doc comments of a text while it is scanned. */
export interface DocCollector {
  /** A comment, in the order of the text. */
  readonly comment: (start: number, end: number) => void;
  /** The text of the doc comments directly above the token at `start`, one line for each. */
  readonly take: (start: number) => string | undefined;
}

export function createDocCollector(text: string): DocCollector {
  let lines: string[] = [];
  let lastEnd = 0;
  return {
    comment: (start, end) => {
      const line = docLine(text, start, end);
      if (lines.length > 0 && (line === undefined || !isNextLine(text, lastEnd, start))) lines = [];
      if (line === undefined) return;
      lines.push(line);
      lastEnd = end;
    },
    take: (start) => {
      if (lines.length === 0) return undefined;
      const found = lines;
      lines = [];
      return isNextLine(text, lastEnd, start) ? found.join('\n') : undefined;
    },
  };
}

/** The text of a comment that can be a doc comment: three dashes and a blank, alone on its line, and not a banner like `--- Rentals ---`. */
export function docLine(text: string, start: number, end: number): string | undefined {
  if (!/^---[ \t]/.test(text.slice(start, start + 4))) return undefined;
  const written = text.slice(start + 4, end).trimEnd();
  if (written.trim() === '' || written.endsWith('--')) return undefined;
  const isAlone = text.slice(text.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
  return isAlone || start === 0 ? written : undefined;
}

/** Whether `start` is on the line after `end`, with only blanks between them. */
function isNextLine(text: string, end: number, start: number): boolean {
  const lineEnd = text.indexOf('\n', end);
  if (lineEnd < 0 || lineEnd >= start) return false;
  const next = text.indexOf('\n', lineEnd + 1);
  return (next < 0 || next >= start) && text.slice(end, start).trim() === '';
}

/** The lines of a doc comment as written above a block or a field. */
export function docCommentLines(doc: string): readonly string[] {
  return doc.split('\n').map((line) => `--- ${line}`);
}

/** The start of the line on which the doc comment above `start` begins; `start` itself without one. */
export function startWithDoc(text: string, start: number, doc: string | undefined): number {
  if (doc === undefined) return start;
  let at = text.lastIndexOf('\n', start - 1) + 1;
  for (let left = doc.split('\n').length; left > 0; left--) at = text.lastIndexOf('\n', at - 2) + 1;
  return at;
}
