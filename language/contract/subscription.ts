import type { Type } from '../values/type.ts';
import type { Docs } from './docs.ts';
import type { Column, CompiledQuery } from './query.ts';

/** Facts of the event that a subscription's query puts in front of the key and the row's own columns, each with its column of `$Events`. */
export const deliveredFacts: readonly { readonly name: string; readonly source: string; readonly type: Type }[] = [
  { name: 'position', source: 'global_position', type: { kind: 'BIGINT' } },
  { name: 'event_id', source: 'event_id', type: { kind: 'STRING' } },
  { name: 'event_type', source: 'event_type', type: { kind: 'STRING' } },
  { name: 'stream_id', source: 'stream_id', type: { kind: 'STRING' } },
  { name: 'occurred_at', source: 'occurred_at', type: { kind: 'TIMESTAMP' } },
];

/** The parameters of a subscription's query: events after one position and up to another. */
export const rangeParameters = { after: 'after', until: 'until' } as const;

/** The first event that a subscription looks at. NOW is the entry of the log that registered it. */
export type SubscriptionStart =
  | { readonly at: 'start' | 'now' }
  /** The events after this global position. */
  | { readonly at: 'position'; readonly position: number }
  | { readonly at: 'timestamp'; readonly timestamp: string };

export interface SubscriptionOptions {
  /** Failures after which a row is parked. */
  readonly attempts: number;
  /** `park`: later rows of its key continue. `wait`: they stay until the row is retried or discarded. */
  readonly onFailure: 'park' | 'wait';
  readonly leaseSeconds: number;
  /** Rows that are out, or acknowledged behind one that is not. */
  readonly maxOut: number;
  /** Set for a webhook, as all below. */
  readonly keysAtOnce: number;
  readonly timeoutSeconds: number;
  readonly firstDelaySeconds: number;
  readonly longestDelaySeconds: number;
  readonly giveUpHours: number;
}

export interface WebhookTarget {
  readonly url: string | { readonly env: string };
  /** Variables of the environment, the newest secret first. */
  readonly secrets: readonly { readonly env: string }[];
}

/** The address of a webhook as it was written. */
export function webhookText({ url }: WebhookTarget): string {
  return typeof url === 'string' ? url : `ENV('${url.env}')`;
}

export interface SubscriptionDefinition {
  readonly name: string;
  readonly docs?: Docs;
  /** Columns of its rows. */
  readonly columns: readonly Column[];
  /** Aggregates whose events it reads, sorted. */
  readonly aggregates: readonly string[];
  readonly start: SubscriptionStart;
  readonly options: SubscriptionOptions;
  readonly webhook?: WebhookTarget;
  /** Columns: the facts of each event, its key as a text, then `columns`. Parameters: `rangeParameters`. */
  readonly query: CompiledQuery;
  /** Counts these rows; parameters: `rangeParameters`. */
  readonly count: CompiledQuery;
}
