import type { Span } from '../source/span.ts';

export type Severity = 'error' | 'warning' | 'info';

/** A text edit that repairs what a diagnostic names. */
export interface Fix {
  readonly title: string;
  readonly span: Span;
  readonly replacement: string;
}

/** A second range that explains the first ("first declared here"). */
export interface Related {
  readonly message: string;
  readonly span: Span;
}

/** A finding about a text (docs/language.md#scripts). Codes are stable; see `codes/`. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly span: Span;
  readonly related: readonly Related[];
  readonly fix?: Fix;
}

/** Receives the findings of a phase; a phase never throws on bad input. */
export type Report = (diagnostic: Diagnostic) => void;
