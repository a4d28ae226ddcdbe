import { entry } from '../define.ts';

/** The clause to use instead, by the place in which the caller is not known. */
function placeInstead(where: string): string {
  if (where === 'CHECK') return 'ALLOW says who may send the command';
  if (where === 'a projection') return 'VISIBLE says who sees which of its rows';
  return 'it is the same for everyone';
}

/** E071x: the caller in expressions, and clauses about callers (docs/callers.md). */
export const callers = {
  E0710: entry<{ word: string; where: string }>({
    severity: 'error',
    title: 'caller where none is known',
    message: (p) => `${p.word} is not allowed in ${p.where}; ${placeInstead(p.where)}`,
    explanation:
      'Projections, folds, functions, subscriptions and reactions are computed once for everyone, and a CHECK is about the arguments alone. ' +
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
  E0714: entry<{ name: string }>({
    severity: 'error',
    title: 'DEFAULT that is no value',
    message: (p) => `the DEFAULT of '${p.name}' is a literal, CURRENT_USER or CLAIM(name)`,
    explanation: 'An argument that is left out has a value that is fixed, or one of the caller who sends the command.',
    example: 'CREATE COMMAND Rent (bike_id STRING, renter STRING DEFAULT someone);',
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
} as const;
