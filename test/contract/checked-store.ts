import * as assert from 'uvu/assert';
import { Failure } from '../../language/failure/failure.ts';
import type { Store } from '../../runtime/store/store.ts';
import { column, text } from './accounts.ts';

/** Defines a test with a new, empty store. */
export type Check = (title: string, work: (store: Store) => Promise<void>) => void;

/** Defines a test in two parts: `after` gets the store opened again, if it keeps its data. */
export type CheckReopened = (
  title: string,
  before: (store: Store) => Promise<void>,
  after: (store: Store) => Promise<void>,
) => void;

export const at = 1_700_000_000_000_000n;

export function texts(many: number) {
  return Array.from({ length: many }, (_, index) => column(`c${index}`, text));
}

export async function rejects(promise: Promise<unknown>, message: RegExp): Promise<void> {
  let error: unknown;
  try {
    await promise;
  } catch (thrown) {
    error = thrown;
  }
  assert.ok(error instanceof Error, `should fail with ${String(message)}`);
  assert.match(error.message, message);
}

export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return 'no failure';
  } catch (error) {
    return error instanceof Failure ? `${error.code} ${error.message}` : String(error);
  }
}
