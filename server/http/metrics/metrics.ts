import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Engine } from '../../../runtime/engine/engine.ts';
import { counterLines, gaugeLines, histogramLines } from './exposition.ts';

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
  readonly exposition: (engine: Engine) => string;
  readonly close: () => void;
}

const bounds: readonly number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `heldBytes` gives the bytes charged for held results. */
export function createMetrics(heldBytes: () => number): Metrics {
  const requests = new Map<string, number>();
  const commands = new Map<string, number>();
  const durations = new Map<string, { buckets: number[]; sum: number; count: number }>();
  const delay = monitorEventLoopDelay({ resolution: 10 });
  delay.enable();
  let underWay = 0;
  return {
    began: () => {
      underWay++;
    },
    ended: ({ route, method, status, seconds, outcome }) => {
      underWay--;
      increase(requests, `route="${route}",method="${method}",status="${status}"`);
      if (outcome !== undefined) increase(commands, `outcome="${outcome}"`);
      observe(durations, `route="${route}"`, seconds);
    },
    exposition: (engine) => {
      const { entry, event } = engine.store.knownPosition();
      return [
        ...counterLines('schemac_http_requests_total', 'Requests answered', requests),
        ...histogramLines(
          'schemac_http_request_seconds',
          'Time from request to the end of its answer',
          bounds,
          durations,
        ),
        ...gaugeLines('schemac_http_requests_under_way', 'Requests not answered yet', underWay),
        ...gaugeLines(
          'schemac_http_held_bytes',
          'Memory charged for results that are being computed or sent',
          heldBytes(),
        ),
        ...counterLines('schemac_commands_total', 'Commands decided over HTTP', commands),
        ...gaugeLines('schemac_log_entries', 'Number of the last durable log entry', entry),
        ...gaugeLines('schemac_events', 'Global position of the last durable event', event),
        ...gaugeLines('schemac_registry_version', 'Changes of the registry, from 1', engine.registryVersion()),
        ...gaugeLines(
          'schemac_store_takes_writes',
          '1 while the store accepts writes',
          engine.store.refusesWrites() === undefined ? 1 : 0,
        ),
        ...gaugeLines(
          'schemac_event_loop_delay_p99_seconds',
          'Event loop delay, 99th percentile',
          delay.percentile(99) / 1e9,
        ),
        ...gaugeLines('process_resident_memory_bytes', 'Resident memory', process.memoryUsage.rss()),
        ...gaugeLines('process_uptime_seconds', 'Age of the process', process.uptime()),
        '',
      ].join('\n');
    },
    close: () => void delay.disable(),
  };
}

function increase(counts: Map<string, number>, labels: string): void {
  counts.set(labels, (counts.get(labels) ?? 0) + 1);
}

function observe(
  durations: Map<string, { buckets: number[]; sum: number; count: number }>,
  labels: string,
  seconds: number,
): void {
  let entry = durations.get(labels);
  if (entry === undefined) durations.set(labels, (entry = { buckets: bounds.map(() => 0), sum: 0, count: 0 }));
  entry.sum += seconds;
  entry.count++;
  const at = bounds.findIndex((bound) => seconds <= bound);
  if (at !== -1) entry.buckets[at] = (entry.buckets[at] ?? 0) + 1;
}
