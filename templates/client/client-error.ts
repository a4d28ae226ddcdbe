/**
 * `refused`: the server answered with an error, whose `status` says which; `unreachable`: there was no answer, or it
 * was cut; `timeout`: the server took too long; `damaged`: the answer is not what was asked for.
 */
export type ClientErrorKind = 'refused' | 'unreachable' | 'timeout' | 'damaged';

export interface ClientErrorDetails {
  readonly status?: number;
  readonly requestId?: string | undefined;
  /** Seconds that the server asks to wait. */
  readonly retryAfter?: number | undefined;
  readonly cause?: unknown;
}

/** What a call fails with, unless its signal ended it. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly kind: ClientErrorKind;
  /** Of the answer, where there was one. */
  readonly status: number | undefined;
  /** Under which the server logged the request. */
  readonly requestId: string | undefined;
  readonly retryAfter: number | undefined;
  /** Of a command: sent again with this key it has one effect, whether or not it had one already. */
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
