/** How much one command may bring about, and how many may wait (docs/http.md#limits). */
export interface EngineLimits {
  readonly streamIdCharacters: number;
  readonly eventsPerCommand: number;
  /** Of an event's payload as it is stored. */
  readonly eventBytes: number;
  /** Commands that may wait; past it they fail with R0401. */
  readonly waitingCommands: number;
  /** How long commands may have to wait by estimate; past it they fail with R0401. A command that finds an empty queue is always accepted. */
  readonly waitingMilliseconds: number;
}

/** What holds where the configuration says nothing. */
export const defaultEngineLimits: EngineLimits = {
  streamIdCharacters: 256,
  eventsPerCommand: 100,
  eventBytes: 256 * 1024,
  waitingCommands: 1_024,
  waitingMilliseconds: 1_000,
};
