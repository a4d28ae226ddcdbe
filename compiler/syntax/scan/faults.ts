import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import { diagnose } from '../../../language/diagnostics/diagnose.ts';
import type { Span } from '../../../language/source/span.ts';
import { shortened } from '../tokens/token-text.ts';

/** Scan errors in place of a token; each is one diagnostic. */
export const scanFaults = {
  stray: (span: Span, text: string): Diagnostic => diagnose('E0104', span, { text: visible(text) }),
  openString: (span: Span): Diagnostic => diagnose('E0105', span, {}),
  openName: (span: Span): Diagnostic => diagnose('E0106', span, {}),
  openComment: (span: Span): Diagnostic => diagnose('E0107', span, {}),
  number: (span: Span, text: string): Diagnostic => diagnose('E0108', span, { text: shortened(text) }),
  emptyName: (span: Span): Diagnostic => diagnose('E0109', span, {}),
  forbidden: (span: Span, text: string): Diagnostic => diagnose('E0110', span, { text: visible(text) }),
  colon: (span: Span): Diagnostic => diagnose('E0116', span, {}),
  placeholder: (span: Span, text: string): Diagnostic => diagnose('E0501', span, { text: shortened(text) }),
} as const;

/** A text in displayable form: printable ASCII unchanged, the first other character also by its code point. */
function visible(text: string): string {
  const code = text.codePointAt(0) ?? 0;
  if (code > 0x20 && code < 0x7f) return `'${shortened(text)}'`;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  return /^[\p{L}\p{N}\p{S}\p{P}]/u.test(text) ? `'${shortened(text)}' (${name})` : name;
}
