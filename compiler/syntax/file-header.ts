import { kindsByStatement, kindTable } from '../../language/contract/block-kind.ts';
import { diagnose } from '../../language/diagnostics/diagnose.ts';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import { isBlockStatement, type Node } from './ast.ts';
import { childrenOf } from './children.ts';
import type { ParsedStatement } from './parse.ts';
import { startWithDoc } from './scan/doc-comments.ts';

/**
 * Reports a doc comment that begins a text of several statements and is the only one there: its author may have meant the whole text, which an
 * empty line below it says.
 */
export function headerHints(parsed: readonly ParsedStatement[]): readonly Diagnostic[] {
  const [first, ...others] = parsed.map(({ statement }) => statement);
  if (first === undefined || !isBlockStatement(first) || first.doc === undefined || others.length === 0) return [];
  const { file, start: below } = first.span;
  const start = startWithDoc(file.text, below, first.doc);
  if (file.text.slice(0, start).trim() !== '') return [];
  const documents = (node: Node): boolean => hasDoc(node) || childrenOf(node).some(hasDoc);
  if (childrenOf(first).some(hasDoc) || others.some((other) => other === undefined || documents(other))) return [];
  const at = file.text.lastIndexOf('\n', below - 1) + 1;
  const kind = kindsByStatement.get(first.kind);
  const block = `${kind === undefined ? 'block' : kindTable[kind].word} '${first.name.text}'`;
  const line = file.text.slice(start, file.text.indexOf('\n', start)).trimEnd();
  const span = { file, start, end: start + line.length };
  const fix = { title: 'make it a comment of the whole text', span: { file, start: at, end: at }, replacement: '\n' };
  return [diagnose('E0123', span, { block }, { fix })];
}

/** Whether a node has a doc comment: only blocks and their fields have one. */
function hasDoc(node: Node): boolean {
  return 'doc' in node;
}
