import { test } from 'uvu';

const open: (() => Promise<void>)[] = [];

test.after.each(async () => {
  const closes = open.splice(0).reverse();
  const ends = await Promise.allSettled(closes.map((close) => close()));
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
});

/**
 * Closes something when the running test ends, also when it fails, so that nothing keeps the process alive. A test may close it itself
 * before. For suites of uvu's `test`; a named `suite` has hooks of its own.
 */
export function afterTest(close: () => Promise<void>): void {
  open.push(close);
}
