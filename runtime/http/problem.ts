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
