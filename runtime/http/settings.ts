import type { AuthPolicy } from './auth/policy.ts';

/** What the configuration says about HTTP. */
export interface HttpSettings {
  /** Host names served beside the loopback names. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call; none: CORS is off. */
  readonly allowedOrigins: readonly string[];
  /** Undefined: everybody may do everything but see sensitive values. */
  readonly auth?: AuthPolicy;
  /** On the main port, nowhere, or on a port of its own of the same host, without credentials. */
  readonly metrics: 'here' | 'off' | { readonly port: number };
  readonly limits: HttpLimits;
}

/** Bytes, counts and milliseconds (http-details.md section 7). */
export interface HttpLimits {
  readonly commandBytes: number;
  readonly schemaBytes: number;
  readonly consoleBytes: number;
  readonly jsonDepth: number;
  readonly jsonKeys: number;
  readonly jsonNodes: number;
  readonly stringBytes: number;
  readonly urlBytes: number;
  readonly headerBytes: number;
  readonly headerMilliseconds: number;
  readonly requestMilliseconds: number;
  readonly idleMilliseconds: number;
  readonly stallMilliseconds: number;
  readonly connections: number;
  readonly drainMilliseconds: number;
  readonly resultBytes: number;
}

/** Default and hard maximum of each limit. */
const limitTable: Readonly<Record<keyof HttpLimits, readonly [byDefault: number, most: number]>> = {
  commandBytes: [64 * 1024, 1024 * 1024],
  schemaBytes: [1024 * 1024, 10 * 1024 * 1024],
  consoleBytes: [64 * 1024, 1024 * 1024],
  jsonDepth: [32, 128],
  jsonKeys: [256, 4096],
  jsonNodes: [10_000, 100_000],
  stringBytes: [64 * 1024, 1024 * 1024],
  urlBytes: [8 * 1024, 32 * 1024],
  headerBytes: [16 * 1024, 64 * 1024],
  headerMilliseconds: [10_000, 60_000],
  requestMilliseconds: [30_000, 300_000],
  idleMilliseconds: [5_000, 120_000],
  stallMilliseconds: [30_000, 300_000],
  connections: [1_024, 65_536],
  drainMilliseconds: [10_000, 10_000],
  resultBytes: [256 * 1024 * 1024, 1024 * 1024 * 1024],
};

export const defaultLimits: HttpLimits = Object.fromEntries(
  Object.entries(limitTable).map(([name, [byDefault]]) => [name, byDefault]),
) as unknown as HttpLimits;

/** What is wrong with a configured limit, or undefined: an unknown name, no whole number, or past the hard maximum. */
export function checkLimit(name: string, value: unknown): string | undefined {
  const row = Object.hasOwn(limitTable, name) ? limitTable[name as keyof HttpLimits] : undefined;
  if (row === undefined) return `there is no limit '${name}'; there are ${Object.keys(limitTable).join(', ')}`;
  const most = row[1];
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 1 && value <= most) return undefined;
  return `limit '${name}' takes a whole number from 1 to ${most}`;
}
