import type { Habit } from './habit.ts';

const comment = 'a comment begins with --';
const guard = 'the guard of a branch follows WHERE';
const emit = 'events are emitted with EMIT AS SELECT EVENT Name (field := value)';

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
  { typed: 'EMIT ^EVENT', instead: emit, fix: 'EMIT AS SELECT EVENT' },
  { typed: 'EMIT AS ^EVENT', instead: emit, fix: 'EMIT AS SELECT EVENT' },
  {
    typed: 'EXECUTE <name> «^<name>»',
    instead: 'the arguments of a command are in parentheses: EXECUTE Name(field := value)',
  },
  { typed: 'USE ^<name>', instead: 'USE TEMPLATE applies a template; there are no databases to choose from' },
  { typed: 'EXPLAIN «^ANALYZE»', instead: 'EXPLAIN runs nothing, so there is no ANALYZE', fix: '' },
];

/** Forms that may be anywhere in a text. */
export const commonHabits: readonly Habit[] = [
  { typed: '^/ ^/', instead: comment, rest: 'comment' },
  { typed: '«,» ^)', instead: 'there is a comma too many: nothing follows it', fix: '' },
  { typed: '«,» ^FROM', instead: 'there is a comma too many: nothing follows it', fix: '' },
];

/** The same, after every other form: a # is also the first sign of operators. */
export const lastHabits: readonly Habit[] = [{ typed: '^<hash>', instead: comment, rest: 'comment' }];
