/** A refused request in terms of HTTP: a status and one sentence for the caller. Domain code throws `Failure`s instead and knows no statuses. */
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

/** There is no room for the request now. It was not executed and may be sent again. */
export class Busy extends Problem {
  constructor(message: string) {
    super(503, message, { 'Retry-After': '1' });
    this.name = 'Busy';
  }
}

/** The client hung up before its request was complete or answered: there is no client to answer. */
export class HungUp extends Error {
  constructor() {
    super('the client hung up');
    this.name = 'HungUp';
  }
}
