/** Everything that a server delivers: rows of subscriptions to consumers and webhooks. */
import { createSubscriptions, type Subscriptions, type SubscriptionsOptions } from './hand-out/subscriptions.ts';
import { createStandings, type Standings } from './standing.ts';
import { createWebhooks, type Webhooks, type WebhooksOptions } from './webhook/webhooks.ts';

export interface Deliveries {
  /** Undefined where no place of a subscription is kept. */
  readonly subscriptions?: Subscriptions;
  readonly webhooks?: Webhooks;
  /** The progress of subscriptions and reactions. */
  readonly standings: Standings;
}

export type DeliveriesOptions = Omit<SubscriptionsOptions, 'consumers' | 'holder'> &
  Omit<WebhooksOptions, 'domain' | 'subscriptions' | 'claims' | 'holder'>;

export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { engine, random } = options;
  const { consumers, claims, turns } = engine.store;
  if (consumers === undefined) return { standings: createStandings({ engine }) };
  const shared = {
    ...options,
    holder: Buffer.from(random(16)).toString('hex'),
    // Servers of one log end leases by one clock.
    now: () => options.now() - (turns.sharing()?.aheadMilliseconds ?? 0),
  };
  const subscriptions = createSubscriptions({ ...shared, consumers });
  const webhooks = createWebhooks({ ...shared, domain: engine.domain, subscriptions, claims });
  return { subscriptions, webhooks, standings: createStandings({ engine, ofSubscription: webhooks.standing }) };
}
