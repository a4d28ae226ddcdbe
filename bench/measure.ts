/** Figures are ratios of alternating rounds, medians of at least five (docs/performance.md#method). */
export interface Figure {
  readonly name: string;
  /** The two sides of the ratio, and the unit of single values. */
  readonly unit: string;
  /** The goal, and the side on which a value reaches it. */
  readonly goal: { readonly at: 'most' | 'least'; readonly value: number };
  readonly value: number;
  /** Medians of the two sides, for a ratio. */
  readonly sides?: readonly [number, number];
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Runs two measurements in turn, `rounds` times each after one round that does not count, and gives both medians. */
export async function alternate(
  rounds: number,
  a: () => Promise<number>,
  b: () => Promise<number>,
): Promise<readonly [number, number]> {
  await a();
  await b();
  const [as, bs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    as.push(await a());
    bs.push(await b());
  }
  return [median(as), median(bs)];
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Milliseconds of processor time that `work` takes in this process, which other load on the machine hardly changes. */
export async function cpuTimed(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

export function reached({ goal, value }: Figure): boolean {
  return goal.at === 'most' ? value <= goal.value : value >= goal.value;
}
