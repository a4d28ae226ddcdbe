const waiting: (() => void)[] = [];

/**
 * Resolves in a turn of the event loop in which nobody else who waits for it goes on. Whoever is about to write many values waits for
 * this, so that however many answers are written at once, what holds up every other request is one piece of one of them.
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
