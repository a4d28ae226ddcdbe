import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Engine } from '../../../runtime/engine/engine.ts';
import type { Store } from '../../../runtime/store/store.ts';
import type { Deliveries } from '../../../runtime/delivery/deliveries.ts';
import type { Followers } from '../../operation/follow/followers.ts';
import { histogramLines, metricLines, type NamedMetrics } from './exposition.ts';

/** Counts requests and commands, and writes them as Prometheus text. */
export interface Metrics {
  readonly began: () => void;
  /** `route` is a name of the route table or `none`, so that callers cannot invent label values. */
  readonly ended: (request: {
    route: string;
    method: string;
    status: number;
    seconds: number;
    outcome: string | undefined;
  }) => void;
  /** Counts a command of a request of many. */
  readonly decided: (outcome: string) => void;
  /** Counts a command that its ALLOW refused. */
  readonly notAllowed: (command: string) => void;
  readonly exposition: (engine: Engine) => string;
  readonly close: () => void;
}

const bounds: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `heldBytes` gives the bytes charged for held results. */
export function createMetrics(
  heldBytes: () => number,
  followers: Pick<Followers, 'count' | 'sent'>,
  deliveries: Deliveries,
): Metrics {
  const routes = new Map<string, RouteCounts>();
  const commands = new Map<string, number>();
  const refused = new Map<string, number>();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let underWay = 0;
  return {
    began: () => {
      underWay++;
    },
    ended: ({ route, method, status, seconds, outcome }) => {
      underWay--;
      let counts = routes.get(route);
      if (counts === undefined) routes.set(route, (counts = newCounts()));
      let byStatus = counts.methods.get(method);
      if (byStatus === undefined) counts.methods.set(method, (byStatus = new Map<number, number>()));
      increase(byStatus, status);
      observe(counts, seconds);
      if (outcome !== undefined) increase(commands, outcome);
    },
    decided: (outcome) => increase(commands, outcome),
    notAllowed: (command) => increase(refused, `command="${command}"`),
    exposition: (engine) => {
      const { requests, durations } = labelled(routes);
      const { entry, event } = engine.store.turns.position();
      const tables = engine.store.tables.state();
      return [
        ...metricLines({ schemac_http_requests_total: ['Requests answered', requests] }),
        ...histogramLines(
          'schemac_http_request_seconds',
          'Time from request to the end of its answer',
          bounds,
          durations,
        ),
        ...metricLines({
          schemac_http_requests_under_way: ['Requests not answered yet', underWay],
          schemac_http_held_bytes: ['Memory charged for results that are being computed or sent', heldBytes()],
          schemac_followers: ['Streams that follow the log', followers.count()],
          schemac_followed_events_total: ['Events sent to streams that follow the log', followers.sent()],
          schemac_commands_total: ['Commands decided over HTTP', byOutcome(commands)],
          schemac_commands_not_allowed_total: ['Commands that their ALLOW refused', refused],
          ...subscriptionMetrics(deliveries),
          ...reactionMetrics(engine),
          schemac_log_entries: ['Number of the last durable log entry', entry],
          ...sharingMetrics(engine.store),
          schemac_events: ['Global position of the last durable event', event],
          schemac_registry_version: ['Changes of the registry in the log', engine.registryVersion()],
          schemac_store_takes_writes: [
            '1 while the store accepts writes',
            engine.store.turns.refusesWrites() === undefined ? 1 : 0,
          ],
          schemac_read_model_bytes: [
            "Size of the read model: in memory at most inmemory.max_mb, on disk (read.engine = 'disk') without a limit",
            tables.bytes,
          ],
          schemac_read_model_entries: ['Number of the last log entry in the read model', tables.entry],
          schemac_read_model_on_disk: ['1 while the read model is on disk', engine.store.tables.in === 'disk' ? 1 : 0],
          schemac_event_loop_delay_p99_seconds: ['Event loop delay, 99th percentile', delay.percentile(99) / 1e9],
          process_resident_memory_bytes: ['Resident memory', process.memoryUsage.rss()],
          process_uptime_seconds: ['Age of the process', process.uptime()],
        }),
        '',
      ].join('\n');
    },
    close: () => void delay.disable(),
  };
}

/** Only for a log that other servers append to. */
function sharingMetrics(store: Store): NamedMetrics {
  const sharing = store.turns.sharing();
  if (sharing === undefined) return {};
  return {
    schemac_log_round_trips_total: ['Exchanges with the database of the log', sharing.roundTrips],
    schemac_log_overtaken_total: [
      'Commits and checks that were repeated because another server had appended',
      sharing.overtaken,
    ],
    schemac_log_locks_total: ['Commits that took the lock of the log first', sharing.locks],
    schemac_log_lock_wait_seconds_total: [
      'Time that these commits waited for the lock',
      sharing.lockMilliseconds / 1000,
    ],
    ...(sharing.connections !== undefined && {
      schemac_log_connections: ['Open connections to the database of the log, at most 4', sharing.connections],
    }),
    schemac_log_lag_entries: [
      'Entries that the log is known to have and this server has not taken in',
      sharing.lagEntries,
    ],
    schemac_log_lag_seconds: ['Time since this server had all entries of the log for sure', store.turns.lag() / 1000],
  };
}

/** Counts by names, which become labels when they are shown: to make the text of labels for each request costs more than counting. */
interface RouteCounts {
  readonly methods: Map<string, Map<number, number>>;
  /** Buckets of the time of an answer. */
  readonly buckets: number[];
  sum: number;
  count: number;
}

function newCounts(): RouteCounts {
  return { methods: new Map(), buckets: bounds.map(() => 0), sum: 0, count: 0 };
}

function increase<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

function observe(counts: RouteCounts, seconds: number): void {
  counts.sum += seconds;
  counts.count++;
  const at = bounds.findIndex((bound) => seconds <= bound);
  if (at !== -1) counts.buckets[at] = (counts.buckets[at] ?? 0) + 1;
}

function labelled(routes: ReadonlyMap<string, RouteCounts>): {
  readonly requests: ReadonlyMap<string, number>;
  readonly durations: ReadonlyMap<string, RouteCounts>;
} {
  const requests = new Map<string, number>();
  for (const [route, { methods }] of routes)
    for (const [method, statuses] of methods)
      for (const [status, count] of statuses) {
        requests.set(`route="${route}",method="${method}",status="${status}"`, count);
      }
  return { requests, durations: new Map(Array.from(routes, ([route, counts]) => [`route="${route}"`, counts])) };
}

function byOutcome(counts: Iterable<readonly [outcome: string, count: number]>): ReadonlyMap<string, number> {
  return new Map(Array.from(counts, ([outcome, count]) => [`outcome="${outcome}"`, count]));
}

function reactionMetrics({ domain, reactions }: Engine): NamedMetrics {
  if (domain().reactions.length === 0) return {};
  const { waiting, ready, parked, stopped, reacted, lateness } = reactions.totals();
  return {
    schemac_reactions_total: ['Commands of reactions on this server', byOutcome(Object.entries(reacted))],
    schemac_reaction_tasks_ready: ['Events that reactions have to answer now', ready],
    schemac_reaction_tasks_waiting: ['Commands of reactions that wait for their time', waiting],
    schemac_reaction_tasks_parked: ['Tasks of reactions that failed and are parked', parked],
    schemac_reactions_stopped: ['Reactions that are paused', stopped],
    schemac_reaction_timers_total: ['Commands of reactions whose time has come', lateness.count],
    schemac_reaction_lateness_seconds_total: ['How late these began, in total', lateness.seconds],
  };
}

function subscriptionMetrics({ subscriptions, webhooks }: Deliveries): NamedMetrics {
  if (subscriptions === undefined || webhooks === undefined) return {};
  const { out, parked, stopped, acknowledged, leftOut } = subscriptions.totals();
  const { attempts, failing, unfit } = webhooks.totals();
  return {
    schemac_subscription_rows_out: ['Rows of subscriptions that consumers have', out],
    schemac_subscription_rows_parked: ['Rows of subscriptions that are parked', parked],
    schemac_subscriptions_stopped: ['Subscriptions that hand nothing out', stopped],
    schemac_subscription_rows_acknowledged_total: ['Rows acknowledged by consumers', acknowledged],
    schemac_subscription_rows_left_out_total: [
      'Parked rows that a new definition of their subscription left out',
      leftOut,
    ],
    schemac_webhook_attempts_total: ['Requests to webhooks', byOutcome(attempts)],
    schemac_webhooks_failing: ['Webhooks whose endpoint does not answer', failing],
    schemac_webhooks_unfit: ['Webhooks without address, secret or permission to send', unfit],
  };
}
