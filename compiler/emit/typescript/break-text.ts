import { callCode, type Code, type CodeGroup } from '../../../templates/code.ts';
import { skipString } from './parentheses.ts';

/** Shorter texts always stay on one line. */
const SHORT = 60;

/**
 * The positions where a printed expression may be broken over lines: between the arguments of a call, around its
 * operators. Takes text printed by the function catalogue, so its brackets and quotes are balanced.
 */
export function breakText(text: string): Code {
  if (text.length <= SHORT) return text;
  const called = /^[\w$.]*\(/.exec(text)?.[0];
  if (called !== undefined && closingOf(text, called.length - 1) === text.length - 1) {
    const inside = text.slice(called.length, -1);
    if (called === '(') return { ...lines([breakText(inside)]), open: '(', close: ')' };
    return callCode(
      called.slice(0, -1),
      splitAt(inside, [', ']).map(({ text: part }) => breakText(part)),
    );
  }
  const made = functionCall(text);
  if (made !== undefined) return made;
  const arms = splitAt(text, [' ? ', ' : ']);
  if (arms.length > 1) return lines(conditionalLines(arms));
  const operands = splitAt(text, [
    ' || ',
    ' && ',
    ' ?? ',
    ' === ',
    ' !== ',
    ' < ',
    ' <= ',
    ' > ',
    ' >= ',
    ' + ',
    ' - ',
    ' * ',
  ]);
  if (operands.length > 1) return lines(operands.map(({ text: part, next }) => [breakText(part), next.trimEnd()]));
  return text;
}

/** `((value1) => …)(operand)`: a function called in place. */
function functionCall(text: string): Code | undefined {
  const end = text.startsWith('((') ? closingOf(text, 0) : text.length;
  if (text.charAt(end + 1) !== '(' || closingOf(text, end + 1) < text.length - 1) return undefined;
  const [start = '', ...body] = splitAt(text.slice(1, end), [' => ']).map((piece) => piece.text);
  return [`(${start} => `, breakText(body.join(' => ')), `)${text.slice(end + 1)}`];
}

interface Piece {
  readonly text: string;
  /** The separator after it. */
  readonly next: string;
}

function lines(items: readonly Code[]): CodeGroup {
  return { open: '', items, close: '', separator: '', padding: '', trailing: '' };
}

/** `test ? value`, then `: test ? value` for each further one, then `: value`. */
function conditionalLines(arms: readonly Piece[]): readonly Code[] {
  const items: Code[] = [];
  let line: Code[] = [];
  for (const { text, next } of arms) {
    line.push(breakText(text));
    if (next === ' ? ') line.push(next);
    else {
      items.push(line);
      line = [': '];
    }
  }
  return items;
}

/** The text in pieces, cut at the separators outside brackets. */
function splitAt(text: string, separators: readonly string[]): readonly Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "'" || character === '"' || character === '`') at = skipString(text, at);
    else if ('([{'.includes(character)) at = closingOf(text, at);
    else if (character === ' ' || character === ',') {
      const found = separators.find((separator) => text.startsWith(separator, at));
      if (found === undefined) continue;
      pieces.push({ text: text.slice(from, at), next: found });
      from = at + found.length;
      at = from - 1;
    }
  }
  return [...pieces, { text: text.slice(from), next: '' }];
}

/** The index of the bracket that closes the one at `open`. */
function closingOf(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "'" || character === '"' || character === '`') at = skipString(text, at);
    else if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character) && --depth === 0) return at;
  }
  return text.length - 1;
}
