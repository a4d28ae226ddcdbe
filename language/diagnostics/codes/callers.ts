import { entry } from '../define.ts';

/** The clause to use instead, by the place in which the caller is not known. */
function placeInstead(where: string): string {
  if (where === 'CHECK') return 'ALLOW says who may send the command';
  if (where === 'a projection') return 'VISIBLE says who sees which of its rows';
  return 'it is the same for all callers';
}

/** The blocks that the examples below begin with. */
const tank =
  'CREATE AGGREGATE Tank (tank_id STRING KEY, owner STRING, level INT);\nCREATE COMMAND Fill (tank_id STRING, owner STRING, level INT);\n' +
  'CREATE EVENT Filled (owner STRING, level INT);\n' +
  'CREATE DECISION Pour FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (owner := :owner, level := :level);\n';

/** E071x and E072x: the caller in expressions, and clauses about callers (docs/callers.md). */
export const callers = {
  E0710: entry<{ word: string; where: string }>({
    severity: 'error',
    title: 'caller where none is known',
    message: (p) => `${p.word} is not allowed in ${p.where}; ${placeInstead(p.where)}`,
    explanation:
      'Projections, folds, functions, subscriptions and reactions are computed once for all callers, and a CHECK is about the arguments alone. ' +
      'The caller is known in ALLOW, in DEFAULT, in STATE, guards and assignments of a decision, in VISIBLE and CLEAR, and in a query.',
    example: 'CREATE COMMAND Rent (bike_id STRING, renter STRING CHECK (renter = CURRENT_USER));',
  }),
  E0711: entry<{ function: string; takes: string }>({
    severity: 'error',
    title: 'form of HAS_ROLE or CLAIM',
    message: (p) => `${p.function} takes ${p.takes}`,
    explanation:
      'The role and the claim are written as they are, so that the compiler knows which ones a schema reads.',
    example: 'SELECT HAS_ROLE(1 + 1);',
  }),
  E0712: entry<{ claim: string }>({
    severity: 'error',
    title: 'list of a claim outside ANY',
    message: (p) => `claim '${p.claim}' is a list, which is only compared: x = ANY (CLAIM(${p.claim}))`,
    explanation: 'A claim of the type STRING[] is a set of values, in which a value is or is not.',
    example: "CREATE CLAIM teams STRING[];\nSELECT CLAIM(teams) = 'red';",
  }),
  E0713: entry<{ type: string }>({
    severity: 'error',
    title: 'type of a claim',
    message: (p) =>
      `a claim is no ${p.type}, but STRING, VARCHAR(n), UUID, INT, BIGINT, DECIMAL(p,s), BOOLEAN, DATE, TIMESTAMP, an enum or STRING[]`,
    explanation:
      'A claim is read from a token as an argument of a command is read, and has a type in which values can be compared exactly.',
    example: 'CREATE CLAIM weight DOUBLE;',
  }),
  E0714: entry<{ name: string; instead: string }>({
    severity: 'error',
    title: 'DEFAULT that is no value',
    message: (p) => `the DEFAULT of '${p.name}' is a literal, CURRENT_USER or CLAIM(name); ${p.instead}`,
    explanation: 'An argument that is left out has a value that is fixed, or one of the caller who sends the command.',
    example: 'CREATE COMMAND Rent (bike_id STRING, renter STRING DEFAULT renter_of_day);',
  }),
  E0715: entry<{ name: string }>({
    severity: 'error',
    title: 'member of a claim',
    message: (p) => `claim '${p.name}' names an empty member, or one with half a surrogate pair`,
    explanation:
      'FROM names members of the token: the first of the token itself, each other one of the object before it.',
    example: "CREATE CLAIM clinic STRING FROM '';",
  }),
  E0716: entry<{ name: string; type: string; given: string }>({
    severity: 'error',
    title: 'type of a DEFAULT of the caller',
    message: (p) => `the DEFAULT of '${p.name}' is ${p.given}, of which not every value is one of ${p.type}`,
    explanation: 'An argument that is left out has this value as it is, without a conversion that could fail.',
    example: 'CREATE COMMAND Rent (bike_id STRING, renter UUID DEFAULT CURRENT_USER);',
  }),
  E0717: entry<{ where: string; relation?: string }>({
    severity: 'error',
    title: 'subquery in VISIBLE or CLEAR',
    message: (p) =>
      p.relation === undefined
        ? `a subquery in ${p.where} is x [NOT] IN (SELECT …), x = ANY (SELECT …) or [NOT] EXISTS (SELECT …)`
        : `${p.where} reads states, events and projections, not ${p.relation}`,
    explanation:
      'A subquery is a set that belongs to the caller and is computed once for an answer: a value of the row is in it or not, or it has rows or not.',
    example: `${tank}CREATE PROJECTION Levels VISIBLE WHERE owner = (SELECT MAX(owner) FROM Reg."Tank$Agg") AS SELECT owner FROM Reg."Tank$Agg";`,
  }),
  E0718: entry<{ where: string }>({
    severity: 'error',
    title: 'subquery that reads the row',
    message: (p) => `a subquery in ${p.where} reads no column of the row`,
    explanation:
      'A subquery is computed once for an answer, not once for each row. Compare a value of the row with the rows of the subquery, as in x IN (SELECT …), or make a projection ' +
      'that has what depends on both.',
    example: `${tank}CREATE PROJECTION Levels VISIBLE WHERE EXISTS (SELECT 1 FROM Reg."Tank$Agg" t WHERE t.owner = who) AS SELECT owner AS who FROM Reg."Tank$Agg";`,
  }),
  E0719: entry<{ where: string; part: string }>({
    severity: 'error',
    title: 'clause that could fail',
    message: (p) => `${p.where} takes nothing that can fail: ${p.part}`,
    explanation:
      'The condition decides about each row of every answer, so that one value would make all answers fail. Arithmetic, most conversions and functions that refuse some ' +
      'arguments are left out, and so are relations whose definitions have them; let an event or a column of a projection have the value.',
    example: `${tank}CREATE PROJECTION Levels VISIBLE WHERE 8 / level > 2 AS SELECT level FROM Reg."Tank$Agg";`,
  }),
  E0720: entry<{ where: string; part: string }>({
    severity: 'error',
    title: 'clause that changes with the time',
    message: (p) => `${p.where} takes nothing that changes with the time: ${p.part}`,
    explanation:
      'An answer holds until an event is appended, or the caller is another one. Let an event say when something begins or ends to be visible.',
    example: `${tank}CREATE PROJECTION Levels VISIBLE WHERE CURRENT_TIMESTAMP > TIMESTAMP '2030-01-01' AS SELECT level FROM Reg."Tank$Agg";`,
  }),
  E0721: entry<{ projection: string; read: string }>({
    severity: 'error',
    title: 'projection without VISIBLE',
    message: (p) =>
      `projection '${p.projection}' reads '${p.read}', which has VISIBLE; say VISIBLE WHERE … or VISIBLE TO ALL`,
    explanation:
      'What a projection reads is not filtered, and its own clause alone decides about its rows. So that nothing is shown by oversight, it must have one.',
    example: `${tank}CREATE OR REPLACE AGGREGATE Tank (tank_id STRING KEY, owner STRING) VISIBLE WHERE owner = CURRENT_USER;\nCREATE PROJECTION Owners AS SELECT owner FROM Reg."Tank$Agg";`,
  }),
  E0730: entry<{ name: string; type: string }>({
    severity: 'error',
    title: 'value of a claim',
    message: (p) => `claim '${p.name}' takes ${p.type}`,
    explanation: 'SET CALLER gives a claim a literal of its type, and one of the type STRING[] a list in parentheses.',
    example: "CREATE CLAIM level INT;\nSET CALLER 'ada' CLAIMS (level := 'high');",
  }),
  E0731: entry<{ problem: string }>({
    severity: 'error',
    title: 'subject of no caller',
    message: (p) => `${p.problem}; NULL is an anonymous caller`,
    explanation: 'A caller has a name, or is anonymous. Commands of reactions have names that no caller has.',
    example: "SET CALLER '';",
  }),
} as const;
