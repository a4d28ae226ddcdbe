import type { CommandDefinition } from '../../../language/contract/command.ts';
import type { Column } from '../../../language/contract/query.ts';
import type { DecisionDefinition } from '../../../language/contract/decision.ts';
import type { AggregateDefinition, ProjectionDefinition } from '../../../language/contract/relation.ts';
import type { HttpOptions } from '../options.ts';
import type { Route } from '../pipeline/route.ts';
import { filterOperators, namedParameters, namesIn, operatorNames } from '../parameters/parameter-table.ts';
import type { HttpLimits } from '../settings.ts';
import { answerHeaders, responsesOf } from './responses.ts';
import { typeSchema } from './type-schema.ts';

/** The properties of a registry in the document; every `Domain` has them. */
export interface DescribedDomain {
  readonly hash: string;
  readonly aggregates: readonly Pick<AggregateDefinition, 'name' | 'stateColumns' | 'eventColumns'>[];
  readonly commands: readonly Pick<CommandDefinition<object>, 'name' | 'fields'>[];
  readonly decisions: readonly Pick<DecisionDefinition<object, object>, 'command' | 'aggregate'>[];
  readonly projections: readonly Pick<ProjectionDefinition, 'name' | 'columns'>[];
}
/** The properties of a server in the document. */
export type DescribedServer = Pick<HttpOptions, 'version' | 'settings'>;

/** The last document of each server; a change of the registry makes the next one. */
const written = new WeakMap<readonly Route[], { readonly domain: DescribedDomain; readonly text: string }>();

/** OpenAPI 3.1 of a server: the rows of the route table, and one path for each command, aggregate and projection. */
export function openApiText(server: DescribedServer, domain: DescribedDomain, routes: readonly Route[]): string {
  const known = written.get(routes);
  if (known?.domain === domain) return known.text;
  const text = `${JSON.stringify(openApi(server, domain, routes), null, 2)}\n`;
  written.set(routes, { domain, text });
  return text;
}

function openApi(server: DescribedServer, domain: DescribedDomain, routes: readonly Route[]): object {
  const { auth, limits } = server.settings;
  const secured = auth !== undefined;
  return {
    openapi: '3.1.0',
    info: {
      title: 'schemac',
      version: server.version,
      description: `Interface v0.1.0 over registry ${domain.hash.slice(0, 12)}`,
    },
    paths: { ...groupedPaths(routes, limits), ...blockPaths(domain, routes, limits) },
    components: {
      schemas: { Error: errorSchema, Problem: problemSchema, ...commandSchemas(domain), ...rowSchemas(domain) },
      headers: answerHeaders,
      ...(secured ? { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } } : {}),
    },
    ...(secured ? { security: [{ bearer: [] }] } : {}),
  };
}

function groupedPaths(routes: readonly Route[], limits: HttpLimits): Readonly<Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operation(route, route.name, limits);
  return paths;
}

/** Paths whose parameters are replaced by registered names, so that a client sees typed arguments and rows. */
function blockPaths(
  domain: DescribedDomain,
  routes: readonly Route[],
  limits: HttpLimits,
): Readonly<Record<string, object>> {
  const route = (name: string): Route | undefined => routes.find((candidate) => candidate.name === name);
  const paths: Record<string, object> = {};
  const add = (name: string, fill: Readonly<Record<string, string>>, id: string, more: Refinement): void => {
    const row = route(name);
    if (row === undefined) return;
    const path = row.path.replaceAll(/\{(\w+)\}/g, (whole, key: string) => fill[key] ?? whole);
    paths[path] = { [row.method.toLowerCase()]: operation({ ...row, path }, id, limits, more) };
  };
  for (const { name } of domain.aggregates) {
    // No row of the route table has such a name, whatever the aggregate's name is.
    add('state', { agg: name }, `state_of_${name}`, { rows: `${name}State` });
    add('events', { agg: name }, `events_of_${name}`, { rows: `${name}Event` });
  }
  for (const { command, aggregate } of domain.decisions) {
    add('execute', { agg: aggregate, command }, `execute_${command}`, { body: command });
  }
  for (const { name } of domain.projections) add('projection', { name }, `projection_${name}`, { rows: `${name}Row` });
  return paths;
}

interface Refinement {
  /** Names of component schemas. */
  readonly rows?: string;
  readonly body?: string;
}

function operation(route: Route, id: string, limits: HttpLimits, more: Refinement = {}): object {
  return {
    operationId: id,
    summary: route.summary,
    ...(route.open === true ? { security: [] } : {}),
    ...(route.rights.length > 0 ? { 'x-rights': route.rights } : {}),
    parameters: [
      ...pathParameters(route, limits),
      ...queryParameters(route),
      ...(route.name === 'execute' ? commandHeaderParameters : []),
      ...(route.freshness === 'never' ? [] : copyHeaderParameters),
      ...(route.query.includes('count') ? countHeaderParameters : []),
    ],
    ...(route.body === undefined ? {} : { requestBody: requestBody(route.body, more.body) }),
    responses: responsesOf(route, more.rows),
  };
}

function pathParameters(route: Route, limits: HttpLimits): readonly object[] {
  return [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: {
      type: 'string',
      ...(name === 'id' || name === 'stream_id'
        ? { maxLength: limits.streamIdCharacters }
        : { pattern: '^[A-Za-z_][A-Za-z0-9_]*$', maxLength: limits.identifierCharacters }),
    },
  }));
}

function queryParameters({ query }: Route): readonly object[] {
  const named = namesIn(query).map((name) => {
    const { takes, summary: description } = namedParameters[name];
    const schema = takes === 'number' ? { type: 'integer', minimum: 0 } : { type: 'string' };
    return { name, in: 'query', description, schema };
  });
  if (!query.includes('filters')) return named;
  const operators = operatorNames.map((name) => `${name} (${filterOperators[name].summary})`).join(', ');
  const filters = {
    name: 'column',
    in: 'query',
    description: `filters by column, all of which must hold: ?column=value, or ?column[operator]=value with ${operators}`,
    style: 'form',
    explode: true,
    schema: { type: 'object', additionalProperties: { type: 'string' } },
  };
  return [...named, filters];
}

const commandHeaderParameters = headerParameters([
  [
    'Idempotency-Key',
    'makes the command idempotent: the same id with the same arguments gives the first outcome again',
  ],
  [
    'If-Match',
    'the expected seq of the stream, in double quotes, or an ETag of the stream, whose seq and store are compared',
  ],
  ['X-Correlation-Id', 'kept with the events'],
  ['X-Causation-Id', 'kept with the events'],
  ['traceparent', 'kept as the correlation when no other is given'],
]);

const copyHeaderParameters = headerParameters([
  ['If-None-Match', "the ETag of the caller's copy: while that is valid, the answer is 304"],
]);

const countHeaderParameters = headerParameters([
  ['Prefer', 'count=exact: the answer has the number of rows without limit and offset in Schemac-Total'],
]);

function headerParameters(headers: readonly (readonly [name: string, description: string])[]): readonly object[] {
  return headers.map(([name, description]) => ({ name, in: 'header', description, schema: { type: 'string' } }));
}

function requestBody(kind: 'command' | 'schema' | 'query', schema: string | undefined): object {
  const text = (name: string): object => ({
    type: 'object',
    required: [name],
    additionalProperties: false,
    properties: { [name]: { type: 'string' } },
  });
  const body =
    kind === 'schema'
      ? text('lang')
      : kind === 'query'
        ? queryBody
        : schema === undefined
          ? { type: 'object' }
          : { $ref: `#/components/schemas/${schema}Command` };
  // The answer to lines has the columns `line` and `replayed` as well.
  const lines = { 'application/x-ndjson': { schema: { type: 'string', description: 'a command a line' } } };
  return { required: true, content: { 'application/json': { schema: body }, ...(kind === 'command' && lines) } };
}

const errorSchema = {
  type: 'object',
  required: ['error'],
  additionalProperties: false,
  properties: { error: { type: 'string' } },
};
const queryBody = {
  type: 'object',
  required: ['sql'],
  additionalProperties: false,
  properties: {
    sql: { type: 'string' },
    params: {
      type: 'object',
      description: 'values of the :name in the text',
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    },
  },
};

/** RFC 9457, with a code and the faulty parts of the request. */
const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'errors'],
  additionalProperties: false,
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['message'],
        additionalProperties: false,
        properties: { field: { type: 'string' }, message: { type: 'string' }, pointer: { type: 'string' } },
      },
    },
  },
};

function commandSchemas(domain: DescribedDomain): Readonly<Record<string, object>> {
  return Object.fromEntries(domain.commands.map((command) => [`${command.name}Command`, argumentSchema(command)]));
}

/** The argument schema of a command, the same wherever a command is described. */
export function argumentSchema(command: Pick<CommandDefinition<object>, 'fields'>): object {
  return {
    type: 'object',
    required: command.fields.filter((field) => field.required).map((field) => field.name),
    additionalProperties: false,
    properties: Object.fromEntries(
      command.fields.map((field) => [field.name, typeSchema(field.type, 'in', field.nullable)]),
    ),
  };
}

function rowSchemas(domain: DescribedDomain): Readonly<Record<string, object>> {
  return Object.fromEntries([
    ...domain.aggregates.flatMap((aggregate) => [
      [`${aggregate.name}State`, rowSchema(aggregate.stateColumns)] as const,
      [
        `${aggregate.name}Event`,
        rowSchema(
          aggregate.eventColumns.filter((column) => column.name === 'global_position' || column.hidden !== true),
        ),
      ] as const,
    ]),
    ...domain.projections.map((projection) => [`${projection.name}Row`, rowSchema(projection.columns)] as const),
  ]);
}

function rowSchema(columns: readonly Column[]): object {
  return {
    type: 'object',
    properties: Object.fromEntries(
      columns
        .filter((column) => column.hidden !== true || column.name === 'global_position')
        .map((column) => [column.name, typeSchema(column.type, 'out', column.nullable || column.sensitive)]),
    ),
  };
}
