import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../kit/tool.ts';

/** A piece of English in a file of the project: a comment, a message, or a page outside its samples. */
export interface Prose {
  readonly path: string;
  /** Counts from 1. */
  readonly line: number;
  readonly kind: 'comment' | 'message' | 'page';
  readonly text: string;
}

/** The comments of a module, and its string literals that read like sentences: two words at least. */
export function proseOfModule(path: string): readonly Prose[] {
  const text = readFileSync(join(root, path), 'utf8');
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  const found: Prose[] = [];
  const add = (kind: Prose['kind'], start: number, value: string): void => {
    found.push({ path, line: file.getLineAndCharacterOfPosition(start).line + 1, kind, text: value });
  };
  const comments = new Map<number, string>();
  const visit = (node: ts.Node): void => {
    for (const range of [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ])
      comments.set(range.pos, text.slice(range.pos, range.end));
    const value = literalText(node);
    if (value !== undefined && / /.test(value.trim())) add('message', node.getStart(file), value);
    node.getChildren(file).forEach(visit);
  };
  visit(file);
  for (const [start, comment] of comments) add('comment', start, comment.replace(/\n\s*(\*|\/\/)(?!\/)/g, '\n'));
  return found;
}

function literalText(node: ts.Node): string | undefined {
  if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (ts.isTemplateHead(node) || ts.isTemplateMiddle(node) || ts.isTemplateTail(node)) return node.text;
  return undefined;
}

/** A page by its lines, without fences, inline code and comments of its source. */
export function proseOfPage(path: string): readonly Prose[] {
  const blank = (sample: string): string => sample.replace(/[^\n]/g, ' ');
  return readFileSync(join(root, path), 'utf8')
    .replace(/^```[^]*?^```$/gm, blank)
    .replace(/<!--[^]*?-->/g, blank)
    .replace(/`[^`\n]*`/g, blank)
    .split('\n')
    .map((text, index) => ({ path, line: index + 1, kind: 'page' as const, text }))
    .filter(({ text }) => text.trim() !== '');
}
