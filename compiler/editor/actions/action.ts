import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { Span } from '../../../language/source/span.ts';
import { formatScript } from '../../syntax/format/format-script.ts';
import type { Edit } from '../rename.ts';

export interface Action {
  readonly title: string;
  readonly edits: readonly Edit[];
  /** The finding that it repairs; without one it is offered anyway. */
  readonly about?: Diagnostic;
}

/** Puts statements, in canonical form, before the statement. */
export function before({ file, start }: Span, text: string): Edit {
  return { span: { file, start, end: start }, text: lineEnds(file.text, formatted(text)) };
}

/** Puts statements, in canonical form, behind the statement and its `;`, each beginning a line. */
export function behind({ file, end }: Span, text: string): Edit {
  const semicolon = /^\s*;/.exec(file.text.slice(end))?.[0].length ?? 0;
  const at = end + semicolon;
  const made = `${semicolon === 0 ? ';' : ''}\n${formatted(text).trimEnd()}`;
  return { span: { file, start: at, end: at }, text: lineEnds(file.text, made) };
}

function formatted(text: string): string {
  return formatScript({ name: 'action', text }).text ?? text;
}

function lineEnds(text: string, made: string): string {
  return text.includes('\r\n') ? made.replaceAll('\n', '\r\n') : made;
}
