import type { LogEntry } from '../../runtime/store/entry.ts';

/** A server, while it lives and between its lives. */
export interface Place {
  readonly name: string;
  /** Undefined while it does not serve. */
  readonly url: () => string | undefined;
}

/** Servers on one log, and what can go wrong with them. */
export interface World {
  readonly places: readonly Place[];
  /** Whether the servers share the places of subscriptions. */
  readonly subscriptions: boolean;
  /** Makes trouble of this number; false if there was nothing to disturb. */
  readonly trouble: (number: number) => Promise<boolean>;
  /** Ends all trouble; resolves when each place serves. */
  readonly calm: () => Promise<void>;
  /** Reads all entries, while the servers run where that is possible. */
  readonly log: () => Promise<readonly LogEntry[]>;
  readonly close: () => Promise<void>;
}

/** Where webhooks are sent, and the environment of the servers that sends them there. */
export interface Push {
  readonly host: string;
  readonly environment: Readonly<Record<'RECEIVER' | 'SECRET', string>>;
}
