import type { Fault } from '../../../language/failure/faults.ts';
import { refusals, type RefusalCode } from './refusals.ts';

/** A refused request in terms of HTTP: a code and one sentence for the caller. Domain code throws `Failure`s instead and knows no statuses. */
export class Problem extends Error {
  readonly code: RefusalCode;
  readonly headers: Readonly<Record<string, string>>;
  /** Faults of the request, part by part. */
  readonly faults: readonly Fault[];
  constructor(
    code: RefusalCode,
    message: string,
    headers: Readonly<Record<string, string>> = {},
    faults: readonly Fault[] = [],
  ) {
    super(message);
    this.name = 'Problem';
    this.code = code;
    this.headers = headers;
    this.faults = faults;
  }
  get status(): number {
    return refusals[this.code].status;
  }
}
