/**
 * Takes the options of the application and a listener, gives a server that answers every request and stops gracefully. Also opens the port of
 * `/metrics` if it has its own.
 */
import { setMaxListeners } from 'node:events';
import type { Server } from 'node:http';
import { createApp, type HttpApp } from '../create-app.ts';
import { securityHeaders } from '../guard/security-headers.ts';
import { metricsType } from '../metrics/exposition.ts';
import type { HttpOptions } from '../options.ts';
import { createHttpServer, idOf, listen, portOf } from './http-server.ts';
import type { Listener } from './listener.ts';
import type { Standings } from '../../../runtime/delivery/standing.ts';

export interface HttpServer {
  readonly port: number;
  /** The port of `/metrics`, if it has its own. */
  readonly metricsPort?: number;
  /** Progress of subscriptions and reactions. */
  readonly standings: Standings;
  /** Puts another policy in force; rejects, and changes nothing, when its key set file cannot be read. */
  readonly replacePolicy: HttpApp['replacePolicy'];
  /** Stops accepting, lets running requests finish (within the limits), then cuts the rest. */
  readonly stop: () => Promise<void>;
}

/** The part of the time of a stop that is for answers: the store ends after them. */
const partForAnswers = 9 / 10;

/** The listener's requests are answered by the application from now on. Rejects with Node's own error when the port of `/metrics` is taken. */
export async function startHttp(given: Omit<HttpOptions, 'stopping'>, listener: Listener): Promise<HttpServer> {
  const stopping = new AbortController();
  // Each request of many commands adds a listener, so there may be one for each connection.
  setMaxListeners(0, stopping.signal);
  const options: HttpOptions = { ...given, stopping: stopping.signal };
  const { koa, metrics, followers, deliveries, replacePolicy } = await createApp(options);
  const { subscriptions, webhooks, standings } = deliveries;
  const metricsServer = await startMetricsServer(options, listener.host, () => metrics.exposition(options.engine));
  listener.serve(koa.callback());
  webhooks?.start();
  const logPlaces = async (): Promise<void> => {
    try {
      await subscriptions?.logPlaces();
    } catch (error) {
      options.log.error({ err: error }, 'the places of subscriptions could not be written to the log');
    }
  };
  const eachMinute = setInterval(() => void logPlaces(), 60_000);
  return {
    port: listener.port,
    standings,
    replacePolicy,
    ...(metricsServer === undefined ? {} : { metricsPort: portOf(metricsServer) }),
    stop: async () => {
      stopping.abort();
      clearInterval(eachMinute);
      followers.stop();
      subscriptions?.close();
      metricsServer?.close();
      metricsServer?.closeAllConnections();
      const milliseconds = options.settings.limits.drainMilliseconds * partForAnswers;
      await Promise.all([listener.stop(milliseconds), webhooks?.stop(milliseconds)]);
      // Servers of a shared log have the places in its database.
      if (options.engine.store.claims === undefined) await logPlaces();
      metrics.close();
    },
  };
}

/** Serves only `/metrics`, on a port that only the operator's network reaches. */
async function startMetricsServer(options: HttpOptions, host: string, text: () => string): Promise<Server | undefined> {
  const { metrics } = options.settings;
  if (typeof metrics === 'string') return undefined;
  const { server } = createHttpServer(
    options,
    (request, response) => {
      const headers = { 'X-Request-Id': idOf(request, options), ...securityHeaders, 'Cache-Control': 'no-store' };
      const refuse = (status: number, error: string): void => {
        response.writeHead(status, { ...headers, 'Content-Type': 'application/json; charset=utf-8' });
        response.end(`${JSON.stringify({ error })}\n`);
      };
      if (request.url !== '/metrics') refuse(404, 'there is no resource at this path');
      else if (request.method === 'GET' || request.method === 'HEAD')
        response.writeHead(200, { ...headers, 'Content-Type': metricsType }).end(text());
      else {
        response.setHeader('Allow', 'GET, HEAD');
        refuse(405, `${request.method} is not allowed here; allowed: GET, HEAD`);
      }
    },
    'GET, HEAD',
  );
  await listen(server, metrics.port, host);
  return server;
}
