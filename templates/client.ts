import type { CommandBlock, EventBlock } from '../language/catalog/block.ts';
import type { Docs } from '../language/contract/docs.ts';
import type { Column } from '../language/contract/query.ts';
import { answerMembers, argumentType, columnsCode, orNull, type TypedName } from './client-types.ts';
import { COLUMNS, objectCode, type Code } from './code.ts';
import { blockDocumentation, memberDocumentation } from './documented.ts';
import { createNameScope, type NameScope } from './identifiers.ts';
import { memberKey, propertyKey, stringLiteral } from './literal.ts';
import type { ModuleFacts } from './module-facts.ts';
import type { ImportPart, InterfacePart, ModuleStructure, Part } from './module.ts';

/** The parts of blocks that a client shows. */
export interface ClientBlocks {
  /** Columns are those of the state. */
  readonly aggregates: readonly (ClientTable & { readonly events: readonly string[] })[];
  readonly commands: readonly ClientCommand[];
  readonly decisions: readonly ClientDecision[];
  readonly events: readonly ClientEvent[];
  readonly projections: readonly ClientTable[];
}

type ClientCommand = Documented & Pick<CommandBlock, 'name' | 'fields'>;
type ClientEvent = Documented & Pick<EventBlock, 'name' | 'fields'>;

interface Documented {
  readonly docs?: Docs;
}

interface ClientTable extends Documented {
  readonly name: string;
  readonly columns: readonly Column[];
}

interface ClientDecision extends ClientTable {
  readonly aggregate: string;
  readonly command: string;
  /** The events that it can emit, sorted. */
  readonly events: readonly string[];
}

export type ClientParts = ModuleFacts & ClientBlocks;

/** One function of the client: its type and the call behind it. */
interface Offer {
  /** The doc comment of its block. */
  readonly doc: string | undefined;
  readonly name: string;
  readonly type: string;
  readonly call: Code;
  readonly parts: readonly Part[];
}

/** The input of the offers. */
interface Scope {
  readonly parts: ClientParts;
  readonly names: NameScope;
  /** The type of an event's payload. */
  readonly payload: (event: string) => string;
}

/**
 * A typed client over HTTP: commands, state, events and projections by name. The part that is the same for every schema
 * is in the modules of `templates/client`.
 */
export function clientModule(parts: ClientParts): ModuleStructure {
  const names = createNameScope(ownNames);
  const events = reachableEvents(parts);
  const payloads = new Map(events.map((event) => [event.name, names.take(`${event.name}Data`)]));
  const scope: Scope = { parts, names, payload: (event) => payloads.get(event) ?? 'never' };
  const eventOffers = parts.aggregates.map((block) => offersOfEvents(block, scope));
  const groups: readonly (readonly [name: string, offers: readonly Offer[]])[] = [
    ['commands', parts.decisions.flatMap((decision) => commandOffers(decision, scope))],
    ['state', parts.aggregates.map((block) => stateOffer(block, scope))],
    ['events', eventOffers.map(({ events }) => events)],
    ['follow', eventOffers.map((offers) => offers.follow)],
    ['projections', parts.projections.map((block) => projectionOffer(block, scope))],
  ];
  const used = groups.flatMap(([name, offers]) => (offers.length > 0 ? [name] : []));
  return {
    path: parts.path,
    head: parts.head,
    imports: clientImports(
      used,
      parts.aggregates.some((aggregate) => aggregate.events.length > 0),
    ),
    parts: [
      ...reexports,
      ...events.flatMap((event) => payloadParts(event, scope)),
      ...groups.flatMap(([, offers]) => offers.flatMap((offer) => offer.parts)),
      ...clientParts(groups, used.length > 0),
    ],
  };
}

const ownNames = [
  'Client',
  'ClientCommands',
  'ClientState',
  'ClientEvents',
  'ClientFollow',
  'ClientProjections',
  'ClientError',
  'ClientErrorKind',
  'ClientOptions',
  'CommandOptions',
  'CommandResult',
  'Condition',
  'EmittedEvent',
  'EventOptions',
  'FailedGuard',
  'Followed',
  'FollowOptions',
  'Rejection',
  'Rows',
  'SortBy',
  'StoredEvent',
  'TableOptions',
];

const reexports: readonly Part[] = [
  { kind: 'reexport', from: './client/client-error.js', types: false, names: [{ name: 'ClientError' }] },
  { kind: 'reexport', from: './client/client-error.js', types: true, names: [{ name: 'ClientErrorKind' }] },
  ...[
    ['./client/execute.js', ['CommandResult', 'EmittedEvent', 'FailedGuard', 'Rejection']],
    ['./client/events.js', ['StoredEvent']],
    [
      './client/options.js',
      [
        'ClientOptions',
        'CommandOptions',
        'Condition',
        'EventOptions',
        'Followed',
        'FollowOptions',
        'Rows',
        'SortBy',
        'TableOptions',
      ],
    ],
  ].map(([from, names]): Part => ({
    kind: 'reexport',
    from: from as string,
    types: true,
    names: (names as readonly string[]).map((name) => ({ name })),
  })),
];

/** Imports only the functions that the groups use. */
function clientImports(groups: readonly string[], holdsEvents: boolean): readonly ImportPart[] {
  const asks = (...wanted: readonly string[]): boolean => wanted.some((group) => groups.includes(group));
  const imported = (from: string, types: boolean, ...names: readonly (string | false)[]): readonly ImportPart[] => {
    const kept = names.filter((name) => name !== false);
    return kept.length === 0 ? [] : [{ from, types, names: kept.map((name) => ({ name })) }];
  };
  return [
    ...imported('./client/connection.js', false, groups.length > 0 && 'connect'),
    ...imported('./client/events.js', false, asks('events') && 'events'),
    ...imported('./client/events.js', true, holdsEvents && 'StoredEvent'),
    ...imported('./client/execute.js', false, asks('commands') && 'execute'),
    ...imported(
      './client/execute.js',
      true,
      ...(asks('commands') ? ['CommandResult', 'EmittedEvent', 'Rejection'] : []),
    ),
    ...imported('./client/follow.js', false, asks('events') && 'follow'),
    ...imported(
      './client/options.js',
      true,
      'ClientOptions',
      asks('commands') && 'CommandOptions',
      asks('events') && 'EventOptions',
      asks('events') && 'Followed',
      asks('events') && 'FollowOptions',
      asks('state', 'events', 'projections') && 'Rows',
      asks('state', 'projections') && 'TableOptions',
    ),
    ...imported('./client/rows.js', false, asks('state', 'projections') && 'rows'),
  ];
}

/** The interfaces of the groups and of the client, and the function that creates it. */
function clientParts(
  groups: readonly (readonly [name: string, offers: readonly Offer[]])[],
  asksAnything: boolean,
): readonly Part[] {
  const interfaces = groups.map(([name, offers]): InterfacePart => ({
    kind: 'interface',
    exported: true,
    name: `Client${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    members: offers.map(({ name: key, type, doc }) => ({
      key: memberKey(key),
      type,
      ...(doc === undefined ? {} : { documentation: [doc] }),
    })),
  }));
  const object = objectCode(
    groups.map(([name, offers]) => [name, objectCode(offers.map((offer) => [propertyKey(offer.name), offer.call]))]),
  );
  return [
    ...interfaces,
    {
      kind: 'interface',
      exported: true,
      name: 'Client',
      documentation: [
        'The operations of the server. A failed call throws a ClientError, or the reason of the signal that ended it.',
      ],
      members: groups.map(([name], index) => ({ key: name, type: interfaces[index]?.name ?? 'object' })),
    },
    {
      kind: 'function',
      exported: true,
      name: 'createClient',
      parameters: [{ name: asksAnything ? 'options' : '_options', type: 'ClientOptions' }],
      returns: 'Client',
      body: [
        ...(asksAnything ? [{ kind: 'text', text: 'const server = connect(options);' } as const] : []),
        { kind: 'code', code: ['return ', object, ';'] },
      ],
    },
  ];
}

/** The events in the answers of commands and in aggregates. */
function reachableEvents({ events, aggregates, decisions }: ClientBlocks): readonly ClientEvent[] {
  const names = new Set([...aggregates, ...decisions].flatMap((block) => block.events));
  return events.filter(({ name }) => names.has(name));
}

function payloadParts({ name, fields, docs }: ClientEvent, scope: Scope): readonly Part[] {
  const type = scope.payload(name);
  return [
    columnsConstant(type, fields),
    {
      kind: 'interface',
      exported: true,
      name: type,
      documentation: blockDocumentation(`Payload of event ${name}.`, docs),
      members: answerMembers(fields, () => true, docs),
    },
  ];
}

/** A command without a decision cannot be sent. */
function commandOffers(decision: ClientDecision, scope: Scope): readonly Offer[] {
  const block = scope.parts.commands.find(({ name }) => name === decision.command);
  if (block === undefined) return [];
  const { name } = block;
  const { names, payload } = scope;
  const sent = names.take(`${name}Arguments`);
  const state = names.take(`${name}State`);
  const values = names.take(`${name}Values`);
  const result = names.take(`${name}Result`);
  const { columns: stateColumns, events: emitted } = decision;
  const events = emitted.map((event) => `EmittedEvent<${stringLiteral(event)}, ${payload(event)}>`);
  const path = stringLiteral(`/api/aggregates/${decision.aggregate}/execute/${name}`);
  return [
    {
      name,
      doc: block.docs?.block,
      type: `(command: ${sent}, given?: CommandOptions) => Promise<${result}>`,
      call: arrowCode('(command, given = {})', `execute(server, ${path}, outcomeOf${sent}, command, given)`),
      parts: [
        {
          kind: 'constant',
          exported: false,
          name: `outcomeOf${sent}`,
          value: objectCode([
            ['events', objectCode(emitted.map((event) => [propertyKey(event), columnsName(payload(event))]))],
            ['state', columnsCode(stateColumns)],
            ['command', columnsCode(block.fields)],
          ]),
        },
        argumentsInterface(block, sent),
        {
          kind: 'interface',
          exported: true,
          name: state,
          documentation: [`The state that decision ${decision.name} read.`],
          members: answerMembers(stateColumns, () => true),
        },
        {
          kind: 'interface',
          exported: true,
          name: values,
          documentation: [`Arguments of command ${name} as its decision saw them.`],
          members: answerMembers(block.fields, (field) => field.nullable || field.sensitive, block.docs),
        },
        {
          kind: 'type',
          exported: true,
          name: result,
          type: resultType(events, `Rejection<${stringLiteral(decision.name)}, ${state}, ${values}>`, result),
        },
      ],
    },
  ];
}

function argumentsInterface(block: ClientCommand, name: string): InterfacePart {
  return {
    kind: 'interface',
    exported: true,
    name,
    documentation: blockDocumentation(`Arguments of command ${block.name}.`, block.docs),
    members: block.fields.map((field) => {
      const sent = argumentType(field.type);
      return {
        key: memberKey(field.name),
        type: field.nullable ? orNull(sent) : sent,
        ...(field.required ? {} : { optional: true }),
        ...memberDocumentation(block.docs, field.name),
      };
    }),
  };
}

function stateOffer(table: ClientTable, { names }: Scope): Offer {
  const { name } = table;
  return tableOffer(table, names.take(`${name}State`), `/api/aggregates/${name}/state`);
}

function projectionOffer(table: ClientTable, { names }: Scope): Offer {
  const { name } = table;
  return tableOffer(table, names.take(`${name}Row`), `/api/projections/${name}/query`);
}

function tableOffer({ name, columns: given, docs }: ClientTable, type: string, path: string): Offer {
  const columns = given.filter((column) => column.hidden !== true);
  return {
    name,
    doc: docs?.block,
    type: `(given?: TableOptions<${type}>) => Rows<${type}>`,
    call: arrowCode('(given = {})', `rows(server, ${stringLiteral(path)}, ${columnsName(type)}, given)`),
    parts: [
      columnsConstant(type, columns),
      {
        kind: 'interface',
        exported: true,
        name: type,
        members: answerMembers(columns, (column) => column.nullable || column.sensitive, docs),
      },
    ],
  };
}

/** An aggregate's events, stored and as they come: the common columns, and the payload by event type. */
function offersOfEvents(
  block: ClientBlocks['aggregates'][number],
  { names, payload }: Scope,
): { readonly events: Offer; readonly follow: Offer } {
  const type = names.take(`${block.name}Event`);
  const path = stringLiteral(`/api/aggregates/${block.name}/events`);
  const payloads = `payloadsOf${type}`;
  const call = (name: string): Code => arrowCode('(given = {})', `${name}(server, ${path}, ${payloads}, given)`);
  const parts: readonly Part[] = [
    {
      kind: 'constant',
      exported: false,
      name: payloads,
      value: objectCode(block.events.map((event) => [propertyKey(event), columnsName(payload(event))])),
    },
    {
      kind: 'type',
      exported: true,
      name: type,
      type: unionLines(block.events.map((event) => `StoredEvent<${stringLiteral(event)}, ${payload(event)}>`)),
    },
  ];
  return {
    events: {
      name: block.name,
      doc: block.docs?.block,
      type: `(given?: EventOptions) => Rows<${type}>`,
      call: call('events'),
      parts,
    },
    follow: {
      name: block.name,
      doc: block.docs?.block,
      type: `(given?: FollowOptions) => Followed<${type}>`,
      call: call('follow'),
      parts: [],
    },
  };
}

function arrowCode(parameters: string, result: string): Code {
  return [`${parameters} => `, { open: '', items: [result], close: '', separator: '', padding: '', trailing: '' }];
}

function columnsName(type: string): string {
  return `columnsOf${type}`;
}

function columnsConstant(type: string, columns: readonly TypedName[]): Part {
  return { kind: 'constant', exported: false, name: columnsName(type), value: columnsCode(columns) };
}

/** On one line if it fits after the name. */
function resultType(events: readonly string[], rejection: string, name: string): string {
  const flat = `CommandResult<${events.length === 0 ? 'never' : events.join(' | ')}, ${rejection}>`;
  if (`export type ${name} = ${flat};`.length <= COLUMNS) return flat;
  const union = unionLines(events).replace(/^(?=.)/gm, '  ');
  return `CommandResult<${union.startsWith('\n') ? '' : '\n'}${union},\n  ${rejection}\n>`;
}

function unionLines(members: readonly string[]): string {
  if (members.length < 2) return members[0] ?? 'never';
  return `\n${members.map((member) => `  | ${member}`).join('\n')}`;
}
