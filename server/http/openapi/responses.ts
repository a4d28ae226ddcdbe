import { readsLog, type Route } from '../route.ts';
import { safeCsv } from '../wire/accept.ts';
import type { HttpLimits } from '../settings.ts';
import type { Components } from './components.ts';
import { closed, text, whole, type JsonSchema } from '../wire/json-schema.ts';

/**
 * The possible answers of a route, with the headers that clients use. `items` is the schema of a table's rows, `notAllowed` the message of a command
 * for a caller whom its ALLOW refuses.
 */
export function responsesOf(
  route: Route,
  items: JsonSchema,
  components: Components,
  limits: Rates,
  notAllowed?: string,
): object {
  const headers = (...names: readonly HeaderName[]): Readonly<Record<string, object>> =>
    Object.fromEntries(
      names.map((name) => [
        name.replace(/\..*/, ''),
        components.refer('headers', name, () => ({ description: headerTexts[name], schema: text })),
      ]),
    );
  const isTagged = route.freshness !== 'never';
  const counts = route.query.includes('count') ? (['Schemac-Total', 'Preference-Applied'] as const) : [];
  const moments = route.query.includes('as_of') ? (['Schemac-As-Of'] as const) : [];
  const told: readonly HeaderName[] = [
    ...(route.body === 'command' ? (['ETag.position', 'Idempotent-Replayed'] as const) : []),
    ...(isTagged ? (['ETag'] as const) : []),
    ...counts,
    ...moments,
    ...(readsLog(route) || route.body === 'command' ? (['Schemac-Entry', 'Schemac-Store'] as const) : []),
  ];
  const always = [
    400,
    403,
    404,
    405,
    ...(route.open === undefined ? [401] : []),
    ...(route.answers === 'table' ? [406] : []),
    ...(isLimited(route, limits) ? [429] : []),
    ...(readsLog(route) ? [503] : []),
  ];
  const refusals = [...new Set([...always, ...route.statuses])].map((status): readonly [string, object] => {
    // Queues and held results are limited, and soon have room again; readiness does not predict when to retry.
    const isBusy = status === 503 && route.open === undefined;
    const [name, description] = refused[status] ?? [`Refused${status}`, 'The request is refused'];
    const part = (): object => ({
      description,
      ...((isBusy || status === 429) && { headers: headers('Retry-After') }),
      content: errorContent(components),
    });
    if (status === 403 && notAllowed !== undefined)
      return [String(status), { ...part(), description: `${description}, or: ${notAllowed}` }];
    return [String(status), components.refer('responses', isBusy ? 'Busy' : name, part)];
  });
  return {
    [route.name === 'create' ? '201' : '200']: {
      description: done[route.answers],
      ...(told.length > 0 && { headers: headers(...told) }),
      content: content(route, items),
    },
    ...(isTagged && {
      '304': { description: "The caller's copy is still valid", headers: headers('ETag', ...counts, ...moments) },
    }),
    ...Object.fromEntries(refusals),
  };
}

type Rates = Pick<HttpLimits, 'requestsOfCaller' | 'commandsOfCaller'>;

/** Whether a rate of callers limits the requests of a route. */
function isLimited({ open, body }: Route, { requestsOfCaller, commandsOfCaller }: Rates): boolean {
  return (requestsOfCaller > 0 && open === undefined) || (commandsOfCaller > 0 && body === 'command');
}

const done = { table: 'The rows', status: 'Done', text: 'The text', lines: 'The lines', page: 'The page' } as const;

/** Component names and meanings of the statuses that refuse. */
const refused: Readonly<Record<number, readonly [name: string, description: string]>> = {
  400: ['BadRequest', 'The request is wrong; the error says where'],
  401: ['Unauthorized', 'There are no valid credentials'],
  403: ['Forbidden', 'The caller lacks a right, or the server is in read-only mode'],
  404: ['NotFound', 'There is no such resource'],
  405: ['MethodNotAllowed', 'The method is not allowed here; Allow names the others'],
  406: ['NotAcceptable', 'There is no acceptable form'],
  409: ['Conflict', 'The schema fails on this data, or the result exceeds its budget'],
  408: ['TooSlow', 'The request did not arrive in time'],
  412: ['PreconditionFailed', 'If-Match does not match'],
  413: ['TooLarge', 'The body is too large'],
  415: ['UnsupportedMediaType', 'The body is not uncompressed UTF-8 JSON'],
  422: ['KeyReused', 'The Idempotency-Key was used for another command'],
  429: ['TooMany', 'The caller has asked for too much lately'],
  505: ['VersionNotSupported', 'Lines need HTTP/1.1'],
  503: ['Unavailable', 'The server cannot do this now'],
};

function errorContent(components: Components): object {
  return {
    'application/json': { schema: components.refer('schemas', 'Error', () => closed({ error: text })) },
    'application/problem+json': { schema: components.refer('schemas', 'Problem', () => problemSchema) },
  };
}

const problemSchema = closed({
  type: text,
  title: text,
  status: whole,
  detail: text,
  code: text,
  errors: {
    type: 'array',
    items: {
      type: 'object',
      required: ['message'],
      additionalProperties: false,
      properties: { field: text, message: text, pointer: text },
    },
  },
});

function content(
  { answers, body, query, readable, asArrow, schema = { type: 'object' } }: Route,
  items: JsonSchema,
): object {
  const arrow = { 'application/vnd.apache.arrow.stream': { schema: { type: 'string', format: 'binary' } } };
  const html = { 'text/html': { schema: text } };
  switch (answers) {
    case 'page':
      return html;
    case 'text':
      return { 'text/plain': { schema: text } };
    case 'lines':
      return { 'application/x-ndjson': { schema: text } };
    case 'status':
      return { 'application/json': { schema }, ...(asArrow === true && arrow), ...(readable === true && html) };
    case 'table':
      return {
        ...arrow,
        'application/json': { schema: { type: 'array', items } },
        'text/csv': { schema: text },
        [safeCsv]: { schema: text },
        ...html,
        // Answer to a request of lines, or a stream.
        ...(query.includes('follow') && { 'text/event-stream': { schema: text } }),
        ...((body === 'command' || query.includes('follow')) && { 'application/x-ndjson': { schema: text } }),
      };
  }
}

const headerTexts = {
  ETag: 'for If-None-Match; for one stream "<seq>.<suffix>", which is also for If-Match; absent if the answer changes with the clock',
  'ETag.position': '"<seq>" of the stream after the command, for If-Match; it validates no answer',
  'Idempotent-Replayed': 'true if the answer repeats an earlier outcome of the same Idempotency-Key',
  'Schemac-Total': 'the number of rows without limit and offset, if Prefer asks for count=exact',
  'Preference-Applied': 'count=exact, with Schemac-Total',
  'Schemac-As-Of': 'the global position of the moment that the answer shows, if it is one of the past',
  'Schemac-Entry': 'the last entry of the log that the answer shows; of a command, the entry of its outcome',
  'Schemac-Store': 'names the store, whose entries are counted',
  'Retry-After': 'seconds, if the server is busy',
} as const;
type HeaderName = keyof typeof headerTexts;
