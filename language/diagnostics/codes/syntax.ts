import { error, info } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** E01xx: text that is not the language (docs/language.md#text). */
export const syntax = {
  E0101: error<{ expected: string; found: string; nearest: readonly string[]; hint?: string }>(
    (p) =>
      `expected ${p.expected}, found ${p.found}${suggestion(p.nearest)}${p.hint === undefined ? '' : `; ${p.hint}`}`,
  ),
  E0102: error<{ word: string; nearest: readonly string[]; instead?: string }>(
    (p) =>
      `there is no statement ${p.word}` +
      (p.instead !== undefined
        ? `; ${p.instead}`
        : suggestion(p.nearest) ||
          '; a statement begins with CREATE, DROP, APPLY, EXECUTE, SELECT, WITH, INSPECT, DESCRIBE, VALIDATE, EXPLAIN or EXPORT'),
  ),
  E0103: error<{
    statement: string;
    word: string;
    nearest: readonly string[];
    known: readonly string[];
    instead?: string;
  }>(
    (p) =>
      `${p.statement}: unknown kind '${p.word}'${p.instead !== undefined ? `; ${p.instead}` : suggestion(p.nearest) || `; the kinds are ${p.known.slice(0, -1).join(', ')} or ${p.known.at(-1) ?? ''}`}`,
  ),
  E0104: error<{ text: string }>((p) => `unexpected character ${p.text}`),
  E0105: error(() => "this string is not closed by a '"),
  E0106: error(() => 'this quoted name is not closed by a " on its line'),
  E0107: error(() => 'this comment is not closed by */'),
  E0108: error<{ text: string }>((p) => `'${p.text}' is not a number; write 7, 7.50, .5, 1_000_000 or 1e-3`),
  E0109: error(() => 'a quoted name needs at least one character'),
  E0110: error<{ text: string }>((p) => `${p.text} is not allowed in a text, not even in a string or comment`),
  E0111: error<{ limit: string }>((p) => `the text is larger than ${p.limit}; split it into several files`),
  E0112: error<{ limit: number }>((p) => `this is nested more than ${p.limit} levels deep`),
  E0113: error<{ limit: number; what: string }>((p) => `more than ${p.limit} ${p.what}`),
  E0114: error<{ what: string }>((p) => `${p.what} is given twice`),
  E0115: error(() => 'comparisons do not chain; join two of them with AND, or use parentheses'),
  E0116: error(() => "':' must be followed directly by the name of a field"),
  E0117: error<{ found: string }>((p) => `only SELECT and WITH queries are answered here, not ${p.found}`),
  E0118: error(() => 'only one statement is answered here; this is a second one'),
  E0119: error<{ clause: string }>((p) => `a query here has no ${p.clause} clause; queries only read`),
  E0120: error<{ instead: string }>((p) => p.instead),
  E0121: error(() => 'AS OF is for a whole query: it belongs at its end, and never into a part of it'),
  E0122: error<{ given: string }>((p) => `AS OF POSITION takes a whole number from 0, not ${p.given}`),
  E0123: info<{ block: string }>(
    (p) => `this comment describes ${p.block}; with an empty line below it, it is about the whole text`,
  ),
} as const;
