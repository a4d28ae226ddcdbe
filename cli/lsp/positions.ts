import { TextDocument } from 'vscode-languageserver-textdocument';
import type { Position, Range } from 'vscode-languageserver-protocol/node';
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Span } from '../../language/source/span.ts';

const documents = new WeakMap<SourceFile, TextDocument>();

/** Positions in a text count UTF-16 units, and lines end as in the protocol. */
export function documentOf(file: SourceFile): TextDocument {
  const known = documents.get(file);
  if (known !== undefined) return known;
  const made = TextDocument.create(file.name, 'schemac', 0, file.text);
  documents.set(file, made);
  return made;
}

export function rangeOf(span: Pick<Span, 'file' | 'start' | 'end'>): Range {
  const document = documentOf(span.file);
  return { start: document.positionAt(span.start), end: document.positionAt(span.end) };
}

/** A position behind the end of its line is that end; one between the two units of a character is before the character. */
export function offsetOf(file: SourceFile, position: Position): number {
  const offset = documentOf(file).offsetAt(position);
  const inCharacter = /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(file.text.slice(offset - 1, offset + 1));
  return inCharacter ? offset - 1 : offset;
}
