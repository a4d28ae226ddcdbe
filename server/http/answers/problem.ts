/**
 * A request that is refused, as HTTP says it: a status and one sentence for the caller. Domain code throws `Failure`s instead
 * and knows no statuses.
 */
export class Problem extends Error {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  constructor(status: number, message: string, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.name = 'Problem';
    this.status = status;
    this.headers = headers;
  }
}

/** There is no room for the request at the moment. Nothing of it was done, and nothing is wrong: it may be sent again. */
export class Busy extends Problem {
  constructor(message: string) {
    super(503, message, { 'Retry-After': '1' });
    this.name = 'Busy';
  }
}

/** The client hung up before its request was whole, or before there was an answer: no client is left to answer. */
export class HungUp extends Error {
  constructor() {
    super('the client hung up');
    this.name = 'HungUp';
  }
}
