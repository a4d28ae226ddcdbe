import { placeOf } from '../source/source-file.ts';
import type { Span } from '../source/span.ts';
import type { Diagnostic, Fix } from './diagnostic.ts';
import { fixesOf } from './fixes.ts';

/** A range for programs: lines and columns count from 1, the end is exclusive. */
export interface JsonRange {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly end_line: number;
  readonly end_column: number;
}
type JsonFix = { readonly title: string; readonly replacement: string } & JsonRange;

/** The form of a diagnostic in every `--json` output. */
export interface JsonDiagnostic extends JsonRange {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly related?: readonly ({ readonly message: string } & JsonRange)[];
  readonly fix?: JsonFix;
  /** Further replacements: the second name that the message offers. */
  readonly other_fixes?: readonly JsonFix[];
}

export function diagnosticJson(diagnostic: Diagnostic): JsonDiagnostic {
  const { code, severity, message, related } = diagnostic;
  const [fix, ...others] = fixesOf(diagnostic).map(fixJson);
  return {
    code,
    severity,
    message,
    ...rangeJson(diagnostic.span),
    ...(related.length === 0
      ? {}
      : { related: related.map((second) => ({ message: second.message, ...rangeJson(second.span) })) }),
    ...(fix === undefined ? {} : { fix }),
    ...(others.length === 0 ? {} : { other_fixes: others }),
  };
}

function fixJson({ title, replacement, span }: Fix): JsonFix {
  return { title, replacement, ...rangeJson(span) };
}

function rangeJson(span: Span): JsonRange {
  const start = placeOf(span.file, span.start);
  const end = placeOf(span.file, span.end);
  return { file: span.file.name, line: start.line, column: start.column, end_line: end.line, end_column: end.column };
}
