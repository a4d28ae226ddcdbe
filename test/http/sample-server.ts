import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { arrowStream, columnStream } from '../../runtime/arrow/arrow-stream.ts';
import { encodeTable } from '../../runtime/arrow/encode-table.ts';
import { followedArrow } from '../../runtime/arrow/followed-stream.ts';
import type { HttpOptions, Late } from '../../server/http/options.ts';
import type { HttpSettings } from '../../server/http/settings.ts';
import { openListener } from '../../server/http/listening/listener.ts';
import { startHttp } from '../../server/http/listening/start-http.ts';
import { defaultLimits, type Limits } from '../../server/start/settings/limits.ts';
import { createSampleEngine, type SampleEngine } from './sample-engine.ts';

export interface SampleOptions {
  readonly readOnly?: boolean;
  readonly settings?: Partial<Omit<HttpSettings, 'limits'>>;
  readonly limits?: Partial<Limits>;
  readonly create?: Late['create'];
  readonly query?: Late['query'];
  readonly inspect?: Late['inspect'];
  /** The real `create` and `query`. */
  readonly services?: true;
  readonly now?: () => number;
  readonly monotonic?: () => number;
  /** `worker`: as in a server, with a slower start. */
  readonly readModel?: 'inline' | 'worker';
  /** The state of a stopped server: this one is its next start, on the same store. */
  readonly again?: SampleEngine;
  readonly version?: string;
  readonly push?: Partial<HttpOptions['push']>;
}

/** Webhooks with nothing in the environment, names that have no address, and short waits after failures. */
export const quietPush: HttpOptions['push'] = {
  environment: {},
  openedAt: 0,
  resolve: () => Promise.resolve([]),
  chance: () => 0.01,
  pause: async (milliseconds, signal) => {
    await setTimeout(milliseconds, undefined, { signal }).catch(() => undefined); // aborted: it ends early
  },
};

/** The sample behind a real server on a free port of the loopback, with every log line it wrote. */
export async function startSample(given: SampleOptions = {}) {
  // Idle connections are not waited for long.
  const limits = { ...defaultLimits, drainMilliseconds: 2_000, ...given.limits };
  const readOnly = given.readOnly === true;
  const sample =
    given.again === undefined
      ? await createSampleEngine(readOnly, given.readModel, limits)
      : { ...given.again, engine: { ...given.again.engine, readOnly } };
  const lines: Readonly<Record<string, unknown>>[] = [];
  const write = (fields: object, message: string): void => void lines.push({ ...fields, message });
  const settings = { allowedHosts: [], allowedOrigins: [], metrics: 'here', ...given.settings, limits } as const;
  const log = { debug: write, info: write, warn: write, error: write };
  const listener = await openListener({ settings, log, randomBytes }, { host: '127.0.0.1', port: 0 });
  const { create, query, inspect } = given;
  const late: Late = {
    ...sample.services,
    ...(create === undefined ? {} : { create }),
    ...(query === undefined ? {} : { query }),
    ...(inspect === undefined ? {} : { inspect }),
  };
  const server = await startHttp(
    {
      engine: sample.engine,
      version: given.version ?? '0.1.0',
      settings,
      late: () => Promise.resolve(late),
      arrow: { whole: encodeTable, stream: arrowStream, byColumn: columnStream, followed: followedArrow },
      create: given.services ?? given.create !== undefined,
      console: given.services ?? given.query !== undefined,
      inspect: given.services ?? given.inspect !== undefined,
      loaded: () => Promise.resolve(),
      log,
      time: { now: given.now ?? Date.now, monotonic: given.monotonic ?? (() => performance.now()) },
      push: { ...quietPush, ...given.push },
      randomBytes,
    },
    listener,
  ).catch(async (error: unknown) => {
    await listener.stop(0);
    throw error;
  });
  const url = `http://127.0.0.1:${server.port}`;
  const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  return {
    ...sample,
    server,
    stop: async () => {
      await server.stop();
      await sample.close();
    },
    url,
    port: server.port,
    lines,
    post,
    get: (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers }),
  };
}
