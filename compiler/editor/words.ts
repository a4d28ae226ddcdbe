/**
 * Classes of the words and signs of a text, for colours that know more than a pattern can: keywords that are names
 * elsewhere, names by their role.
 */
import type { SourceFile } from '../../language/source/source-file.ts';
import type { Node } from '../syntax/ast.ts';
import { createScanner } from '../syntax/scan/scanner.ts';
import type { Token } from '../syntax/tokens/token.ts';
import { isWord } from '../syntax/tokens/token-text.ts';
import {
  Bind,
  Dot,
  Identifier,
  NumberToken,
  Placeholder,
  QuotedIdentifier,
  StringToken,
} from '../syntax/tokens/vocabulary.ts';
import { walk } from '../syntax/walk.ts';
import { parsedText } from './parsed-text.ts';

export const wordKinds = [
  'comment',
  'keyword',
  'string',
  'number',
  'parameter',
  'type',
  'function',
  'class',
  'event',
  'method',
  'property',
  'variable',
] as const;
export type WordKind = (typeof wordKinds)[number];

export interface ColouredWord {
  readonly start: number;
  readonly end: number;
  readonly kind: WordKind;
}

/** In the order of the text, without overlaps. Signs are left out. */
export function wordsOf(file: SourceFile): readonly ColouredWord[] {
  const names = namesIn(file);
  const words: ColouredWord[] = [];
  const scanner = createScanner({
    text: file.text,
    start: 0,
    end: file.text.length,
    spanAt: (start, end) => ({ file, start, end }),
    onComment: (start, end) => words.push({ start, end, kind: 'comment' }),
  });
  scanner.inTemplate = true; // a placeholder outside a template is an error elsewhere
  let afterDot = false;
  for (let token = scanner.next(); token !== undefined; token = scanner.next()) {
    const plain = plainKind(token);
    // Behind a dot a keyword is part of a name, as in the setting `envelope.commands`.
    const kind = names.get(token.startOffset) ?? (afterDot && plain === 'keyword' ? 'property' : plain);
    afterDot = token.tokenType === Dot;
    if (kind !== undefined) words.push({ start: token.startOffset, end: token.endOffset + 1, kind });
  }
  return words;
}

function plainKind(token: Token): WordKind | undefined {
  const type = token.tokenType;
  if (type === StringToken) return 'string';
  if (type === NumberToken) return 'number';
  if (type === Bind || type === Placeholder) return 'parameter';
  if (!isWord(token)) return undefined;
  return type === Identifier || type === QuotedIdentifier ? 'variable' : 'keyword';
}

/** The names of the trees by their start: so a word that is a keyword elsewhere is a name where it is one. */
function namesIn(file: SourceFile): ReadonlyMap<number, WordKind> {
  const names = new Map<number, WordKind>();
  for (const { statement } of parsedText(file).statements) {
    if (statement !== undefined) walk(statement, (node) => addNames(node, names));
  }
  return names;
}

/** Parents come before children, so a role that a parent gives is kept. */
function addNames(node: Node, names: Map<number, WordKind>): void {
  const name = (named: { readonly span: { readonly start: number } } | undefined, kind: WordKind): void => {
    if (named !== undefined && !names.has(named.span.start)) names.set(named.span.start, kind);
  };
  switch (node.kind) {
    case 'CreateAggregate':
    case 'CreateProjection':
    case 'CreateEventStore':
    case 'CreateTemplate':
    case 'CreateEnum':
    case 'CreateSubscription':
    case 'RelationName':
    case 'NamedRelation':
      name('schema' in node ? node.schema : undefined, 'variable');
      name(node.name, 'class');
      return;
    case 'CreateFunction':
      name(node.name, 'function');
      return;
    case 'CreateEvent':
      name(node.name, 'event');
      return;
    case 'CreateCommand':
      name(node.name, 'method');
      return;
    case 'CreateDecision':
      name(node.name, 'class');
      name(node.aggregate, 'class');
      name(node.command, 'method');
      return;
    case 'CreateReaction':
      name(node.name, 'class');
      for (const event of node.events) name(event, 'event');
      name(node.aggregate, 'class');
      return;
    case 'Execution':
      name(node.label, 'variable');
      name(node.command, 'method');
      for (const event of node.unless) name(event, 'event');
      return;
    case 'Emit':
      name(node.event, 'event');
      return;
    case 'EmitTarget':
      name(node.aggregate, 'class');
      return;
    case 'Execute':
      name(node.command, 'method');
      return;
    case 'ApplyTemplate':
      name(node.template, 'class');
      return;
    case 'AggregateField':
    case 'CommandField':
    case 'EventField':
      name(node.name, 'property');
      return;
    case 'Assignment':
      name(node.field, 'property');
      return;
    case 'FunctionParameter':
    case 'TemplateParameter':
    case 'TemplateArgument':
      name(node.name, 'parameter');
      return;
    case 'BindParameter':
      names.set(node.span.start, 'parameter');
      return;
    case 'TypeName':
      name(node, 'type');
      return;
    case 'FunctionCall':
      name(node.name, 'function');
      return;
    case 'ColumnReference':
      for (const part of node.path) name(part, 'property');
      return;
    case 'Name':
      name(node, 'variable');
      return;
    default:
      return;
  }
}
