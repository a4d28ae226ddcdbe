import { kindsByStatement, type BlockKind } from '../../language/contract/block-kind.ts';
import type { SourceFile } from '../../language/source/source-file.ts';
import { isBlockStatement, type Node, type Statement } from '../syntax/ast.ts';
import { declarationsIn } from '../syntax/declarations.ts';
import { findComments } from '../syntax/format/comments.ts';
import { childrenOf } from '../syntax/children.ts';
import { parsedText } from './parsed-text.ts';

export interface OutlineItem {
  readonly name: string;
  readonly kind: BlockKind | 'part' | 'statement';
  readonly start: number;
  readonly end: number;
  readonly nameStart: number;
  readonly nameEnd: number;
  readonly parts: readonly OutlineItem[];
}

/** The statements of a text with the parts that blocks declare; a broken one with the blocks that it would create. */
export function outlineOf(file: SourceFile): readonly OutlineItem[] {
  return parsedText(file).statements.map(({ span, textSpan, statement, lost }): OutlineItem => {
    const place = { start: span.start, end: textSpan.end };
    if (statement !== undefined) return { ...place, ...outlined(statement) };
    const [block] = lost?.named ?? [];
    const name = block?.name ?? firstLine(file, span.start);
    return { ...place, name, kind: block?.kind ?? 'statement', nameStart: span.start, nameEnd: span.start, parts: [] };
  });
}

function outlined(statement: Statement): Omit<OutlineItem, 'start' | 'end'> {
  const { span } = statement;
  if (!isBlockStatement(statement)) {
    const name = firstLine(span.file, span.start);
    return { name, kind: 'statement', nameStart: span.start, nameEnd: span.start, parts: [] };
  }
  const [own, ...parts] = declarationsIn(statement);
  const nameSpan = own?.name.span ?? span;
  return {
    name: statement.name.text,
    kind: kindsByStatement.get(statement.kind) ?? 'statement',
    nameStart: nameSpan.start,
    nameEnd: nameSpan.end,
    parts: parts.map(({ name }) => ({
      name: name.text,
      kind: 'part' as const,
      start: name.span.start,
      end: name.span.end,
      nameStart: name.span.start,
      nameEnd: name.span.end,
      parts: [],
    })),
  };
}

function firstLine({ text }: SourceFile, start: number): string {
  const line = /^[^\n;]*/.exec(text.slice(start, start + 60))?.[0].trim() ?? '';
  return line === '' ? 'statement' : line;
}

/** Statements and comments of several lines. */
export function foldsOf(
  file: SourceFile,
): readonly { readonly start: number; readonly end: number; readonly comment: boolean }[] {
  const statements = parsedText(file).statements.map(({ textSpan }) => ({ ...textSpan, comment: false }));
  const comments: { start: number; end: number; comment: boolean }[] = [];
  for (const { start, end } of findComments(file)) {
    const last = comments.at(-1);
    // Lines of comments below each other fold together.
    if (last !== undefined && /^[ \t]*\r?\n[ \t]*$/.test(file.text.slice(last.end, start))) last.end = end;
    else comments.push({ start, end, comment: true });
  }
  return [...statements, ...comments]
    .filter(({ start, end }) => file.text.slice(start, end).includes('\n'))
    .map(({ start, end, comment }) => ({ start, end, comment }));
}

/** The ranges around a place, innermost first: name, expression, clause, statement, text. */
export function rangesAround(
  file: SourceFile,
  offset: number,
): readonly { readonly start: number; readonly end: number }[] {
  const whole = { start: 0, end: file.text.length };
  const parsed = parsedText(file).statements.find(({ textSpan }) => textSpan.start <= offset && offset <= textSpan.end);
  if (parsed === undefined) return [whole];
  const ranges: { start: number; end: number }[] = [whole, parsed.textSpan];
  for (let node: Node | undefined = parsed.statement; node !== undefined;) {
    ranges.push(node.span);
    node = childrenOf(node).find(({ span }) => span.file === file && span.start <= offset && offset <= span.end);
  }
  return ranges
    .filter(
      (range, index) =>
        index === 0 || range.start > (ranges[index - 1]?.start ?? 0) || range.end < (ranges[index - 1]?.end ?? 0),
    )
    .map(({ start, end }) => ({ start, end }))
    .reverse();
}
