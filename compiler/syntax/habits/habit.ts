/**
 * Forms of other SQL dialects and other languages that people type by habit, and the message for each. The rows are in `fields.ts`,
 * `expressions.ts`, `queries.ts` and `statements.ts` for forms that the grammar refuses, and in `names.ts` for words of which only the name is
 * unknown here. Takes the refused token and its neighbours; gives a row; never reports.
 */
import { isWord } from '../tokens/token-text.ts';
import type { Token } from '../tokens/token.ts';
import { Bind, Name, NumberToken, QuotedIdentifier, StringToken } from '../tokens/vocabulary.ts';

/** The part of a text in which the grammar refused a token. */
export type Place = 'command' | 'event' | 'aggregate' | 'table' | 'assignments' | 'store' | 'other';

/** A form that the grammar refuses. */
export interface Habit {
  /**
   * The words and signs around the error, with blanks between; `^` before each at which the grammar may refuse the form. `<name>` is any word,
   * `<column>` one that is not reserved, `<quoted>` a quoted name, `<string>`, `<number>` and `<bind>` are such tokens, `<hash>` is a sign that begins with #, `<curly>` a curly quote,
   * `<end>` is the end of the statement. The text between `«` and `»` is marked, else all of it.
   */
  readonly typed: string;
  /** Where the form is met; without it, wherever the table of the row applies. */
  readonly in?: readonly Place[];
  /** The message: a sentence that names the form and what is written here. */
  readonly instead: string;
  /** The text that replaces the marked one, if that alone makes it right. */
  readonly fix?: string;
  /** Use of the text behind the form: the rest of the line is a comment, or the whole statement has another meaning. */
  readonly rest?: 'comment' | 'statement';
}

/** The place of an error: the tokens of its statement, and the index of the refused one, which is their number at the end. */
export interface Refusal {
  readonly tokens: readonly Token[];
  readonly at: number;
  readonly place: Place;
}

export interface FoundHabit {
  readonly habit: Habit;
  /** The marked tokens; none when only the end of the statement is. */
  readonly first: Token | undefined;
  readonly last: Token | undefined;
}

interface Element {
  readonly text: string;
  readonly isAnchor: boolean;
}
interface Pattern {
  readonly elements: readonly Element[];
  /** Indexes of the first and last marked element. */
  readonly marked: readonly [first: number, last: number];
}

const patterns = new Map<string, Pattern>();

/** The first row that fits the place of an error. */
export function findHabit(habits: readonly Habit[], refusal: Refusal): FoundHabit | undefined {
  for (const habit of habits) {
    if (habit.in?.includes(refusal.place) === false) continue;
    const pattern = patternOf(habit.typed);
    const start = startOf(pattern, refusal);
    if (start === undefined) continue;
    const [first, last] = pattern.marked;
    return { habit, first: refusal.tokens[start + first], last: refusal.tokens[start + last] };
  }
  return undefined;
}

/** The index of the first token of the form, for any of its anchors. */
function startOf({ elements }: Pattern, refusal: Refusal): number | undefined {
  for (const [index, { isAnchor }] of elements.entries()) {
    const start = refusal.at - index;
    if (!isAnchor || start < 0) continue;
    if (elements.every((element, offset) => fits(element.text, start + offset, refusal))) return start;
  }
  return undefined;
}

function fits(element: string, index: number, { tokens }: Refusal): boolean {
  const token = tokens[index];
  if (token === undefined) return element === '<end>' && index === tokens.length;
  const { image, tokenType } = token;
  switch (element) {
    case '<end>':
      return false;
    case '<name>':
      return isWord(token);
    case '<column>':
      return tokenType.CATEGORIES?.includes(Name) === true;
    case '<quoted>':
      return tokenType === QuotedIdentifier;
    case '<string>':
      return tokenType === StringToken;
    case '<number>':
      return tokenType === NumberToken;
    case '<bind>':
      return tokenType === Bind;
    case '<hash>':
      return image.startsWith('#');
    case '<curly>':
      return /^[‘’‚“”„]/.test(image);
    default:
      return image.toUpperCase() === element;
  }
}

function patternOf(typed: string): Pattern {
  const known = patterns.get(typed);
  if (known !== undefined) return known;
  const words = typed.split(' ');
  const opens = words.findIndex((word) => word.startsWith('«'));
  const closes = words.findIndex((word) => word.endsWith('»'));
  const elements = words.map((word): Element => {
    const text = word.replace(/^«/, '').replace(/»$/, '');
    const isAnchor = text.length > 1 && text.startsWith('^');
    return { text: isAnchor ? text.slice(1) : text, isAnchor };
  });
  const made: Pattern = {
    elements,
    marked: [opens < 0 ? 0 : opens, closes < 0 ? elements.length - 1 : closes],
  };
  patterns.set(typed, made);
  return made;
}
