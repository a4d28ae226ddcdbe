/** Limits for the effects of one command, and for the number of waiting ones (docs/http.md#limits). */
export interface EngineLimits {
  readonly streamIdCharacters: number;
  readonly eventsPerCommand: number;
  /** Maximum size of an event's payload in its stored form. */
  readonly eventBytes: number;
  /** Commands that may wait; past it they fail with R0401. */
  readonly waitingCommands: number;
  /**
   * The estimated time that a command may have to wait; past it commands fail with R0401. With an empty queue none is
   * refused.
   */
  readonly waitingMilliseconds: number;
  /** Commands that follow from one event by reactions, without a wait of a second between them. */
  readonly commandsPerEvent: number;
}

/** Used for settings that the configuration does not have. */
export const defaultEngineLimits: EngineLimits = {
  streamIdCharacters: 256,
  eventsPerCommand: 100,
  eventBytes: 256 * 1024,
  waitingCommands: 1_024,
  waitingMilliseconds: 1_000,
  commandsPerEvent: 10_000,
};

/** The rules of commands that are not in their definitions. */
export interface EngineRules {
  /** The defaults if absent. */
  readonly limits?: EngineLimits;
  /** Name of the event store whose rules they follow; without it the domain's only or default one. */
  readonly eventStore?: string | undefined;
}
