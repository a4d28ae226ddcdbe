import { entry } from '../define.ts';
import { suggestion } from '../suggestion.ts';

/** E03xx: types that do not exist, do not fit, or cannot be combined. */
export const types = {
  E0301: entry<{ name: string; nearest: readonly string[]; instead?: string }>({
    severity: 'error',
    title: 'unknown type',
    message: (p) =>
      `there is no type '${p.name}'` +
      (p.instead !== undefined
        ? `; ${p.instead}`
        : suggestion(p.nearest) ||
          '; the types are STRING, UUID, INT, BIGINT, DECIMAL(p,s), DOUBLE, BOOLEAN, TIMESTAMP, DATE and JSON'),
    explanation:
      'Types are STRING, UUID, INT, BIGINT, DECIMAL(p,s), DOUBLE, BOOLEAN, TIMESTAMP, DATE and JSON, with the usual synonyms.',
    example: 'CREATE EVENT Odd (a COLOUR);',
  }),
  E0302: entry<{ type: string; problem: string }>({
    severity: 'error',
    title: 'type out of limits',
    message: (p) => `${p.type}: ${p.problem}`,
    explanation:
      'DECIMAL(p,s) holds 1 to 18 digits, of which s are after the point; VARCHAR(n) at least one character; other types take no numbers.',
    example: 'CREATE EVENT Money (a DECIMAL(40,2));',
  }),
  E0303: entry<{
    literal: string;
    type: string;
    field?: string;
    nearest?: readonly string[];
    known?: readonly string[];
  }>({
    severity: 'error',
    title: 'literal does not fit',
    message: (p) =>
      `${p.field === undefined ? '' : `field '${p.field}': `}${p.literal} is not a valid ${p.type}${suggestion(p.nearest ?? [], p.known)}`,
    explanation:
      'A string literal takes the type that its context asks for, and a default or an assignment the type of its field. This one cannot: ' +
      'it does not spell such a value, is out of range, has more fraction digits than the type keeps, or is no value of the ENUM.',
    example: "SELECT DATE '2026-02-30';",
  }),
  E0304: entry<{ problem: string }>({
    severity: 'error',
    title: 'operand types cannot be combined',
    message: (p) => p.problem,
    explanation:
      'An operator or function is not defined for these types. Values of different kinds are converted with CAST, never silently.',
    example: 'SELECT TRUE + 1;',
  }),
  E0305: entry<{ field: string; type: string; given: string }>({
    severity: 'error',
    title: 'assignment of another type',
    message: (p) => `field '${p.field}' is ${p.type} and cannot take a value of type ${p.given}`,
    explanation:
      'An assignment converts among numeric types and between UUID and STRING; everything else needs a CAST that says what is meant.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, full BOOLEAN);\nCREATE EVENT Filled (litres INT);\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :full);',
  }),
  E0306: entry<{ where: string; type: string }>({
    severity: 'error',
    title: 'condition is not BOOLEAN',
    message: (p) => `${p.where} must be BOOLEAN, not ${p.type}`,
    explanation:
      'Guards and the conditions of WHERE, HAVING, ON, FILTER and CASE are BOOLEAN. Compare the value with something.',
    example:
      'CREATE AGGREGATE Tank;\nCREATE COMMAND Fill (tank_id STRING, litres INT);\nCREATE EVENT Filled (litres INT);\n' +
      'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (litres := :litres) WHERE :litres;',
  }),
  E0307: entry<{ where: string; left: string; right: string }>({
    severity: 'error',
    title: 'no common type',
    message: (p) => `${p.where}: ${p.left} and ${p.right} have no common type`,
    explanation:
      'Values in one place of a result must have one type: the results of a CASE, a VALUES column, both sides of a UNION.',
    example: 'SELECT 1 AS n UNION SELECT TRUE;',
  }),
  E0308: entry<{ from: string; to: string }>({
    severity: 'error',
    title: 'no such conversion',
    message: (p) => `${p.from} cannot be converted to ${p.to}`,
    explanation: 'CAST converts between texts and every type, between numeric types, and between dates and timestamps.',
    example: "SELECT CAST(DATE '2026-01-01' AS INT);",
  }),
  E0309: entry<{ left: string; right: string; operator: string }>({
    severity: 'error',
    title: 'text against number',
    message: (p) =>
      `${p.left} ${p.operator} ${p.right}: a text and a number are not compared or computed silently; CAST one of them`,
    explanation:
      'Texts and numbers compare and sort differently, so the conversion must be explicit: CAST(x AS STRING) or CAST(x AS INT).',
    example: "SELECT UPPER('a') = 1;",
  }),
  E0310: entry<{ text: string }>({
    severity: 'error',
    title: 'number out of range',
    message: (p) => `${p.text} has more digits than any type keeps exactly`,
    explanation:
      'Exact numbers have at most 18 digits (whole numbers: 64 bits). Write a number with an exponent, such as 1e30, for a DOUBLE.',
    example: 'SELECT 12345678901234567890.12;',
  }),
  E0311: entry<{ type: string; hint?: string }>({
    severity: 'error',
    title: 'value has no fields',
    message: (p) => `a value of type ${p.type} has no fields${p.hint === undefined ? '' : `; ${p.hint}`}`,
    explanation:
      'Only data of an event relation has fields, data.field; members of a JSON value are read with -> and ->>.',
    example: "SELECT DATE '2026-01-01'->>'year';",
  }),
  E0312: entry<Record<never, never>>({
    severity: 'error',
    title: 'key must be a literal',
    message: () => `the key of data-> and data->> must be a string literal`,
    explanation: "Each field of data has its own type, so the compiler must know which field is read: data->>'field'.",
    example: 'CREATE AGGREGATE Tank;\nCREATE PROJECTION P AS SELECT data->>event_type AS x FROM Reg."Tank$Events";',
  }),
  E0313: entry<{ field: string; type: string; given: string }>({
    severity: 'warning',
    title: 'digits lost in a field',
    message: (p) =>
      `field '${p.field}' is ${p.type} and keeps fewer digits than the ${p.given} it is given; CAST(… AS ${p.type}) says that this is meant`,
    explanation:
      'The value, or a sum of values, has a type with more digits than the field: 0.49 becomes 0 in an INT, 1.005 becomes 1.01 ' +
      'in a DECIMAL(8,2). Give the field a type that holds the value, or round it explicitly with CAST or ROUND. Products and ' +
      'quotients are rounded to their field without a warning.',
    example:
      'CREATE AGGREGATE Till;\nCREATE COMMAND Pay (till_id STRING, amount DECIMAL(8,2));\nCREATE EVENT Paid (amount INT);\n' +
      'CREATE DECISION Take FOR Till ON COMMAND Pay EMIT AS SELECT EVENT Paid (amount := :amount);',
  }),
  E0314: entry<{ field: string; type: string; given: string }>({
    severity: 'warning',
    title: 'whole quotient in a field with a fraction',
    message: (p) =>
      `field '${p.field}' is ${p.type}, but a quotient of whole numbers is cut to ${p.given}; make one of them a DECIMAL to keep the fraction`,
    explanation:
      'INT / INT is an INT without the fraction (7 / 2 is 3), as in PostgreSQL, so a field that could hold the fraction never gets one. Write 7.0 / 2 or ' +
      'CAST(n AS DECIMAL) / 2. If a whole number is intended, write CAST(7 / 2 AS DECIMAL(8,2)).',
    example:
      'CREATE AGGREGATE Till;\nCREATE COMMAND Share (till_id STRING, cents INT);\nCREATE EVENT Shared (part DECIMAL(8,2));\n' +
      'CREATE DECISION Halve FOR Till ON COMMAND Share EMIT AS SELECT EVENT Shared (part := :cents / 100);',
  }),
  E0315: entry<{ name: string; type: string }>({
    severity: 'error',
    title: 'a type of expressions only',
    message: (p) =>
      p.type === 'INTERVAL'
        ? `'${p.name}' cannot be an INTERVAL, which exists only in expressions; store EXTRACT(EPOCH FROM …), in seconds`
        : `'${p.name}' cannot be a ${p.type}, which exists only in expressions; store the instant, or a CAST to DATE or STRING`,
    explanation:
      'An INTERVAL computes with instants: a deadline, an age. Fields, projections, states of aggregates and session tables hold the instant ' +
      'itself, or a number of seconds. A LOCAL TIMESTAMP, what AT TIME ZONE gives, is such a type too.',
    example: 'CREATE EVENT Rented (period INTERVAL);',
  }),
} as const;
