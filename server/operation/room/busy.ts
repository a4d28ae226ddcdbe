/** There is no room for the request now. It was not executed and may be sent again. */
export class Busy extends Error {
  constructor(message: string) {
    super(message);
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
