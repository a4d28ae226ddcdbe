const waiting: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop of which no other waiter gets a part. Code that writes many values waits for this first, so that
 * however many answers are written at once, other requests wait only for one piece of one answer.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resume) => {
    waiting.push(resume);
    if (waiting.length === 1) setImmediate(nextTurn);
  });
}

function nextTurn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(nextTurn);
}
