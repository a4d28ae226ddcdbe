/**
 * The words of the language, by how freely they may be names (docs/language.md#text). All are matched in any case. A word of the language
 * that is in none of these lists is an ordinary name.
 */
import { blockKeywords, kindsKeywords } from '../../../language/contract/block-kind.ts';
import type { reservedWords } from '../../../language/source/reserved-words.ts';

/** Ordinary names, but never taken for an alias without AS, because they open (or would open, in SQL) the next clause. */
export const clauseWords = [
  ...['EMIT', 'BRANCH', 'INTO', 'FOR', 'WITH', 'ESCAPE', 'ASC', 'DESC', 'NULLS', 'PRECEDING', 'FOLLOWING'],
  ...['LEFT', 'RIGHT', 'FULL', 'INNER', 'OUTER', 'CROSS', 'NATURAL', 'LATERAL', 'WINDOW', 'FETCH', 'RETURNING'],
] as const;

/** Keywords only directly before `(` (OVER also between a call and a name); anywhere else ordinary names. */
export const callWords = [
  'ANY',
  'EXISTS',
  'EXTRACT',
  'POSITION',
  'SUBSTRING',
  'TRIM',
  'FILTER',
  'OVER',
  'ENV',
  'CHECK',
] as const;

/** Keywords only directly before a string; anywhere else ordinary names. */
export const literalWords = ['DATE', 'TIMESTAMP', 'INTERVAL'] as const;

/** A keyword only before TIME ZONE, and behind the arguments of an EXECUTE in a REACTION; anywhere else an ordinary name. */
export const zoneWords = ['AT'] as const;

/**
 * Outside parentheses of a statement that creates a subscription these end its query, so that there they are no aliases without AS
 * (`scan/classify.ts`).
 */
export const endingWords = ['KEY', 'DELIVER', 'EXECUTE'] as const;

/** The units of a REACTION's AFTER. */
export const dueUnits = [
  'SECOND',
  'SECONDS',
  'MINUTE',
  'MINUTES',
  'HOUR',
  'HOURS',
  'DAY',
  'DAYS',
  'WEEK',
  'WEEKS',
] as const;

/** Keywords where the grammar expects them, ordinary names everywhere else. */
export const freeWords = [
  ...['CREATE', 'REPLACE', 'DROP', 'APPLY', 'USE', 'EXECUTE', 'INSPECT', 'DESCRIBE', 'VALIDATE', 'EXPLAIN', 'EXPORT'],
  ...blockKeywords,
  ...kindsKeywords,
  ...['INSPECTION', 'INSPECTIONS', 'TABLE'],
  ...['REGISTRY', 'REG', 'DEREG', 'KEY', 'DEFAULT', 'SENSITIVE', 'VOLATILE', 'TAG', 'STATE', 'TO', 'UPCAST'],
  ...['RETURNS', 'TIME', 'ZONE', 'START', 'NOW', 'DELIVER', 'WEBHOOK', 'SECRET', 'MESSAGE'],
  ...['OF', 'AFTER', 'UNLESS', 'ADVANCE', 'CLOCK', 'ALLOW', 'VISIBLE', 'CLEAR'],
  ...['SET', 'RESET', 'CALLER', 'ROLES', 'ACCESS'],
  ...dueUnits,
  ...['BY', 'ALL', 'RECURSIVE', 'VALUES', 'FIRST', 'LAST', 'UNKNOWN'],
  ...['PARTITION', 'ROWS', 'RANGE', 'GROUPS', 'UNBOUNDED', 'CURRENT', 'ROW', 'EXCLUDE', 'TIES', 'NO', 'OTHERS'],
  ...['LEADING', 'TRAILING', 'BOTH'],
] as const;

type ReservedWord = (typeof reservedWords)[number];
export type Keyword =
  | ReservedWord
  | (typeof clauseWords)[number]
  | (typeof callWords)[number]
  | (typeof literalWords)[number]
  | (typeof zoneWords)[number]
  | (typeof freeWords)[number];
