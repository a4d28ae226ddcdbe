import { defaultEngineLimits, type EngineLimits } from '../../runtime/engine/limits.ts';
import type { PushSettings } from '../../runtime/delivery/webhook/allow-list.ts';
import type { Caller } from '../operation/caller.ts';
import type { RoomLimits } from '../operation/room/held-results.ts';
import type { AuthPolicy } from './auth/policy.ts';

/** The configuration of HTTP. */
export interface HttpSettings {
  /** Host names served in addition to the loopback names. */
  readonly allowedHosts: readonly string[];
  /** Origins whose pages may call; none: CORS is off. */
  readonly allowedOrigins: readonly string[];
  /** Pages of any port of the loopback may call as well: in `dev`, while it listens on the loopback. */
  readonly loopbackOrigins?: boolean;
  /** Undefined: every caller may do everything except see sensitive values. */
  readonly auth?: AuthPolicy;
  /** The caller of every request, if there is no policy. */
  readonly as?: Caller;
  /** On the main port, off, or on its own port of the same host, without credentials. */
  readonly metrics: 'here' | 'off' | { readonly port: number };
  /** Where people find the documentation; without it, the page of `/openapi.json`. */
  readonly docsUrl?: string;
  /** Which entries the answers of reads show, unless a request says otherwise; the latest if absent. */
  readonly read?: ReadSettings;
  /** Addresses that webhooks may call; none if absent. */
  readonly push?: PushSettings;
  readonly api?: ApiSettings;
  readonly limits: HttpLimits;
}

export interface ReadSettings {
  /** `latest`: everything that any server acknowledged before the request. `local`: the entries that this server has. */
  readonly consistency: 'latest' | 'local';
  /** Maximum age of a local answer. */
  readonly maxLagMilliseconds: number;
}

export const defaultReadSettings: ReadSettings = { consistency: 'latest', maxLagMilliseconds: 1_000 };

/** The operator's description of the interface (docs/operation.md#describing-the-interface). */
export interface ApiSettings {
  readonly title?: string;
  readonly version?: string;
  readonly description?: string;
  readonly license?: { readonly name: string; readonly identifier?: string; readonly url?: string };
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string };
  /** Where it can be reached; without them, where the document came from. */
  readonly servers?: readonly string[];
}

/** The name of the interface, in the document and on pages. */
export function titleOf({ api }: Pick<HttpSettings, 'api'>): string {
  return api?.title ?? 'schemac server';
}

/** Bytes, counts and milliseconds (docs/http.md#limits); engine and console have their own. */
export interface HttpLimits extends Pick<EngineLimits, 'streamIdCharacters'>, RoomLimits {
  readonly commandBytes: number;
  readonly schemaBytes: number;
  readonly consoleBytes: number;
  readonly jsonDepth: number;
  readonly jsonKeys: number;
  readonly jsonNodes: number;
  /** Characters of a name in a path; the language has no name longer than the default. */
  readonly identifierCharacters: number;
  readonly stringBytes: number;
  readonly urlBytes: number;
  readonly headerBytes: number;
  readonly headerMilliseconds: number;
  readonly requestMilliseconds: number;
  readonly idleMilliseconds: number;
  readonly stallMilliseconds: number;
  readonly connections: number;
  readonly followers: number;
  readonly followersOfCaller: number;
  /** In a second, on average, and as many at once; 0 is any number. */
  readonly requestsOfCaller: number;
  readonly commandsOfCaller: number;
  readonly drainMilliseconds: number;
  readonly consoleResultBytes: number;
  readonly inspectBytes: number;
  readonly inspectCommands: number;
  /** Commands that a caller may have inspected in a second, on average. */
  readonly inspectRate: number;
}

/** The values without configuration. */
export const defaultHttpLimits: HttpLimits = {
  commandBytes: 64 * 1024,
  schemaBytes: 1024 * 1024,
  consoleBytes: 64 * 1024,
  jsonDepth: 32,
  jsonKeys: 256,
  jsonNodes: 10_000,
  streamIdCharacters: defaultEngineLimits.streamIdCharacters,
  identifierCharacters: 63,
  stringBytes: 64 * 1024,
  urlBytes: 8 * 1024,
  headerBytes: 16 * 1024,
  headerMilliseconds: 10_000,
  requestMilliseconds: 30_000,
  idleMilliseconds: 5_000,
  stallMilliseconds: 30_000,
  connections: 1_024,
  followers: 256,
  followersOfCaller: 32,
  requestsOfCaller: 0,
  commandsOfCaller: 0,
  drainMilliseconds: 10_000,
  resultBytes: 128 * 1024 * 1024,
  resultMilliseconds: 30_000,
  heldBytes: 512 * 1024 * 1024,
  consoleResultBytes: 16 * 1024 * 1024,
  inspectBytes: 1024 * 1024,
  inspectCommands: 1_000,
  inspectRate: 100,
};
