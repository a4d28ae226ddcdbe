/** The sender of a request and its rights. */
export interface Caller {
  readonly subject: string;
  /** Whether the caller holds a right of the route table (`read:Bike$Agg`, `create`). */
  readonly may: (right: string) => boolean;
  /** Holds `sensitive:read`. */
  readonly cleared: boolean;
  /** Distinguishes callers of different rights in entity tags. */
  readonly rightsKey: string;
  /** ms since 1970, after which the caller's credentials no longer count. */
  readonly until?: number;
}

/** A caller without credentials, where a policy asks for them. */
export const stranger: Caller = { subject: 'stranger', may: () => false, cleared: false, rightsKey: 'none' };

/**
 * Any caller, if there is no policy. Such a caller may do everything, but does not hold `sensitive:read`, which only a policy grants
 * (docs/language.md#sensitive-values).
 */
export const anyone: Caller = {
  subject: 'anyone',
  may: (right) => right !== 'sensitive:read',
  cleared: false,
  rightsKey: 'any',
};
