import { randomBytes } from 'node:crypto';
import { arrowStream } from '../../runtime/arrow/arrow-stream.ts';
import { encodeTable } from '../../runtime/arrow/encode-table.ts';
import type { HttpOptions, InspectedTable } from '../../runtime/http/options.ts';
import { defaultLimits, type HttpLimits, type HttpSettings } from '../../runtime/http/settings.ts';
import { startHttp } from '../../runtime/http/start-http.ts';
import { createSampleEngine, sampleSelect } from './sample-engine.ts';

export interface SampleOptions {
  readonly readOnly?: boolean;
  readonly settings?: Partial<Omit<HttpSettings, 'limits'>>;
  readonly limits?: Partial<HttpLimits>;
  readonly create?: HttpOptions['create'];
  readonly console?: HttpOptions['console'];
  readonly now?: () => number;
}

/** The sample behind a real server on a free port of the loopback, with every log line it wrote. */
export async function startSample(given: SampleOptions = {}) {
  const sample = createSampleEngine(given.readOnly === true);
  const lines: Readonly<Record<string, unknown>>[] = [];
  const write = (fields: object, message: string): void => void lines.push({ ...fields, message });
  const server = await startHttp(
    {
      engine: sample.engine,
      version: '0.1.0',
      settings: {
        allowedHosts: [],
        allowedOrigins: [],
        metrics: 'here',
        ...given.settings,
        limits: { ...defaultLimits, ...given.limits },
      },
      select: sampleSelect,
      head: sample.head,
      inspections: {
        records: () => Promise.resolve([['preview', 'Decision', 'input', 'preview', 'INSPECT DECISION …;']]),
        find: (table, side) => Promise.resolve(side !== 'input' && table === 'preview' ? preview : undefined),
      },
      arrow: { whole: encodeTable, stream: arrowStream },
      ...(given.create === undefined ? {} : { create: given.create }),
      ...(given.console === undefined ? {} : { console: given.console }),
      log: { debug: write, info: write, warn: write, error: write },
      time: { now: given.now ?? Date.now, monotonic: () => performance.now() },
      randomBytes: (length) => randomBytes(length),
    },
    { host: '127.0.0.1', port: 0 },
  );
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
    url,
    port: server.port,
    lines,
    post,
    get: (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers }),
  };
}

const preview: InspectedTable = {
  aggregates: ['Bike'],
  read: () =>
    Promise.resolve({
      columns: [{ name: 'event_type', type: { kind: 'STRING' }, nullable: true, sensitive: false }],
      rows: [['BikeRented']],
    }),
};
