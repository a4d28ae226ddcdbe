import { walk } from '../../syntax/walk.ts';
import type { Expression, Statement, StringLiteral } from '../../syntax/ast.ts';
import type { Span } from '../../../language/source/span.ts';

/** A text that names an event: its name, and its place within the quotes. */
export interface EventText {
  readonly event: string;
  readonly span: Span;
}

const found = new WeakMap<Statement, readonly EventText[]>();

/** The texts that a column `event_type` is compared with: `=`, `<>`, IN and CASE. Names of events are compared exactly, letter case included. */
export function eventTextsIn(statement: Statement): readonly EventText[] {
  const known = found.get(statement);
  if (known !== undefined) return known;
  const texts = findEventTexts(statement);
  found.set(statement, texts);
  return texts;
}

function findEventTexts(statement: Statement): readonly EventText[] {
  const literals: StringLiteral[] = [];
  const add = (subject: Expression | undefined, values: readonly Expression[]): void => {
    if (subject === undefined || !isEventType(subject)) return;
    literals.push(...values.flatMap((value) => (value.kind === 'StringLiteral' ? [value] : [])));
  };
  walk(statement, (node) => {
    if (node.kind === 'Binary' && (node.operator === '=' || node.operator === '<>')) {
      add(node.left, [node.right]);
      add(node.right, [node.left]);
    } else if (node.kind === 'InList') add(node.operand, node.list);
    else if (node.kind === 'Case')
      add(
        node.operand,
        node.branches.map(({ when }) => when),
      );
  });
  return literals.flatMap(({ value, span }) => {
    const isPlain = span.file.text.startsWith("'", span.start) && span.end - span.start >= 2;
    return isPlain ? [{ event: value, span: { ...span, start: span.start + 1, end: span.end - 1 } }] : [];
  });
}

function isEventType(subject: Expression): boolean {
  return subject.kind === 'ColumnReference' && subject.path.at(-1)?.text.toLowerCase() === 'event_type';
}
