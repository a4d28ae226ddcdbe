import { runInThisContext } from 'node:vm';

/** Runs statements that a test has printed, as the body of a strict function, among this realm's globals. */
export function evaluate(body: string): unknown {
  return runInThisContext(`(() => { 'use strict'; ${body} })()`);
}
