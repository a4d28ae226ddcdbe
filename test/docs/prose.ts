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
  const opaque: (readonly [start: number, end: number])[] = [];
  const visit = (node: ts.Node): void => {
    const value = literalText(node);
    if (value !== undefined && / /.test(value.trim())) add('message', node.getStart(file), value);
    if (value !== undefined || ts.isRegularExpressionLiteral(node)) opaque.push([node.getStart(file), node.getEnd()]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  for (const [start, comment] of commentsOutside(text, opaque))
    add('comment', start, comment.replace(/\n\s*(\*|\/\/)(?!\/)/g, '\n'));
  return found;
}

/** The comments of a module, given the places of its texts and patterns: outside of these, the signs of a comment always begin one. */
function* commentsOutside(
  text: string,
  opaque: readonly (readonly [start: number, end: number])[],
): Iterable<readonly [start: number, comment: string]> {
  const ends = new Map(opaque);
  const next = /\/\/.*|\/\*[^]*?\*\/|['"`}/]/g;
  for (let match = next.exec(text); match !== null; match = next.exec(text)) {
    const end = ends.get(match.index);
    if (end !== undefined) next.lastIndex = end;
    else if (match[0].length > 1) yield [match.index, match[0]];
  }
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
