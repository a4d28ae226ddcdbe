import { entry } from '../define.ts';

const stored =
  'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n' +
  'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres);\n' +
  "EXECUTE Fill(tank_id := 'T-1', litres := 5);\nDROP DECISION Pour;\n";

/** E044x: how stored events read under another definition. */
export const upcasts = {
  E0440: entry<{ event: string; stored: string; version: number; count: number; clause: string }>({
    severity: 'error',
    title: 'stored events without a way',
    message: (p) =>
      `event '${p.event}' has no clause for ${p.count === 1 ? '1 event' : `${p.count} events`} stored ` +
      `as version ${p.version}${p.stored === p.event ? '' : ` of '${p.stored}'`}; write how ${p.count === 1 ? 'it reads' : 'they read'}: ${p.clause}`,
    explanation:
      'Once an UPCAST clause reads a stored shape, or the events of an earlier name, every later definition needs a clause for it: without one ' +
      'values that were read would silently become NULL. Each clause leads straight to the present fields; clauses are not chained.',
    example:
      `${stored}CREATE OR REPLACE EVENT Filled (ml INT) UPCAST FROM (litres INT) AS (ml := litres * 1000);\n` +
      'CREATE OR REPLACE EVENT Filled (ml INT, colour STRING);',
  }),
  E0441: entry<{ event: string }>({
    severity: 'error',
    title: 'two clauses for one shape',
    message: (p) => `two UPCAST clauses name one shape of '${p.event}'`,
    explanation:
      'A clause is chosen by the names and types of the stored fields; their order and marks play no part. So two clauses of one event name different fields.',
    example:
      'CREATE EVENT Filled (ml INT) UPCAST FROM (litres INT) AS (ml := 1) UPCAST FROM (litres INT) AS (ml := 2);',
  }),
  E0442: entry<{ event: string }>({
    severity: 'error',
    title: 'clause for the present shape',
    message: (p) =>
      `the UPCAST clause names the present fields of '${p.event}'; give the field whose meaning changes another name: events stored before cannot be distinguished from new ones`,
    explanation:
      'Stored events are distinguished by the names and types of their fields. If litres become millilitres under the same name and type, old and new ' +
      'events look the same. With a new name, such as millilitres, the clause can compute it from the old field.',
    example: 'CREATE EVENT Filled (litres INT) UPCAST FROM (litres INT) AS (litres := litres * 1000);',
  }),
  E0443: entry<{ field: string; stored: string; given: string }>({
    severity: 'error',
    title: 'field of another type without a value',
    message: (p) => `'${p.field}' was ${p.stored} and is ${p.given}: the UPCAST clause must assign it`,
    explanation:
      'Fields of the same name carry over by themselves only if their type is the same or wider now. For any other type say how the value is computed.',
    example: 'CREATE EVENT Filled (size INT, colour STRING) UPCAST FROM (size STRING) AS (colour := size);',
  }),
  E0444: entry<{ event: string; problem: string }>({
    severity: 'error',
    title: 'events that cannot be read under another name',
    message: (p) => `UPCAST FROM EVENT ${p.event}: ${p.problem}`,
    explanation:
      'UPCAST FROM EVENT gives the stored events of a dropped event to another one. While the old event exists, or another event reads its stored ' +
      'events, they have an owner; and as long as the clause exists the old name cannot be used again.',
    example: 'CREATE EVENT Old (a INT);\nCREATE EVENT New (a INT) UPCAST FROM EVENT Old (a INT) AS ();',
  }),
  E0445: entry<{ name: string; known: readonly string[] }>({
    severity: 'error',
    title: 'unknown fact of a stored event',
    message: (p) =>
      `':${p.name}' has no meaning here; an UPCAST clause reads the old fields by their names, and ${p.known.map((name) => `:${name}`).join(', ')} of the event`,
    explanation:
      'No command is decided when a stored event is read. Its old fields are bare names, the facts of the event are bound names.',
    example: 'CREATE EVENT Filled (ml INT) UPCAST FROM (litres INT) AS (ml := :litres);',
  }),
} as const;
