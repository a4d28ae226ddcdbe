/** Work that one server of a shared log does at a time, such as delivering to a webhook. */
export interface Claims {
  /**
   * Takes the work, or keeps it, for this long from now on by the clock of the log. False while another holder has it. The holder renews it in time,
   * and stops before it ends if it could not: then another one takes it. Rejects with R0413 while the log is away.
   */
  readonly take: (work: string, holder: string, milliseconds: number) => Promise<boolean>;
  /** Leaves the work to the others. Does nothing for a holder that no longer has it. */
  readonly leave: (work: string, holder: string) => Promise<void>;
}
