import { metricsType } from '../metrics/exposition.ts';
import { openApiOf } from '../openapi/document.ts';
import { apiPage } from '../pages/api-page.ts';
import type { Route } from '../route.ts';

/** Machine-readable information about this server. */
export const operationRoutes: readonly Route[] = [
  {
    name: 'metrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Prometheus text',
    local: true,
    rights: ['metrics'],
    answers: 'text',
    statuses: [],
    query: [],
    freshness: 'never',
    enabled: ({ settings }) => settings.metrics === 'here',
    resolve: ({ options, metrics }) => ({
      answer: () => ({
        kind: 'text',
        type: metricsType,
        text: metrics.exposition(options.engine),
      }),
    }),
  },
  {
    name: 'openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'OpenAPI 3.1 of this server',
    rights: ['read:meta_*'],
    answers: 'status',
    readable: true,
    statuses: [503],
    query: [],
    freshness: 'store',
    local: true,
    resolve: ({ options, domain, routes }) => ({
      answer: (_, { asPage }) => {
        const { document, text } = openApiOf(options, domain, routes);
        return asPage
          ? { kind: 'text', type: 'text/html', text: apiPage(document) }
          : { kind: 'json', status: 200, text };
      },
    }),
  },
];
