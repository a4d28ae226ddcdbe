import type { Habit } from './habit.ts';

const comment = 'a comment begins with --';
const guard = 'the guard of a branch follows WHERE';
const values = "the values of an ENUM are texts in single quotes: CREATE ENUM Name AS ('open', 'closed')";
const reaction =
  'a reaction names its events and the command that follows: CREATE REACTION Name ON EVENT Placed EXECUTE Ship (order_id := :stream_id)';
const every =
  'there is no schedule: AFTER 1 DAY runs a command once for each event, and a process outside sends what comes each day';
const projection =
  'a projection is a query, whose columns have their names there: CREATE PROJECTION Name AS SELECT … AS a FROM …';
const folded =
  'a projection is a query over all events, kept up to date event by event: CREATE PROJECTION Name AS SELECT SUM(data.n) AS total FROM Reg."A$Events"';
const rejected =
  'a command is rejected where the guard of no branch holds; a REJECT of its own is not written, and a CHECK of the command has a MESSAGE';
const emit = 'events are emitted with EMIT AS SELECT EVENT Name (field := value)';

const rows = 'the rows of an AGGREGATE or a PROJECTION that a caller sees follow VISIBLE WHERE';
const sender = 'the condition for the sender of a COMMAND follows ALLOW WHERE';

/** Forms of whole statements (docs/language.md#blocks), and those that may be anywhere in a text. */
export const statementHabits: readonly Habit[] = [
  {
    typed: 'EVENT <name> ^<end>',
    in: ['event'],
    instead: 'an event without fields is written with (): CREATE EVENT Name ()',
  },
  {
    typed: 'COMMAND <name> ^<end>',
    in: ['command'],
    instead: 'a command has at least the field that names its stream: CREATE COMMAND Name (id STRING)',
  },
  {
    typed: 'IF ^NOT EXISTS',
    instead:
      'IF NOT EXISTS is not needed: to create the same block again changes nothing, and CREATE OR REPLACE changes its definition',
  },
  { typed: 'IF ^EXISTS', instead: 'there is no IF EXISTS: to drop a block that is not there is an error' },
  {
    typed: '^CASCADE',
    instead: 'DROP removes a block that nothing refers to: drop or change the blocks that refer to it before',
  },
  {
    typed: '^STATE AS',
    instead: 'STATE is written before EMIT: ON COMMAND Name STATE AS SELECT … EMIT AS SELECT EVENT …',
    rest: 'statement',
  },
  { typed: ') «^WHEN»', instead: guard, fix: 'WHERE' },
  { typed: ') «^IF»', instead: guard, fix: 'WHERE' },
  {
    typed: ') «^SELECT EVENT»',
    instead: 'the events of one branch are joined with a comma, and branches with UNION ALL',
  },
  {
    typed: 'EVENT «<name>» ^WHERE',
    instead: 'the fields of an event are in parentheses, also when it has none: SELECT EVENT Name () WHERE …',
  },
  {
    typed: '«TO <name>» ^WHERE',
    instead: 'an event for another aggregate names the stream in parentheses: TO Aggregate (id) WHERE …',
  },
  { typed: '^ELSE REJECT', instead: rejected },
  { typed: '^REJECT', instead: rejected },
  { typed: 'EMIT ^EVENT', instead: emit, fix: 'EMIT AS SELECT EVENT' },
  { typed: '«EMIT ^<name>» (', instead: emit, fix: 'EMIT AS SELECT EVENT' },
  { typed: 'EMIT AS ^EVENT', instead: emit, fix: 'EMIT AS SELECT EVENT' },
  {
    typed: 'EXECUTE <name> «^<name>»',
    instead: 'the arguments of a command are in parentheses: EXECUTE Name(field := value)',
  },
  { typed: 'ENUM <name> «^(»', instead: values },
  { typed: 'ENUM <name> «^{»', instead: values, rest: 'statement' },
  { typed: 'ENUM <name> AS «^{»', instead: values, rest: 'statement' },
  { typed: 'ENUM <name> AS ( «^<name>»', instead: values, rest: 'statement' },
  { typed: 'ENUM <name> AS ( «^<number>»', instead: values, rest: 'statement' },
  { typed: '^{', instead: 'the fields of a block are in parentheses: ( … )', rest: 'statement' },
  { typed: 'REACTION <name> «^WHEN»', instead: reaction },
  { typed: 'REACTION <name> «^AFTER»', instead: reaction },
  { typed: 'REACTION <name> «^<name>»', instead: reaction },
  { typed: 'EVENT <name> «^DO»', instead: reaction },
  { typed: '«^EVERY» <number>', instead: every },
  { typed: 'PROJECTION <name> «^(»', instead: projection },
  { typed: 'PROJECTION <name> «^FROM»', instead: projection },
  { typed: 'PROJECTION <name> «^ON»', instead: folded },
  { typed: ') «^USING» (', instead: rows, fix: 'VISIBLE WHERE' },
  { typed: 'AGGREGATE <name> «^USING»', instead: rows, fix: 'VISIBLE WHERE' },
  { typed: 'PROJECTION <name> «^USING»', instead: rows, fix: 'VISIBLE WHERE' },
  { typed: 'VISIBLE «^(»', instead: rows, fix: 'WHERE (' },
  { typed: 'VISIBLE «^IF»', instead: rows, fix: 'WHERE' },
  { typed: 'CLEAR «^(»', instead: 'the condition of CLEAR follows WHERE', fix: 'WHERE (' },
  { typed: 'ALLOW «^(»', instead: sender, fix: 'WHERE (' },
  { typed: 'ALLOW «^IF»', instead: sender, fix: 'WHERE' },
  { typed: ') «^VISIBLE»', instead: `${sender}; ${rows}` },
  { typed: ') «^ALLOW»', instead: `${rows}; ${sender}` },
  { typed: 'PROJECTION <name> «^ALLOW»', instead: `${rows}; ${sender}` },
  { typed: 'USE ^<name>', instead: 'USE TEMPLATE applies a template; there are no databases to choose from' },
  { typed: 'EXPLAIN «^ANALYZE»', instead: 'EXPLAIN runs nothing, so there is no ANALYZE', fix: '' },
];

/** Forms that may be anywhere in a text. */
export const commonHabits: readonly Habit[] = [
  { typed: '^/ ^/', instead: comment, rest: 'comment' },
  { typed: '«,» ^)', instead: 'there is a comma too many: nothing follows it', fix: '' },
  { typed: '«,» ^FROM', instead: 'there is a comma too many: nothing follows it', fix: '' },
];

/** Forms that are tried after all others: a # is also the first sign of operators. */
export const lastHabits: readonly Habit[] = [{ typed: '^<hash>', instead: comment, rest: 'comment' }];
