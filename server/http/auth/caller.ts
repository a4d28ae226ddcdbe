/** Who calls, and what they may do. */
export interface Caller {
  readonly subject: string;
  /** Whether a right as the route table names it (`read:Bike$Agg`, `create`) is held. */
  readonly may: (right: string) => boolean;
  /** Holds `sensitive:read`. */
  readonly cleared: boolean;
  /** Tells callers of different rights apart in entity tags. */
  readonly rightsKey: string;
}

/**
 * Everybody, where there is no policy. Such a caller may do everything, but holds no `sensitive:read`, because nobody gave it
 * (language.md section 12).
 */
export const anyone: Caller = {
  subject: 'anyone',
  may: (right) => right !== 'sensitive:read',
  cleared: false,
  rightsKey: 'any',
};
