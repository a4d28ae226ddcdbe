/**
 * The TextMate grammar of the language: colours for an editor before the language server answers, and where none runs. Made from the tables of
 * the parser, so a new keyword, type or function is coloured without a change here. It sees one line at a time: a word that is a keyword only
 * in some places is coloured as one wherever no dot or colon precedes it, which the server's semantic tokens then correct.
 */
import { callerWords } from '../compiler/editor/caller-words.ts';
import { typeNames } from '../compiler/editor/completion/names.ts';
import { functionReference } from '../compiler/functions/reference.ts';
import { placeholderSource as placeholder } from '../compiler/syntax/scan/placeholders.ts';
import { callWords, clauseWords, freeWords, literalWords } from '../compiler/syntax/tokens/keywords.ts';
import { isReservedWord, reservedWords } from '../language/source/reserved-words.ts';
import { blockKeywords } from '../language/contract/block-kind.ts';

interface Rule {
  readonly name?: string;
  readonly match?: string;
  readonly begin?: string;
  readonly end?: string;
  readonly captures?: Readonly<Record<string, { readonly name: string }>>;
  readonly beginCaptures?: Readonly<Record<string, { readonly name: string }>>;
  readonly patterns?: readonly (Rule | { readonly include: string })[];
}

export interface TextMateGrammar {
  readonly scopeName: string;
  readonly name: string;
  readonly fileTypes: readonly string[];
  readonly patterns: readonly { readonly include: string }[];
  readonly repository: Readonly<Record<string, Rule>>;
}

/** A name as it may be in the body of a template. */
const name = String.raw`(?:"(?:[^"]|"")*"|(?:[A-Za-z_]|${placeholder})(?:[A-Za-z0-9_$]|${placeholder})*)`;
/** No letter, dot or colon before: behind these a word is a name. */
const begin = String.raw`(?<![A-Za-z0-9_$.:"}])`;
const end = String.raw`(?![A-Za-z0-9_$"{])`;
const digits = String.raw`[0-9]+(?:_[0-9]+)*`;

/** Names of functions that are called like functions, in upper case: operators have entries as well. */
export const functionWords: readonly string[] = [
  ...new Set([...functionReference.map((entry) => entry.name), ...callerWords.map(({ name }) => name)]),
].filter((word) => /^[A-Z][A-Z0-9_]*$/.test(word) && !isReservedWord(word));

/** Functions that may be written without parentheses. */
export const bareFunctionWords: readonly string[] = [
  ...new Set(functionReference.flatMap(({ usage }) => usage).filter((form) => /^[A-Z][A-Z0-9_]*$/.test(form))),
].filter((word) => functionWords.includes(word));

/** Names of types without their numbers. */
export const typeWords: readonly string[] = [...new Set(typeNames.map(({ label }) => label.replace(/\(.*/, '')))];

export function textMateGrammar(): TextMateGrammar {
  return {
    scopeName: 'source.schemac',
    name: 'schemac',
    fileTypes: ['schema'],
    patterns: [{ include: '#text' }],
    repository: {
      // In this order: the first of those that match at the same place wins.
      text: {
        patterns: [
          ...['expectation', 'lineComment', 'blockComment', 'string', 'placeholder', 'quotedName', 'number'],
          ...['cast', 'member', 'parameter', 'block', 'target', 'call', 'callWord', 'literalWord', 'type'],
          ...['constant', 'keyword', 'operator', 'punctuation'],
        ].map((rule) => ({ include: `#${rule}` })),
      },
      ...notes,
      ...literals,
      ...names,
      ...words,
      operator: { name: 'keyword.operator.schemac', match: String.raw`->>|->|:=|::|<>|!=|<=|>=|\|\||[=<>+\-*/%]` },
      punctuation: { name: 'punctuation.separator.schemac', match: '[,;.]' },
    },
  };
}

const notes: Readonly<Record<string, Rule>> = {
  expectation: {
    name: 'comment.line.expectation.schemac',
    match: String.raw`^\s*(--=)\s*([A-Za-z-]+)?(.*)$`,
    captures: {
      1: { name: 'punctuation.definition.comment.schemac' },
      2: { name: 'keyword.control.expectation.schemac' },
      3: { name: 'string.unquoted.expectation.schemac' },
    },
  },
  lineComment: { name: 'comment.line.double-dash.schemac', match: '--.*$' },
  blockComment: {
    name: 'comment.block.schemac',
    begin: String.raw`/\*`,
    end: String.raw`\*/`,
    patterns: [{ include: '#blockComment' }],
  },
};

const literals: Readonly<Record<string, Rule>> = {
  string: {
    name: 'string.quoted.single.schemac',
    begin: "'",
    end: "'(?!')",
    patterns: [{ name: 'constant.character.escape.schemac', match: "''" }, { include: '#placeholder' }],
  },
  placeholder: { name: 'variable.parameter.template.schemac', match: placeholder },
  quotedName: { name: 'variable.other.quoted.schemac', match: '"(?:[^"]|"")*"' },
  number: {
    name: 'constant.numeric.schemac',
    match: String.raw`(?<![A-Za-z0-9_$])(?:${digits}(?:\.${digits})?|(?<![)"])\.${digits})(?:[eE][+-]?${digits})?${end}`,
  },
};

const names: Readonly<Record<string, Rule>> = {
  cast: {
    match: `(::)\\s*(${anyOf(typeWords)})${end}`,
    captures: { 1: { name: 'keyword.operator.schemac' }, 2: { name: 'storage.type.schemac' } },
  },
  member: {
    match: String.raw`(\.)\s*("(?:[^"]|"")*"|[A-Za-z_][A-Za-z0-9_$]*)`,
    captures: { 1: { name: 'punctuation.separator.schemac' }, 2: { name: 'variable.other.property.schemac' } },
  },
  parameter: {
    name: 'variable.parameter.schemac',
    match: String.raw`(?<!:):(?:"(?:[^"]|"")*"|(?:[A-Za-z_]|${placeholder})(?:[A-Za-z0-9_$]|${placeholder})*)`,
  },
  block: {
    match: `${begin}(${anyOf([...blockKeywords, 'TABLE'])})\\s+(?!(?:${anyOf([...reservedWords, ...clauseWords])})${end})(${name})`,
    captures: { 1: { name: 'keyword.other.schemac' }, 2: { name: 'entity.name.type.schemac' } },
  },
  target: {
    match: `${begin}((?i:EXECUTE))\\s+(${name})(?=\\s*\\()`,
    captures: { 1: { name: 'keyword.other.schemac' }, 2: { name: 'entity.name.type.schemac' } },
  },
  call: {
    name: 'support.function.schemac',
    match: `${begin}(?:${anyOf(functionWords)}(?=\\s*\\()|${anyOf(bareFunctionWords)}${end})`,
  },
};

const words: Readonly<Record<string, Rule>> = {
  callWord: { name: 'keyword.other.schemac', match: `${begin}(?:${anyOf(callWords)})(?=\\s*\\()` },
  literalWord: { name: 'keyword.other.schemac', match: `${begin}(?:${anyOf(literalWords)})(?=\\s*')` },
  type: { name: 'storage.type.schemac', match: `${begin}(?:${anyOf(typeWords)})${end}` },
  constant: { name: 'constant.language.schemac', match: `${begin}(?i:TRUE|FALSE|NULL)${end}` },
  keyword: {
    name: 'keyword.other.schemac',
    match: `${begin}(?:${anyOf([...reservedWords, ...clauseWords, ...freeWords, 'OVER', 'FILTER'])})${end}`,
  },
};

/** In any case. Longer words first: the engine takes the first that matches. */
function anyOf(list: readonly string[]): string {
  const longestFirst = [...new Set(list)].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  return `(?i:${longestFirst.join('|')})`;
}
