/**
 * Parentheses in printed TypeScript. Takes text printed by this compiler; strings in it are skipped, whatever they
 * contain.
 */

interface Outline {
  /** The text is one pair of parentheses with its content. */
  readonly wrapped: boolean;
  /** Operators outside all brackets. */
  readonly loose: boolean;
}

const opening = '([{';
const closing = ')]}';

function outline(text: string): Outline {
  let depth = 0;
  let wrapped = text.startsWith('(');
  let loose = false;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (character === "'" || character === '"' || character === '`') at = skipString(text, at);
    else if (opening.includes(character)) depth++;
    else if (closing.includes(character)) {
      depth--;
      if (depth === 0 && at < text.length - 1) wrapped = false;
    } else if (depth === 0 && (character === '?' || text.startsWith('||', at) || text.startsWith('=>', at)))
      loose = true;
  }
  return { wrapped, loose };
}

/** The end of the string that starts at `start`: its closing quote. */
export function skipString(text: string, start: number): number {
  const quote = text.charAt(start);
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== quote) at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}

/** The text without parentheses around all of it, for a position without an operator around it. */
export function withoutParentheses(text: string): string {
  return outline(text).wrapped ? text.slice(1, -1) : text;
}

/** The text as an operand of `&&`, without parentheses where it needs none. */
export function asOperand(text: string): string {
  const bare = withoutParentheses(text);
  return outline(bare).loose ? text : bare;
}
