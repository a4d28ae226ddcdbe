/**
 * The webhooks of a server: a delivery for each subscription that has an address, begun and ended as definitions come and go. A row is
 * acknowledged once its receiver has answered 2xx, so it is delivered at least once.
 */
import type { Domain } from '../../../language/contract/domain.ts';
import type { SubscriptionDefinition } from '../../../language/contract/subscription.ts';
import type { Subscriptions } from '../hand-out/subscriptions.ts';
import type { Claims } from '../../store/side/claims.ts';
import type { Row } from '../../store/store.ts';
import { Refused } from '../refused.ts';
import { stateOf } from '../standing.ts';
import { createAllowList, type PushSettings } from './allow-list.ts';
import { createClaim, ownClaim, type Claim } from './claim.ts';
import type { Attempt, AttemptLog } from './attempt-log.ts';
import { createDelivery, untestable, type Delivery } from './delivery.ts';
import { createSend, type Resolve } from './send.ts';
import { createSockets } from './sockets.ts';
import { findTarget } from './target.ts';
import type { Verdict } from './verdict.ts';

export interface WebhooksOptions {
  readonly domain: () => Domain;
  readonly subscriptions: Subscriptions;
  readonly settings: PushSettings;
  /** Where addresses and secrets are. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Claims of a log that several servers share: each webhook is delivered by one of them at a time. */
  readonly claims: Claims | undefined;
  /** Names this server among them. */
  readonly holder: string;
  /** Why this server delivers nothing. */
  readonly rests?: string;
  readonly resolve: Resolve;
  /** ms since 1970. */
  readonly now: () => number;
  /** ms, for durations. */
  readonly monotonic: () => number;
  /** From 0 up to 1, for the time of another try. */
  readonly chance: () => number;
  readonly pause: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly warn: (message: string) => void;
}

export interface Webhooks {
  readonly start: () => void;
  /** The values of `standingColumns`, of any subscription. */
  readonly standing: (definition: SubscriptionDefinition) => Promise<Row>;
  /** Undefined of a webhook that has not begun. */
  readonly attempts: (name: string) => Pick<AttemptLog, 'recent' | 'byRow'> | undefined;
  /** Sends the last row once more as a trial; throws `Refused`. */
  readonly test: (name: string) => Promise<Attempt>;
  readonly totals: () => {
    readonly attempts: ReadonlyMap<Verdict['is'], number>;
    /** Webhooks whose endpoint fails. */
    readonly failing: number;
    /** Webhooks that cannot be delivered by configuration or environment. */
    readonly unfit: number;
  };
  /** Resolves when no request is under way; requests that last longer than this number of ms are cut. */
  readonly stop: (milliseconds: number) => Promise<void>;
}

/** Connections at a time, if the system does not say how many descriptors there are. */
const usualConnections = 128;
/** ms between two looks at the definitions in force. */
const look = 250;

export function createWebhooks(options: WebhooksOptions): Webhooks {
  const { domain, subscriptions, settings, environment, claims, rests, pause } = options;
  const deliveries = new Map<string, Delivery>();
  const send = createSend(createAllowList(settings), options.resolve);
  const sockets = createSockets(settings.connections ?? usualConnections);
  const counts = new Map<Verdict['is'], number>();
  const stopping = new AbortController();
  let watching: Promise<void> | undefined;

  const defined = (name: string): SubscriptionDefinition | undefined =>
    domain().subscriptions.find((each) => each.name === name && each.webhook !== undefined);
  const targetOf = (definition: SubscriptionDefinition): ReturnType<typeof findTarget> =>
    rests === undefined
      ? findTarget(definition, environment, { loopback: settings.loopback === true })
      : { problem: rests };
  const problemOf = (definition: SubscriptionDefinition): string | undefined => {
    const target = targetOf(definition);
    return 'problem' in target ? target.problem : undefined;
  };

  const claimOf = (name: string): Claim =>
    claims === undefined ? ownClaim() : createClaim({ ...options, claims, work: `webhook ${name}` });
  const begin = (name: string): void => {
    const delivery = createDelivery({
      ...options,
      name,
      targetOf,
      send,
      sockets,
      source: settings.source,
      claim: claimOf(name),
      current: () => defined(name),
      attempted: (outcome) => counts.set(outcome, (counts.get(outcome) ?? 0) + 1),
    });
    deliveries.set(name, delivery);
    void delivery.ended.then(() => {
      if (deliveries.get(name) === delivery) deliveries.delete(name);
    });
  };
  const watch = async (): Promise<void> => {
    let seen: Domain | undefined;
    while (!stopping.signal.aborted) {
      const now = domain();
      if (now !== seen) {
        for (const definition of now.subscriptions) {
          const { name, webhook } = definition;
          if (webhook === undefined || deliveries.has(name)) continue;
          const problem = problemOf(definition);
          if (problem !== undefined && rests === undefined)
            options.warn(`webhook ${name} is not delivered: ${problem}`);
          begin(name);
        }
        seen = now;
      }
      await pause(look, stopping.signal);
    }
  };

  return {
    start: () => {
      watching ??= rests === undefined ? watch() : undefined;
    },
    standing: async (definition) => {
      const standing = await subscriptions.standing(definition.name);
      const { acknowledged, lag, more, lagSeconds, out, parked, heldBy, stopped, lastError } = standing;
      const isSent = definition.webhook !== undefined;
      const endpoint = isSent ? deliveries.get(definition.name)?.endpoint : undefined;
      const until = endpoint?.until() ?? 0;
      return [
        ...stateOf(stopped ?? (isSent ? problemOf(definition) : undefined)),
        ...[BigInt(acknowledged), BigInt(lag), more, BigInt(lagSeconds), BigInt(out), BigInt(parked.length)],
        heldBy === undefined ? null : BigInt(heldBy),
        until > options.now() ? BigInt(Math.floor(until)) * 1000n : null,
        endpoint?.lastError() ?? lastError ?? null,
      ];
    },
    attempts: (name) => deliveries.get(name)?.attempts,
    test: async (name) => {
      const definition = defined(name);
      const problem = definition === undefined ? 'it is no webhook' : problemOf(definition);
      if (problem !== undefined) throw untestable(name, problem);
      const delivery = deliveries.get(name);
      if (delivery === undefined) throw untestable(name, 'it has not begun yet');
      const row = await subscriptions.lastRow(name);
      if (row === undefined) throw new Refused('nothing to send', `'${name}' has no row among the last events`);
      return delivery.test(row);
    },
    totals: () => ({
      attempts: counts,
      failing: [...deliveries.values()].filter(({ endpoint }) => endpoint.isFailing()).length,
      unfit: domain().subscriptions.filter((each) => each.webhook !== undefined && problemOf(each) !== undefined)
        .length,
    }),
    stop: async (milliseconds) => {
      stopping.abort();
      const all = [...deliveries.values()];
      const timer = setTimeout(() => {
        for (const { cut } of all) cut();
      }, milliseconds);
      await Promise.all([watching, ...all.map(({ stop }) => stop())]);
      clearTimeout(timer);
    },
  };
}
