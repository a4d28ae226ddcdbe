import type { Habit } from './habit.ts';

const noForeignKey =
  'there are no foreign keys: read the other aggregate in the STATE of the decision, and let its guard say that it is there';
const noCheck = 'CHECK ( condition ) belongs to a COMMAND: behind a field, or as an item of its own';
const noUnique =
  'there is no UNIQUE: the STATE of the decision reads whether the value is taken (docs/language.md#decision)';
const notGenerated =
  'a declaration generates no values: the caller sends the id, or the decision assigns GEN_RANDOM_UUID()';
const noLists = 'a field holds no list; give it the type JSON, or emit one event for each element';
const noUnsigned = 'there are no unsigned types: let the guard of the decision say that the value is not negative';
const noMark =
  'an argument of a command is required unless its field says NULL or DEFAULT; fields of events and aggregates may always be NULL';
const noDecorator =
  'there are no decorators: the field that names the stream says KEY after its type, one that finds events says TAG';
const noColon = 'there is no colon between a field and its type';

/** Forms in the fields of a block (docs/language.md#blocks). */
export const fieldHabits: readonly Habit[] = [
  // keys and constraints
  {
    typed: '^PRIMARY KEY',
    in: ['command', 'aggregate'],
    instead: 'PRIMARY KEY is written KEY: it marks the field that names the stream',
    fix: 'KEY',
  },
  { typed: 'PRIMARY KEY ( ^<name>', instead: 'a key is marked at its field: write KEY after the type' },
  { typed: 'FOREIGN KEY ( ^<name>', instead: noForeignKey },
  { typed: '«^PRIMARY KEY»', in: ['event'], instead: 'an event has no key: it is stored in the stream of its command' },
  { typed: '^KEY', in: ['event'], instead: 'an event has no KEY: it is stored in the stream of its command' },
  { typed: '^REFERENCES', instead: noForeignKey },
  {
    typed: '«^CHECK» <name>',
    in: ['command'],
    instead: 'the condition of a CHECK is in parentheses: CHECK (n > 0)',
  },
  {
    typed: ') «^<string>»',
    in: ['command'],
    instead: "the text of a CHECK follows MESSAGE: CHECK (n > 0) MESSAGE 'text'",
  },
  { typed: '^CHECK', instead: noCheck },
  { typed: '«CHECK» ^(', instead: noCheck },
  { typed: '^UNIQUE', instead: noUnique },
  { typed: '«UNIQUE» ^(', instead: noUnique },
  {
    typed: '^NOT NULL',
    in: ['command'],
    instead: 'NOT NULL is not written: an argument is required unless its field says NULL or DEFAULT',
  },
  {
    typed: '^NOT NULL',
    in: ['event', 'aggregate'],
    instead:
      'NOT NULL is not written: a field of an event has the value that the decision assigns, and is NULL without one',
  },
  {
    typed: '^NULL',
    in: ['event', 'aggregate'],
    instead: 'NULL is written in a command only: fields of events and aggregates may always be NULL',
  },
  { typed: '^AUTO_INCREMENT', instead: notGenerated },
  { typed: '^AUTOINCREMENT', instead: notGenerated },
  { typed: '^IDENTITY', instead: notGenerated },
  { typed: '^GENERATED', instead: notGenerated },
  // values
  {
    typed: 'MESSAGE ^<quoted>',
    in: ['command'],
    instead: "a text is written in single quotes, 'like this'; double quotes are for names",
  },
  {
    typed: 'DEFAULT ^<quoted>',
    instead: "a text is written in single quotes, 'like this'; double quotes are for names",
  },
  {
    typed: '«DEFAULT ^<name>»',
    instead: "a DEFAULT is a literal, such as 0, 'none' or TRUE; the decision assigns anything else",
  },
  { typed: '^DEFAULT', in: ['event'], instead: 'a field of an event has no DEFAULT: the decision assigns its value' },
  {
    typed: '<name> <name> «^=»',
    in: ['command', 'aggregate'],
    instead: 'a default value is written DEFAULT',
    fix: 'DEFAULT',
  },
  { typed: '^!', instead: noMark },
  {
    typed: '^| NULL',
    in: ['command'],
    instead: 'a field that may be absent says NULL after its type, without a |',
    fix: 'NULL',
  },
  { typed: '^|', instead: noMark },
  { typed: '^@', instead: noDecorator },
  { typed: '^?', in: ['command'], instead: 'a field that may be absent says NULL after its type' },
  {
    typed: '^AS',
    in: ['command', 'event'],
    instead: 'AS computes a field of an aggregate; the decision assigns the fields of an event',
  },
  // marks
  {
    typed: '^SENSITIVE',
    in: ['aggregate'],
    instead: 'SENSITIVE is said at the field of the event; everything computed from it is sensitive too',
  },
  { typed: '^TAG', in: ['command', 'aggregate'], instead: 'TAG is said at the field of an event' },
  { typed: '^VOLATILE', in: ['command', 'aggregate'], instead: 'VOLATILE is said at the field of an event' },
  { typed: '«^COMMENT» <string>', instead: 'a comment is written after --, before or next to the field' },
  // types
  { typed: '<name> «^:»', instead: noColon, fix: '' },
  { typed: '<name> ^<bind>', instead: noColon },
  { typed: '^[]', instead: noLists },
  { typed: '^[', instead: noLists },
  { typed: '^ARRAY', instead: noLists },
  { typed: '<name> ^<', instead: noLists },
  {
    typed: '«ENUM» ( ^<string>',
    instead: 'an ENUM has a name of its own: CREATE ENUM Name AS (…), and Name is the type of the field',
  },
  { typed: 'VARCHAR ( ^MAX', instead: 'a text without a greatest length is a STRING' },
  { typed: 'DOUBLE ^PRECISION', instead: 'DOUBLE PRECISION is written DOUBLE', fix: 'DOUBLE' },
  { typed: 'CHARACTER ^VARYING', instead: 'CHARACTER VARYING is written VARCHAR', fix: 'VARCHAR' },
  {
    typed: 'TIMESTAMP «^WITH TIME ZONE»',
    instead: 'a TIMESTAMP is always an instant in UTC: leave out WITH TIME ZONE',
  },
  {
    typed: 'TIMESTAMP «^WITHOUT TIME ZONE»',
    instead: 'a TIMESTAMP is always an instant in UTC: leave out WITHOUT TIME ZONE',
  },
  { typed: '^UNSIGNED', instead: noUnsigned },
  { typed: '^SIGNED', instead: 'INT and BIGINT are always signed: leave out SIGNED' },
];

/** Forms in the parentheses of CREATE TABLE (docs/language.md#session-tables). */
export const tableHabits: readonly Habit[] = [
  {
    typed: '<name> ^<name>',
    instead:
      "CREATE TABLE keeps rows for a session, CREATE TABLE t (a, b) AS VALUES (1, 'x'); what is stored is declared with CREATE EVENT",
    rest: 'statement',
  },
];
