/** Figures are ratios of alternating rounds, medians of at least five (docs/performance.md, "Method"). */
export interface Figure {
  readonly name: string;
  /** What is divided by what, and in which unit single values are. */
  readonly unit: string;
  /** The bound to reach, and on which side of it a value is good. */
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

/** Milliseconds of processor time that `work` takes in this process: what others do on the machine hardly counts. */
export async function cpuTimed(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

export function reached({ goal, value }: Figure): boolean {
  return goal.at === 'most' ? value <= goal.value : value >= goal.value;
}
