import { blockKeywords } from '../../contract/block-kind.ts';
import { entry } from '../define.ts';
import { suggestion } from '../suggestion.ts';

const kinds = `${blockKeywords.slice(0, -1).join(', ')} or ${blockKeywords.at(-1) ?? ''}`;

/** E01xx: text that is not the language (docs/language.md#text). */
export const syntax = {
  E0101: entry<{ expected: string; found: string; nearest: readonly string[]; hint?: string }>({
    severity: 'error',
    title: 'unexpected text',
    message: (p) =>
      `expected ${p.expected}, found ${p.found}${suggestion(p.nearest)}${p.hint === undefined ? '' : `; ${p.hint}`}`,
    explanation:
      'The marked text is the first that does not fit the statement it is in; ' +
      'the mistake is usually just before it. Reserved words such as FROM or ORDER are names only in double quotes.',
    example: 'CREATE COMMAND Fill (tank_id STRING, litres INT;',
  }),
  E0102: entry<{ word: string; nearest: readonly string[]; instead?: string }>({
    severity: 'error',
    title: 'unknown statement',
    message: (p) =>
      `there is no statement ${p.word}` +
      (p.instead !== undefined
        ? `; ${p.instead}`
        : suggestion(p.nearest) ||
          '; a statement begins with CREATE, DROP, APPLY, EXECUTE, SELECT, WITH, INSPECT, DESCRIBE, VALIDATE, EXPLAIN or EXPORT'),
    explanation:
      'The first word of a statement says what it does. Events are facts: nothing updates or deletes them, so there are ' +
      'no such statements; state changes by executing commands.',
    example: 'DELETE FROM Reg."Tank$Events";',
  }),
  E0103: entry<{
    statement: string;
    word: string;
    nearest: readonly string[];
    known: readonly string[];
    instead?: string;
  }>({
    severity: 'error',
    title: 'unknown kind of block',
    message: (p) =>
      `${p.statement}: unknown kind '${p.word}'${p.instead !== undefined ? `; ${p.instead}` : suggestion(p.nearest) || `; the kinds are ${p.known.slice(0, -1).join(', ')} or ${p.known.at(-1) ?? ''}`}`,
    explanation:
      `CREATE, DROP and DESCRIBE are followed by a kind of block: ${kinds}. CREATE and DROP also take TABLE, DESCRIBE ` +
      'INSPECTION, and each kind in the plural for a table of all.',
    example: 'CREATE GIZMO X;',
  }),
  E0104: entry<{ text: string }>({
    severity: 'error',
    title: 'unexpected character',
    message: (p) => `unexpected character ${p.text}`,
    explanation:
      'Outside strings, quoted names and comments a text consists of ASCII letters, digits, the signs of the language and ' +
      'white space. Names with other characters must be put in double quotes.',
    example: 'SELECT 1 @ 2;',
  }),
  E0105: entry<Record<string, never>>({
    severity: 'error',
    title: 'string without an end',
    message: () => "this string is not closed by a '",
    explanation: "A string begins and ends with a single quote; a quote inside is written twice: 'it''s'.",
    example: "SELECT 'open;",
  }),
  E0106: entry<Record<string, never>>({
    severity: 'error',
    title: 'quoted name without an end',
    message: () => 'this quoted name is not closed by a " on its line',
    explanation:
      'A quoted name begins and ends with a double quote on one line; a double quote inside is written twice.',
    example: 'SELECT 1 AS "open;',
  }),
  E0107: entry<Record<string, never>>({
    severity: 'error',
    title: 'comment without an end',
    message: () => 'this comment is not closed by */',
    explanation: 'A comment that begins with /* ends with */. Comments nest: each /* inside needs its own */.',
    example: 'SELECT 1 /* one;',
  }),
  E0108: entry<{ text: string }>({
    severity: 'error',
    title: 'malformed number',
    message: (p) => `'${p.text}' is not a number; write 7, 7.50, .5, 1_000_000 or 1e-3`,
    explanation:
      'A number has digits, at most one point with digits after it, and at most one exponent; a single _ may separate ' +
      'two digits. A letter or a second point directly after a number is an error.',
    example: 'SELECT 1_000__0;',
  }),
  E0109: entry<Record<string, never>>({
    severity: 'error',
    title: 'empty name',
    message: () => 'a quoted name needs at least one character',
    explanation: 'Nothing can be called "". Strings are written in single quotes: \'\'.',
    example: 'SELECT 1 AS "";',
  }),
  E0110: entry<{ text: string }>({
    severity: 'error',
    title: 'character that is not allowed in a text',
    message: (p) => `${p.text} is not allowed in a text, not even in a string or comment`,
    explanation: 'NUL and halves of surrogate pairs are not Unicode text, and stores cannot store them.',
    example: "SELECT '\u0000';",
  }),
  E0111: entry<{ limit: string }>({
    severity: 'error',
    title: 'text too large',
    message: (p) => `the text is larger than ${p.limit}; split it into several files`,
    explanation: 'One text is at most 10 MiB of UTF-8.',
    takes: 'a text of more than 10 MiB',
  }),
  E0112: entry<{ limit: number }>({
    severity: 'error',
    title: 'nested too deeply',
    message: (p) => `this is nested more than ${p.limit} levels deep`,
    explanation:
      'Parentheses, CASE, subqueries and runs of unary operators may nest 200 levels; a chain of operators, joins or set ' +
      'operations may make a tree of 1,200 levels. Use IN for long alternatives, or a WITH query for the inner parts.',
    example: `SELECT ${'('.repeat(201)}1${')'.repeat(201)};`,
  }),
  E0113: entry<{ limit: number; what: string }>({
    severity: 'error',
    title: 'statement too long',
    message: (p) => `more than ${p.limit} ${p.what}`,
    explanation: 'A statement has at most 500,000 words and signs, a text at most 200,000 statements. Split it.',
    takes: 'a statement of hundreds of thousands of words',
  }),
  E0114: entry<{ what: string }>({
    severity: 'error',
    title: 'given twice',
    message: (p) => `${p.what} is given twice`,
    explanation: 'A modifier of a field, or a clause such as LIMIT, may be given once.',
    example: 'CREATE COMMAND Fill (tank_id STRING KEY KEY);',
  }),
  E0115: entry<Record<string, never>>({
    severity: 'error',
    title: 'chained comparison',
    message: () => 'comparisons do not chain; join two of them with AND, or use parentheses',
    explanation:
      'As in PostgreSQL, `a < b < c` has no meaning. Write `a < b AND b < c`, or put one comparison in parentheses.',
    example: 'SELECT 1 < 2 < 3;',
  }),
  E0116: entry<Record<string, never>>({
    severity: 'error',
    title: 'colon without a field',
    message: () => "':' must be followed directly by the name of a field",
    explanation:
      'A field of the command is written `:field`, without a space. An assignment is written `:=`, a cast `::`.',
    example: 'SELECT : amount;',
  }),
  E0117: entry<{ found: string }>({
    severity: 'error',
    title: 'not a query',
    message: (p) => `only SELECT and WITH queries are answered here, not ${p.found}`,
    explanation: 'This place takes one query. Use a script or the interactive session for other statements.',
    example: '-- console\nDROP EVENT E',
  }),
  E0118: entry<Record<string, never>>({
    severity: 'error',
    title: 'more than one statement',
    message: () => 'only one statement is answered here; this is a second one',
    explanation: 'This place takes one query. Use a script or the interactive session for several statements.',
    example: '-- console\nSELECT 1; SELECT 2',
  }),
  E0119: entry<{ clause: string }>({
    severity: 'error',
    title: 'clause that writes or locks',
    message: (p) => `a query here has no ${p.clause} clause; queries only read`,
    explanation:
      'SELECT … INTO and SELECT … FOR UPDATE write or lock in other systems. Queries of this language only read.',
    example: '-- console\nSELECT 1 AS a INTO b',
  }),
  E0120: entry<{ instead: string }>({
    severity: 'error',
    title: 'form of another SQL',
    message: (p) => p.instead,
    explanation:
      'The marked text is a form of another SQL dialect or another language. The message says what is written here, or that there is no such ' +
      'thing and what to do without it. docs/coming-from.md lists all of these forms.',
    example: 'CREATE COMMAND Fill (tank_id STRING PRIMARY KEY);',
  }),
  E0121: entry<Record<string, never>>({
    severity: 'error',
    title: 'AS OF inside a query',
    message: () => 'AS OF is for a whole query: it belongs at its end, and never into a part of it',
    explanation:
      'A whole query is answered at one moment, so a subquery, a common table, a STATE or a projection has no moment of its own. Move AS OF to the ' +
      'end of the statement.',
    example: 'SELECT b.n FROM (SELECT COUNT(*) AS n FROM Reg."Tank$Events" AS OF POSITION 3) b;',
  }),
  E0122: entry<{ given: string }>({
    severity: 'error',
    title: 'position that is no whole number',
    message: (p) => `AS OF POSITION takes a whole number from 0, not ${p.given}`,
    explanation:
      'A position is the number of events up to a moment: 0 is before the first one. For a time, write AS OF TIMESTAMP.',
    example: 'SELECT 1 AS OF POSITION 1.5;',
  }),
  E0123: entry<{ block: string }>({
    severity: 'info',
    title: 'comment of a text that describes its first block',
    message: (p) => `this comment describes ${p.block}; with an empty line below it, it is about the whole text`,
    explanation:
      'Lines of `--- text` directly above a block are its doc comment, which DESCRIBE, OpenAPI and generated code show. The text begins with such a ' +
      'line, and has no other doc comment. If it is meant for the whole text, put an empty line below it.',
    takes: 'a text of several statements that begins with a line of --- text, directly above a block',
  }),
} as const;
