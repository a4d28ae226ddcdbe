/**
 * `schemac fmt`: a script in canonical layout, with every comment in its place. Takes a text; gives it in the new layout, or the
 * diagnostics of a text that does not parse. Formatting the result again changes nothing.
 */
import type { Diagnostic } from '../../../language/diagnostics/diagnostic.ts';
import type { SourceFile } from '../../../language/source/source-file.ts';
import type { Statement } from '../ast.ts';
import { parseScript, type ParsedStatement } from '../parse.ts';
import { printWidth } from '../print.ts';
import { render } from '../print/doc.ts';
import { statementDoc } from '../print/statement.ts';
import { findComments, isExpectation, type Comment } from './comments.ts';
import { weaveComments } from './weave.ts';

export interface FormattedScript {
  /** Absent when the text does not parse. */
  readonly text?: string;
  readonly diagnostics: readonly Diagnostic[];
}

/** Lines of the result: a statement, or a comment between statements. */
interface Item {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly kind: 'statement' | 'comment' | 'expectation';
}

export function formatScript(file: SourceFile): FormattedScript {
  const { statements, diagnostics } = parseScript(file);
  if (diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics };
  return { text: layOut(file, itemsOf(file, statements)), diagnostics };
}

function itemsOf(file: SourceFile, statements: readonly ParsedStatement[]): readonly Item[] {
  const comments = findComments(file);
  const items: Item[] = [];
  let at = 0;
  const takeUntil = (end: number): readonly Comment[] => {
    const from = at;
    while (at < comments.length && (comments[at] as Comment).start < end) at++; // the index is in range
    return comments.slice(from, at);
  };
  for (const { statement, span, textSpan } of statements) {
    if (statement === undefined) continue;
    items.push(...takeUntil(span.start).map(commentItem));
    const body = statement.kind === 'CreateTemplate' ? statement.body : { start: 0, end: 0 };
    const inside = takeUntil(span.end).filter(({ start }) => start < body.start || start >= body.end);
    const text = formatStatement(file, statement, inside, span);
    items.push(
      { text, start: span.start, end: textSpan.end, kind: 'statement' },
      ...takeUntil(textSpan.end).map(commentItem),
    );
  }
  return [...items, ...takeUntil(Infinity).map(commentItem)];
}

function commentItem(comment: Comment): Item {
  return { ...comment, kind: isExpectation(comment) ? 'expectation' : 'comment' };
}

/** A statement whose comments cannot be placed stays as written; one with separate groups has its clauses on lines of their own. */
function formatStatement(
  file: SourceFile,
  statement: Statement,
  comments: readonly Comment[],
  range: { readonly start: number; readonly end: number },
): string {
  const doc = statementDoc(statement, true);
  const typed = file.text.slice(range.start, range.end);
  if (comments.length > 0 || /\n\s*\n/.test(typed)) {
    const woven = weaveComments(file, range, comments, render(doc, { width: printWidth, breakClauses: true }));
    if (comments.length > 0) return `${woven?.text ?? typed};`;
    if (woven?.spaced === true) return `${woven.text};`;
  }
  return `${render(doc, { width: printWidth })};`;
}

/** Items on their own lines, with the author's blank lines, never more than one. Where all lines of the text end with CR LF, these do. */
function layOut({ text }: SourceFile, items: readonly Item[]): string {
  let out = '';
  let previous: Item | undefined;
  for (const item of items) {
    if (previous !== undefined) out += between(text, previous, item);
    out += item.text;
    previous = item;
  }
  if (out === '') return '';
  const ends = text.includes('\r\n') && !/(?<!\r)\n/.test(text) ? '\r\n' : '\n';
  return ends === '\n' ? `${out}\n` : `${out}\n`.replaceAll(/(?<!\r)\n/g, ends);
}

function between(text: string, previous: Item, item: Item): string {
  const gap = text.slice(previous.end, Math.max(previous.end, item.start));
  const lines = gap.split('\n').length - 1;
  if (item.kind === 'expectation') return '\n';
  const endsLine = previous.kind !== 'statement' && previous.text.startsWith('--');
  if (item.kind === 'comment' && lines === 0 && !endsLine) return ' ';
  return lines > 1 ? '\n\n' : '\n';
}
