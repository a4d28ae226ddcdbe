import type { SourceFile } from './source-file.ts';

/** A range of a source text: `start` inclusive, `end` exclusive, in UTF-16 units from 0. */
export interface Span {
  readonly file: SourceFile;
  readonly start: number;
  readonly end: number;
  /** Inside a template's expansion: the APPLY (or the place in an outer template) that made it. */
  readonly applied?: Span;
}

/** The span of a name or a text without the quotes that it may be written in. */
export function withoutQuotes(span: Span): Span {
  const { file, start, end } = span;
  const first = file.text[start];
  const quoted = end - start >= 2 && (first === '"' || first === "'") && file.text[end - 1] === first;
  return quoted ? { ...span, start: start + 1, end: end - 1 } : span;
}

/** The outermost place that was written in this text: the APPLY for an expansion, else the span itself. */
export function writtenSpan(span: Span): Span {
  let at = span;
  while (at.applied !== undefined) at = at.applied;
  return at;
}
