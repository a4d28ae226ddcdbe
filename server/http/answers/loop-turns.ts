const waiting: (() => void)[] = [];
/** Connections that were taken since the last turn of the event loop. */
let arrived = 0;
let givenWay = 0;

/** Turns that a piece gives way to arrivals at most, so that answers go on however many connect. */
const mostGivenWay = 64;

/**
 * Resolves in a turn of the event loop of which no other waiter gets a part. Code that writes many values waits for this first, so that
 * however many answers are written at once, other requests wait only for one piece of one answer.
 * Connections are taken first.
 */
export function ownTurn(): Promise<void> {
  return new Promise((resume) => {
    waiting.push(resume);
    if (waiting.length === 1) setImmediate(nextTurn);
  });
}

/**
 * Called for each connection. The event loop accepts one per turn, so connections after hundreds of others would otherwise wait for as many pieces of answers.
 */
export function connectionTaken(): void {
  arrived += 1;
}

function nextTurn(): void {
  if (arrived > 0 && givenWay < mostGivenWay) {
    arrived = 0;
    givenWay += 1;
  } else {
    givenWay = 0;
    waiting.shift()?.();
  }
  if (waiting.length > 0) setImmediate(nextTurn);
}
