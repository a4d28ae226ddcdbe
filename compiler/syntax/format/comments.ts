import type { SourceFile } from '../../../language/source/source-file.ts';
import { textStart } from '../parse.ts';
import { createScanner } from '../scan/scanner.ts';

/** A comment of a text. */
export interface Comment {
  readonly start: number;
  readonly end: number;
  /** Without white space at its end. */
  readonly text: string;
}

/** Every comment of a text, in order. */
export function findComments(file: SourceFile): readonly Comment[] {
  const comments: Comment[] = [];
  const scanner = createScanner({
    text: file.text,
    start: textStart(file),
    end: file.text.length,
    spanAt: (start, end) => ({ file, start, end }),
    onComment: (start, end) => comments.push({ start, end, text: file.text.slice(start, end).trimEnd() }),
  });
  while (scanner.next() !== undefined);
  return comments;
}

/** True for `--= …`, the expectation of a test for the statement before it. */
export function isExpectation(comment: Comment): boolean {
  return comment.text.startsWith('--=');
}
