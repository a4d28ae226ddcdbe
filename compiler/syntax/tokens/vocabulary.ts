import { createToken, Lexer, type TokenType } from '../chevrotain.ts';
import { reservedWords } from '../../../language/source/reserved-words.ts';
import { callWords, clauseWords, endingWords, freeWords, literalWords, zoneWords, type Keyword } from './keywords.ts';

/**
 * The token types. The scanner is hand-written (`scan/scanner.ts`), so none has a pattern; `label` is its name in a diagnostic. Categories
 * carry the contextual keywords: a keyword has its own type where the grammar expects it, and is a `Name`, an `Alias` or any `Word` where
 * the grammar expects one of these. The categories of a category are named too.
 */
function define(name: string, label: string, categories: readonly TokenType[] = []): TokenType {
  const type = createToken({ name, label, pattern: Lexer.NA });
  // Given to `createToken`, the members of each category would be listed again for each of its members, which took 20 ms.
  type.CATEGORIES = [...categories];
  const { tokenTypeIdx: number = 0 } = type;
  for (const category of categories) {
    category.isParent = true;
    (category.categoryMatches ??= []).push(number);
    (category.categoryMatchesMap ??= {})[number] = true;
  }
  return type;
}

/** Any word, including reserved ones: field names, and names after a dot. */
export const Word = define('Word', 'a name');
/** A word that may be a name without quotes, or a quoted name. */
export const Name = define('Name', 'a name', [Word]);
/** A name that may be an alias without AS. */
export const Alias = define('Alias', 'an alias', [Name, Word]);

export const Logical = define('Logical', 'AND or OR');
export const Comparison = define('Comparison', 'a comparison');
export const Arithmetic = define('Arithmetic', 'an operator');

const nameCategories = [Alias, Name, Word];
export const Identifier = define('Identifier', 'a name', nameCategories);
export const QuotedIdentifier = define('QuotedIdentifier', 'a name', nameCategories);
/** `{{Parameter}}` standing alone in a template's body. */
export const Placeholder = define('Placeholder', 'a placeholder', nameCategories);

export const StringToken = define('String', 'a string');
export const NumberToken = define('Number', 'a number');
/** `:field`. */
export const Bind = define('Bind', 'a parameter');

export const LParen = define('LParen', "'('");
/** A parenthesis that opens a query. */
export const QueryParen = define('QueryParen', "'('");
export const RParen = define('RParen', "')'");
/** Behind a type: a list of its values. */
export const Brackets = define('Brackets', "'[]'");
export const Comma = define('Comma', "','");
export const Dot = define('Dot', "'.'");
export const Semicolon = define('Semicolon', "';'");
export const Assign = define('Assign', "':='");
export const DoubleColon = define('DoubleColon', "'::'");
export const Equal = define('Equal', "'='", [Comparison]);
export const ComparisonSign = define('ComparisonSign', 'a comparison', [Comparison]);
export const Plus = define('Plus', "'+'", [Arithmetic]);
export const Minus = define('Minus', "'-'", [Arithmetic]);
export const Star = define('Star', "'*'", [Arithmetic]);
/** `/ % || -> ->>`. */
export const ArithmeticSign = define('ArithmeticSign', 'an operator', [Arithmetic]);
/** The whole body of a template, as one token. */
export const TemplateBodyToken = define('TemplateBody', 'the statements of the template');
/** Text that is not a token; carries its diagnostic, and no rule accepts it. */
export const Unreadable = define('Unreadable', 'unreadable text');

function keywordTypes(): Readonly<Record<Keyword, TokenType>> {
  const types: Record<string, TokenType> = {};
  const add = (words: readonly Keyword[], categories: readonly TokenType[]): void => {
    for (const word of words) {
      types[word] = define(word, word, word === 'AND' || word === 'OR' ? [...categories, Logical] : categories);
    }
  };
  add(reservedWords, [Word]);
  add(clauseWords, [Name, Word]);
  add(callWords, [Name, Word]);
  add(literalWords, [Name, Word]);
  add(zoneWords, []);
  add(freeWords, nameCategories);
  return types as Record<Keyword, TokenType>;
}

/** The type of each keyword, by its upper-case word. */
export const keyword = keywordTypes();

/** The types of the words that end a query in some statements: names, but no aliases. */
export const ending = Object.fromEntries(
  endingWords.map((word) => [word, define(`Ending${word}`, word, [Name, Word])]),
) as Readonly<Record<(typeof endingWords)[number], TokenType>>;

const keywordsByText: ReadonlyMap<string, TokenType> = new Map(Object.entries(keyword));
const longestKeyword = Math.max(...[...keywordsByText.keys()].map((word) => word.length));

/** The keyword type of a word in any case, if it is one. */
export function keywordType(word: string): TokenType | undefined {
  return word.length > longestKeyword ? undefined : keywordsByText.get(word.toUpperCase());
}

/** Words that are keywords only directly before `(`, and only directly before a string. */
export const callTypes: ReadonlySet<TokenType> = new Set(callWords.map((word) => keyword[word]));
export const literalTypes: ReadonlySet<TokenType> = new Set(literalWords.map((word) => keyword[word]));

export const vocabulary: readonly TokenType[] = [
  ...[Word, Name, Alias, Logical, Comparison, Arithmetic, Identifier, QuotedIdentifier, Placeholder],
  ...[StringToken, NumberToken, Bind, LParen, QueryParen, RParen, Brackets, Comma, Dot, Semicolon, Assign, DoubleColon],
  ...[Equal, ComparisonSign, Plus, Minus, Star, ArithmeticSign, TemplateBodyToken, Unreadable],
  ...Object.values(keyword),
  ...Object.values(ending),
];
