/** Carries failures through SQLite, which passes on only the message of an error. */
import { failures, type FailureCode } from '../failure/catalogue.ts';
import { fail, Failure } from '../failure/failure.ts';

/** SQLite's own messages begin with a word of SQLite's, so no caller's text can appear here. */
const prefix = '\u0001schemac\u0001';

/** The message to throw inside a function that SQLite calls. */
export function encodeFailure(failure: Failure): string {
  return `${prefix}${failure.code}\u0001${failure.message}`;
}

/** Limits of SQLite that a query within the language's own limits can still exceed, by SQLite's messages. */
const bounds: readonly (readonly [RegExp, string])[] = [
  [/^Recursion limit|^parser stack overflow/, 'it nests too deeply'],
  [/^Expression tree is too large/, 'an expression is too deep'],
  [/subqueries nested too deep/, 'too many of its relations build on each other'],
  [/tables in a join$|^too many FROM clause terms/, 'it joins more than 64 relations'],
  [/^too many columns/, 'it has more than 2000 columns'],
  [/^too many arguments/, 'a function has more than 1000 arguments'],
  [/^too many terms in (ORDER|GROUP) BY/, 'it orders or groups by more than 2000 expressions'],
  [/^too many terms in compound SELECT/, 'it joins more than 500 rows or queries into one'],
  [/^too many references to/, 'too many of its relations build on each other'],
];

/** Run-time errors of SQLite's own functions; all other functions in printed SQL are from this project and throw failures. */
const refusals: Readonly<Record<string, () => Failure>> = {
  'integer overflow': () => fail('R0202', { type: 'BIGINT', where: '' }),
  'argument of ntile must be a positive integer': () =>
    fail('R0205', { function: 'NTILE', problem: 'the number of buckets is not greater than 0' }),
  'second argument to nth_value must be a positive integer': () =>
    fail('R0205', { function: 'NTH_VALUE', problem: 'the number of the row is not greater than 0' }),
};

/** The failure that an error of SQLite carries, or undefined for any other error, which is then a bug. */
export function decodeFailure(error: unknown): Failure | undefined {
  const message = error instanceof Error ? error.message : String(error);
  if (Object.hasOwn(refusals, message)) return refusals[message]?.();
  const bound = bounds.find(([pattern]) => pattern.test(message));
  if (bound !== undefined) return fail('R0302', { problem: bound[1] });
  if (!message.startsWith(prefix)) return undefined;
  const [code = '', ...rest] = message.slice(prefix.length).split('\u0001');
  return Object.hasOwn(failures, code) ? new Failure(code as FailureCode, rest.join('\u0001')) : undefined;
}
