/** The media type of Prometheus text. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

/** Prometheus text of a counter with labels. */
export function counterLines(name: string, help: string, counts: ReadonlyMap<string, number>): readonly string[] {
  return [...heading(name, help, 'counter'), ...[...counts].map(([labels, count]) => `${name}{${labels}} ${count}`)];
}

/** Prometheus text of one counter. */
export function totalLines(name: string, help: string, value: number): readonly string[] {
  return [...heading(name, help, 'counter'), `${name} ${value}`];
}

/** Prometheus text of one gauge. */
export function gaugeLines(name: string, help: string, value: number): readonly string[] {
  return [...heading(name, help, 'gauge'), `${name} ${value}`];
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
