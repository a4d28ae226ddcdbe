const waiting: (() => void)[] = [];
/** Connections that were taken so far. */
let taken = 0;

/** Maximum number of turns in which a piece gives way to arrivals, so that answers continue however many connect. */
const mostGivenWay = 64;
const arrived = arrivals(mostGivenWay);

/**
 * Whether a connection was taken since the last question, but at most `mostInARow` times in a row. The event loop accepts one per turn, so
 * connections after hundreds of others would wait for hundreds of turns full of other work.
 */
export function arrivals(mostInARow: number): () => boolean {
  let before = taken;
  let inARow = 0;
  return () => {
    const some = taken !== before && inARow < mostInARow;
    before = taken;
    inARow = some ? inARow + 1 : 0;
    return some;
  };
}

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

/** Called for each connection. */
export function connectionTaken(): void {
  taken += 1;
}

function nextTurn(): void {
  if (!arrived()) waiting.shift()?.();
  if (waiting.length > 0) setImmediate(nextTurn);
}
