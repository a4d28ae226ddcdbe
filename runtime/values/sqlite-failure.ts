/** Failures on their way through SQLite, which hands on nothing of an error but its message. */
import { failures, type FailureCode } from '../failure/catalogue.ts';
import { fail, Failure } from '../failure/failure.ts';

/** SQLite's own messages begin with a word of SQLite's, so no text of a caller can stand here. */
const prefix = '\u0001schemac\u0001';

/** The message to throw inside a function that SQLite calls. */
export function encodeFailure(failure: Failure): string {
  return `${prefix}${failure.code}\u0001${failure.message}`;
}

/** The failure that an error of SQLite carries, or undefined when the error is another one, which is then a fault of ours. */
export function decodeFailure(error: unknown): Failure | undefined {
  const message = error instanceof Error ? error.message : String(error);
  // SUM over integers is the one place where SQLite itself notices an overflow.
  if (message === 'integer overflow') return fail('R0202', { type: 'BIGINT', where: '' });
  if (!message.startsWith(prefix)) return undefined;
  const [code = '', ...rest] = message.slice(prefix.length).split('\u0001');
  return Object.hasOwn(failures, code) ? new Failure(code as FailureCode, rest.join('\u0001')) : undefined;
}
