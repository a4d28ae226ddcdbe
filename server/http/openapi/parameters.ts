import type { Column } from '../../../language/contract/query.ts';
import { filterOperators, filtersOn, namedParameters, namesIn, operatorNames } from '../parameters/parameter-table.ts';
import { readsLog, type Route } from '../route.ts';
import type { HttpLimits } from '../settings.ts';
import type { Parameter } from './document.ts';
import type { Components } from './components.ts';
import { text, type JsonSchema } from '../wire/json-schema.ts';
import type { Named } from './row-schemas.ts';

/** The parameters of an operation. */
export function parametersOf(
  route: Route,
  named: Named,
  limits: HttpLimits,
  components: Components,
): readonly Parameter[] {
  const header = (name: HeaderName): Parameter =>
    components.refer('parameters', name, () => ({ name, in: 'header', description: headers[name], schema: text }));
  return [
    ...pathParameters(route, limits, components),
    ...queryParameters(route, named, components),
    ...(route.body === 'command' ? commandHeaders : []).map(header),
    ...(route.query.includes('count') ? [header('Prefer')] : []),
    ...(route.freshness === 'never' ? [] : [header('If-None-Match')]),
    ...(readsLog(route) ? [header('Schemac-Consistency'), header('Schemac-Min-Entry')] : []),
  ];
}

const headers = {
  'Idempotency-Key': 'makes the command idempotent: the same id with the same arguments gives the first outcome again',
  'If-Match':
    'the expected seq of the stream, in double quotes, or an ETag of the stream, whose seq and store are compared',
  'X-Correlation-Id': 'kept with the events',
  'X-Causation-Id': 'kept with the events',
  traceparent: 'kept as the correlation when no other is given',
  Prefer: 'count=exact: the answer has the number of rows without limit and offset in Schemac-Total',
  'Schemac-Consistency':
    "'latest' or 'local': whether the answer shows what any server of the store acknowledged, or what this one has",
  'Schemac-Min-Entry': 'the number of an entry of the log that the answer must show',
  'If-None-Match': "the ETag of the caller's copy: while that is valid, the answer is 304",
} as const;
type HeaderName = keyof typeof headers;
const commandHeaders = ['Idempotency-Key', 'If-Match', 'X-Correlation-Id', 'X-Causation-Id', 'traceparent'] as const;

function pathParameters(route: Route, limits: HttpLimits, components: Components): readonly Parameter[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    components.refer('parameters', `path.${name}`, () => {
      if (name === 'position')
        return {
          name,
          in: 'path',
          required: true,
          description: 'a position of the log',
          schema: { type: 'integer', minimum: 0 },
        };
      const isData = name === 'id' || name === 'stream_id';
      const schema = isData
        ? { type: 'string', maxLength: limits.streamIdCharacters }
        : { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$', maxLength: limits.identifierCharacters };
      const description = isData ? 'the id of a stream' : 'a name, with its capitals';
      return { name, in: 'path', required: true, description, schema };
    }),
  );
}

function queryParameters(route: Route, named: Named, components: Components): readonly Parameter[] {
  const { query } = route;
  const byName = namesIn(query).map((name) =>
    components.refer('parameters', name, () => {
      const { takes, summary: description } = namedParameters[name];
      const schema =
        takes === 'number' ? { type: 'integer', minimum: 0 } : takes === 'flag' ? { type: 'boolean' } : text;
      return { name, in: 'query', description, schema };
    }),
  );
  if (!query.includes('filters')) return byName;
  const { name, columns } = filtered(route, named);
  // Operations with the same filters share them.
  const shared = ['filters', name, ...(query.includes('order') ? [] : ['one'])].join('.');
  return [...byName, components.refer('parameters', shared, () => filtersParameter(query, columns))];
}

/** The rows that filters choose from. */
function filtered(
  { rows }: Route,
  { aggregate, projection }: Named,
): { readonly name: string; readonly columns: readonly Column[] } {
  if (projection !== undefined) return { name: `${projection.name}.rows`, columns: projection.columns };
  const columns = rows === 'state' ? aggregate?.stateColumns : aggregate?.eventColumns;
  return { name: `${aggregate?.name ?? ''}.${rows ?? ''}`, columns: columns ?? [] };
}

function filtersParameter(query: Route['query'], columns: readonly Column[]): object {
  const operators = operatorNames.map((name) => `${name} (${filterOperators[name].summary})`).join(', ');
  return {
    name: 'filters',
    in: 'query',
    description: `filters by column, all of which must hold: ?column=value, or ?column[operator]=value with ${operators}`,
    style: 'form',
    explode: true,
    schema: { type: 'object', properties: filterSchemas(columns, query), additionalProperties: text },
  };
}

/** Each column that can be compared. With every operator of every column a document would be several times as long. */
function filterSchemas(columns: readonly Column[], query: Route['query']): JsonSchema {
  const equal = columns.flatMap((column) => filtersOn(column, query).slice(0, 1));
  return Object.fromEntries(equal.map(({ parameter }) => [parameter, text]));
}
