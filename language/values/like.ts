/** LIKE and ILIKE: `%` matches any text, `_` one character; an escape character may precede either. Cost: at most the product of both lengths. */
import { fail } from '../failure/failure.ts';
import { lower } from './case-mapping.ts';

/** Tokens of a pattern: a literal character, one character, any characters, an escape character at the end of the pattern. */
type Token = { readonly literal: string } | 'one' | 'any' | 'unfinished';

const lastPattern = { pattern: '', escape: '', tokens: [] as readonly Token[] };

/** Whether the whole text matches. `escape` is one character, or '' for none. */
export function like(text: string, pattern: string, escape: string): boolean {
  if (lastPattern.pattern !== pattern || lastPattern.escape !== escape) {
    lastPattern.tokens = tokenize(pattern, escape);
    lastPattern.pattern = pattern;
    lastPattern.escape = escape;
  }
  return matches(Array.from(text), lastPattern.tokens);
}

/** As `like`, without regard to case (simple case mapping). */
export function ilike(text: string, pattern: string, escape: string): boolean {
  return like(lower(text), lower(pattern), lower(escape));
}

function tokenize(pattern: string, escape: string): readonly Token[] {
  const points = Array.from(pattern);
  if (Array.from(escape).length > 1)
    throw fail('R0205', { function: 'LIKE', problem: 'ESCAPE takes one character or none' });
  const tokens: Token[] = [];
  for (let i = 0; i < points.length; i++) {
    const point = points[i] ?? '';
    if (point === escape) {
      const literal = points[++i];
      tokens.push(literal === undefined ? 'unfinished' : { literal });
    } else if (point === '_') tokens.push('one');
    else if (point !== '%') tokens.push({ literal: point });
    else if (tokens.at(-1) !== 'any') tokens.push('any');
  }
  return tokens;
}

/**
 * Backtracks only to the last `any`, one character further: earlier choices give no other matches. A pattern that ends with its escape
 * character fails when it meets a character, as in PostgreSQL.
 */
function matches(text: readonly string[], tokens: readonly Token[]): boolean {
  let at = 0;
  let token = 0;
  let anyToken = -1;
  let anyAt = 0;
  while (at < text.length) {
    const wanted = tokens[token];
    if (wanted === 'unfinished')
      throw fail('R0205', { function: 'LIKE', problem: 'the pattern must not end with the escape character' });
    if (wanted === 'any') {
      anyToken = token++;
      anyAt = at;
    } else if (wanted !== undefined && (wanted === 'one' || wanted.literal === text[at])) {
      at++;
      token++;
    } else if (anyToken >= 0) {
      token = anyToken + 1;
      at = ++anyAt;
    } else return false;
  }
  while (tokens[token] === 'any') token++;
  return token === tokens.length;
}
