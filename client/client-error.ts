/**
 * `refused`: the server answered with an error, with its `status`; `unreachable`: there was no answer, or it was cut;
 * `timeout`: the server took too long; `damaged`: the answer is not of the requested form.
 */
export type ClientErrorKind = 'refused' | 'unreachable' | 'timeout' | 'damaged';

export interface ClientErrorDetails {
  readonly status?: number;
  readonly requestId?: string | undefined;
  /** Seconds that the server asks to wait. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** The error of a call, unless its signal ended it. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly kind: ClientErrorKind;
  /** The status of the answer, if there was one. */
  readonly status: number | undefined;
  /** The id of the request in the server's log. */
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  /** The key of a command: sent again with it, the command has its effect only once. */
  idempotencyKey: string | undefined = undefined;

  constructor(
    kind: ClientErrorKind,
    message: string,
    { status, requestId, retryAfter, cause }: ClientErrorDetails = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.kind = kind;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }
}
