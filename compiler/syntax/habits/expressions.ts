import type { Habit } from './habit.ts';

const noPattern = 'there are no regular expressions: LIKE takes % for any text and _ for one character';
const noContainment =
  "there is no containment operator: compare a field, data->>'a' = 'x', or a tag, 'a:x' = ANY(tags)";
const noBits = 'there are no operators on bits';
const noElements = "a member of a JSON value is read with ->, as JSON, or with ->>, as text: data->>'a'";
const interval = "an interval is written as a text: INTERVAL '10 minutes'";
const singleQuotes = "a text is written in single quotes, 'like this'; double quotes are for names";
const noPrefix = "a text is written in single quotes without a letter before them, 'like this'";
const remainder = 'the remainder of a division is written with % or MOD(a, b)';

const assigned = 'each value is given to a field: field := value';

/** Forms in expressions (docs/language.md#functions). */
export const expressionHabits: readonly Habit[] = [
  // comparisons and logic
  { typed: '= ^=', instead: "'==' is written =", fix: '=' },
  { typed: '<= ^>', instead: "'<=>' is written IS NOT DISTINCT FROM", fix: 'IS NOT DISTINCT FROM' },
  { typed: '^&&', instead: "'&&' is written AND", fix: 'AND' },
  { typed: '^!', instead: "'!' is written NOT", fix: 'NOT ' },
  { typed: '^XOR', instead: 'XOR of two BOOLEAN values is written <>', fix: '<>' },
  { typed: '^ISNULL', instead: 'ISNULL is written IS NULL', fix: 'IS NULL' },
  { typed: 'IS ^NOTNULL', instead: 'IS NOTNULL is written IS NOT NULL', fix: 'IS NOT NULL' },
  { typed: '^NOTNULL', instead: 'NOTNULL is written IS NOT NULL', fix: 'IS NOT NULL' },
  // patterns
  { typed: '^SIMILAR TO', instead: noPattern },
  { typed: 'SIMILAR ^TO', instead: noPattern },
  { typed: '^REGEXP', instead: noPattern },
  { typed: '«REGEXP» ^<string>', instead: noPattern },
  { typed: '^RLIKE', instead: noPattern },
  { typed: '«RLIKE» ^<string>', instead: noPattern },
  { typed: '^GLOB', instead: noPattern },
  { typed: '«GLOB» ^<string>', instead: noPattern },
  { typed: '^~', instead: noPattern },
  { typed: '^!~', instead: noPattern },
  // JSON and lists
  { typed: '^@ >', instead: noContainment },
  { typed: '< ^@', instead: noContainment },
  { typed: '^# > >', instead: noElements },
  { typed: '^# >', instead: noElements },
  { typed: '«ARRAY» ^[', instead: 'a list is written in parentheses after IN: x IN (1, 2)' },
  { typed: '<column> «^[»', instead: noElements },
  // names and parameters
  { typed: '^[ <name> ]', instead: 'a name is put in double quotes, not in brackets' },
  { typed: '^` <name>', instead: 'a name is put in double quotes, not in backticks' },
  { typed: '«^?»', instead: 'a parameter is written with its name, :name' },
  { typed: '«^$»', instead: 'a parameter is written with its name, :name' },
  { typed: '«^@» <name>', instead: 'a field of the command is written :name' },
  // numbers
  { typed: '^^', instead: 'a power is written POWER(a, b)' },
  { typed: '^&', instead: noBits },
  { typed: '^|', instead: noBits },
  { typed: '< ^<', instead: noBits },
  { typed: '> ^>', instead: noBits },
  { typed: 'DIV ^<number>', instead: 'a division of whole numbers is written /: the fraction is cut' },
  { typed: '^DIV', instead: 'a division of whole numbers is written /: the fraction is cut', fix: '/' },
  { typed: 'MOD ^<number>', instead: remainder },
  { typed: '^MOD', instead: remainder, fix: '%' },
  // time
  { typed: '^INTERVAL ^<number> <name>', instead: interval },
  // texts
  { typed: '^<curly>', instead: "a text is written in straight single quotes, 'like this'" },
  { typed: 'E ^<string>', instead: noPrefix },
  { typed: 'N ^<string>', instead: noPrefix },
  { typed: '= ^<quoted>', instead: singleQuotes },
  { typed: '= «^<name>»', in: ['store'], instead: "a text is written in single quotes, 'like this'" },
  {
    typed: '^COLLATE',
    instead: 'there are no collations: texts compare by code point, and LOWER(x) ignores the case',
  },
  { typed: '^$$', instead: "a text is written in single quotes, 'like this', and an expression without quotes" },
  // arguments
  { typed: '<name> «^:»', in: ['assignments'], instead: assigned, fix: ' :=' },
  { typed: '<name> ^<bind>', in: ['assignments'], instead: assigned },
  {
    typed: '«,» SELECT ^EVENT',
    in: ['assignments'],
    instead: "a ')' is missing before this comma",
    fix: '),',
    rest: 'statement',
  },
  { typed: '( «^<string>»', in: ['assignments'], instead: assigned },
  { typed: '( «^<number>»', in: ['assignments'], instead: assigned },
  { typed: '( «^<bind>»', in: ['assignments'], instead: assigned },
];
