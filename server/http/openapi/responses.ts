import type { Route } from '../pipeline/route.ts';

/** The possible answers of a route, with the headers that clients use; `rows` names the component schema of a table's rows. */
export function responsesOf(route: Route, rows: string | undefined): object {
  const always = [
    400,
    403,
    404,
    405,
    ...(route.open === true ? [] : [401]),
    ...(route.answers === 'table' ? [406] : []),
  ];
  const refusals = [...new Set([...always, ...route.statuses])].map((status) => {
    // Queues and held results are limited, and soon have room again; readiness does not predict when to retry.
    const isBusy = status === 503 && route.open !== true;
    return [String(status), isBusy ? { ...refused, headers: headers('Retry-After') } : refused] as const;
  });
  const isTagged = route.freshness !== 'never';
  const counts = route.query.includes('count') ? (['Schemac-Total', 'Preference-Applied'] as const) : [];
  const tags =
    route.name === 'execute'
      ? { ETag: { $ref: '#/components/headers/Position' }, ...headers('Idempotent-Replayed') }
      : isTagged
        ? headers('ETag', ...counts)
        : undefined;
  return {
    [route.name === 'create' ? '201' : '200']: {
      description: 'Done',
      ...(tags === undefined ? {} : { headers: tags }),
      content: content(route, rows),
    },
    ...(isTagged
      ? { '304': { description: "The caller's copy is still valid", headers: headers('ETag', ...counts) } }
      : {}),
    ...Object.fromEntries(refusals),
  };
}

function content({ answers, body }: Route, rows: string | undefined): object {
  if (answers === 'status') return { 'application/json': { schema: { type: 'object' } } };
  if (answers === 'text') return { 'text/plain': { schema: { type: 'string' } } };
  const items = rows === undefined ? { type: 'object' } : { $ref: `#/components/schemas/${rows}` };
  return {
    'application/vnd.apache.arrow.stream': { schema: { type: 'string', format: 'binary' } },
    'application/json': { schema: { type: 'array', items } },
    'text/csv': { schema: { type: 'string' } },
    // Of a request of lines.
    ...(body === 'command' && { 'application/x-ndjson': { schema: { type: 'string' } } }),
  };
}

const refused = {
  description: 'Refused',
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  },
};

/** The components that answers refer to. */
export const answerHeaders = {
  ETag: header(
    'for If-None-Match; for one stream "<seq>.<suffix>", which is also for If-Match; absent if the answer changes with the clock',
  ),
  Position: header('"<seq>" of the stream after the command, for If-Match; it validates no answer'),
  'Idempotent-Replayed': header('true if the answer repeats an earlier outcome of the same Idempotency-Key'),
  'Schemac-Total': header('the number of rows without limit and offset, if Prefer asks for count=exact'),
  'Preference-Applied': header('count=exact, with Schemac-Total'),
  'Retry-After': header('seconds, if the server is busy'),
};

function header(description: string): object {
  return { description, schema: { type: 'string' } };
}

function headers(...names: readonly (keyof typeof answerHeaders)[]): object {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
