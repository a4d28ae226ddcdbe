import { fail } from '../../../language/failure/failure.ts';
import type { Route } from '../route.ts';
import type { Components } from './components.ts';
import type { DescribedDomain, DescribedServer } from './described.ts';
import type { Operation } from './document.ts';
import { closed, text, type JsonSchema } from '../wire/json-schema.ts';
import { argumentSchema } from './outcome-schemas.ts';
import { parametersOf } from './parameters.ts';
import { responsesOf } from './responses.ts';
import { type Named, rowsSchema } from './row-schemas.ts';
import { tagOf } from './tags.ts';

interface Described {
  readonly server: DescribedServer;
  readonly domain: DescribedDomain;
  readonly components: Components;
}

/** An operation: a row of the route table, with the names of its path filled in. */
export function operationOf(
  route: Route,
  id: string,
  named: Named,
  { server, domain, components }: Described,
): Operation {
  const rights = [...route.rights, ...(route.needs ?? [])].map((right) =>
    right.replaceAll(/\{(\w+)\}/g, (whole, key: string) => nameOf(named, key) ?? whole),
  );
  const items = route.rows === undefined ? {} : rowsSchema(route.rows, named, domain, components);
  return {
    operationId: id,
    tags: [tagOf(route.path, named)],
    summary: route.summary,
    description: descriptionOf(route, named, rights, domain.commands),
    ...(route.open !== undefined && { security: [] }),
    ...(rights.length > 0 && { 'x-rights': rights }),
    parameters: parametersOf(route, named, server.settings.limits, components),
    ...(route.body !== undefined && { requestBody: requestBody(route, route.body, named, domain, components) }),
    responses: responsesOf(route, items, components, server.settings.limits, notAllowed(route, named, domain)),
  };
}

/** The message for a caller whom ALLOW refuses, if the command has one. */
function notAllowed({ body }: Route, { decision }: Named, { commands }: DescribedDomain): string | undefined {
  const { name = '', allow } = commands.find((command) => command.name === decision?.command) ?? {};
  return body !== 'command' || allow === undefined
    ? undefined
    : fail('R0116', { command: name, message: allow.message }).message;
}

function nameOf({ aggregate, decision, projection, subscription, reaction }: Named, key: string): string | undefined {
  switch (key) {
    case 'agg':
      return aggregate?.name ?? decision?.aggregate;
    case 'command':
      return decision?.command;
    case 'name':
      return projection?.name ?? subscription?.name ?? reaction?.name;
    default:
      return undefined;
  }
}

function requestBody(
  { members = {}, required = [] }: Route,
  kind: NonNullable<Route['body']>,
  { decision }: Named,
  { commands }: DescribedDomain,
  components: Components,
): NonNullable<Operation['requestBody']> {
  const command = commands.find(({ name }) => name === decision?.command);
  const schema =
    kind === 'schema'
      ? closed({ lang: text })
      : kind === 'query'
        ? queryBody
        : kind === 'members'
          ? membersSchema(members, required)
          : command === undefined
            ? { type: 'object' }
            : components.refer('schemas', `${command.name}Command`, () => argumentSchema(command));
  // The answer to lines has the columns `line` and `replayed` as well, and rows of the status `error`.
  const lines = { 'application/x-ndjson': { schema: { type: 'string', description: 'a command a line' } } };
  return { required: true, content: { 'application/json': { schema }, ...(kind === 'command' && lines) } };
}

function membersSchema(members: NonNullable<Route['members']>, required: readonly string[]): JsonSchema {
  const properties = Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema]));
  return { type: 'object', properties, ...(required.length > 0 && { required }), additionalProperties: false };
}

const queryBody = {
  type: 'object',
  required: ['sql'],
  additionalProperties: false,
  properties: {
    sql: text,
    params: {
      type: 'object',
      description: 'values of the :name in the text',
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
    },
  },
};

/** The description of an operation in Markdown: its blocks, and what a caller needs to know of the route. */
function descriptionOf(
  route: Route,
  named: Named,
  rights: readonly string[],
  commands: DescribedDomain['commands'],
): string {
  const needs = rights.length === 0 ? 'It needs no right.' : `It needs the right ${rights.map(code).join(' and ')}.`;
  const { projection, decision, aggregate, subscription } = named;
  const command = commands.find(({ name }) => name === decision?.command);
  const doc = (command ?? projection ?? subscription ?? aggregate)?.docs?.block ?? '';
  return [doc, ...blocksText(route, named), formsText(route), needs].filter((part) => part !== '').join('\n\n');
}

function blocksText({ rows }: Route, { aggregate, decision, projection }: Named): readonly string[] {
  if (decision !== undefined) return [decisionText(decision)];
  if (projection !== undefined) {
    const of = projection.aggregates.map(code).join(', ');
    return [`The projection ${code(projection.name)}${of === '' ? '' : ` over the events of ${of}`}.`];
  }
  if (aggregate === undefined) return [];
  const name = code(aggregate.name);
  return [
    rows === 'state'
      ? `The state that the events of a stream of ${name} lead to.`
      : rows === 'events'
        ? `The events of ${name}, each with its payload in \`data\`.`
        : `A table that an inspection of ${name} recorded; its columns depend on the inspection.`,
  ];
}

/** The branches of a decision, and what each emits; `/api/reg/decisions` has the guards. */
function decisionText({ name, branches }: DescribedDomain['decisions'][number]): string {
  const lines = branches.map(({ label, events }) => {
    const emits = [...new Set(events)].map(code).join(', ');
    return `- ${label === undefined ? '' : `${code(label)}: `}emits ${emits}`;
  });
  return `Decided by ${code(name)}, which\n\n${lines.join('\n')}\n\nA command for which no branch emits is rejected: the answer has one row of status \`rejected\`.`;
}

function formsText({ answers }: Route): string {
  if (answers !== 'table') return '';
  return 'The rows come in the form that `Accept` names: Arrow (the default), JSON, CSV or HTML.';
}

/** A name as Markdown code; names of blocks, branches and rights hold no signs of Markdown. */
function code(name: string): string {
  return `\`${name}\``;
}
