/** The media type of Prometheus text. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** A help text, and a value or one for each text of labels. */
type Metric = readonly [help: string, value: number | ReadonlyMap<string, number>];

export type NamedMetrics = Readonly<Record<string, Metric>>;

/** Prometheus text of counters, whose names end in `_total`, and of gauges. */
export function metricLines(metrics: NamedMetrics): readonly string[] {
  return Object.entries(metrics).flatMap(([name, [help, value]]) => [
    ...heading(name, help, name.endsWith('_total') ? 'counter' : 'gauge'),
    ...(typeof value === 'number'
      ? [`${name} ${value}`]
      : Array.from(value, ([labels, count]) => `${name}{${labels}} ${count}`)),
  ]);
}

/** Prometheus text of a histogram; each bucket counts all values up to its bound. */
export function histogramLines(
  name: string,
  help: string,
  bounds: readonly number[],
  observed: ReadonlyMap<string, { readonly buckets: readonly number[]; readonly sum: number; readonly count: number }>,
): readonly string[] {
  const lines = [...observed].flatMap(([labels, { buckets, sum, count }]) => {
    let below = 0;
    return [
      ...bounds.map((bound, at) => `${name}_bucket{${labels},le="${bound}"} ${(below += buckets[at] ?? 0)}`),
      `${name}_bucket{${labels},le="+Inf"} ${count}`,
      `${name}_sum{${labels}} ${sum}`,
      `${name}_count{${labels}} ${count}`,
    ];
  });
  return [...heading(name, help, 'histogram'), ...lines];
}

function heading(name: string, help: string, type: string): readonly string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
