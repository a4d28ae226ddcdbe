import type {
  AggregateBlock,
  CommandBlock,
  DecisionBlock,
  EventBlock,
  ProjectionBlock,
} from '../compiler/catalog/block.ts';
import type { Column } from '../runtime/contract/query.ts';
import { answerType, argumentType, dataType, kindOf } from './client-types.ts';
import { transportFunctions, transportTypes } from './client-transport.ts';
import { objectCode, type Code } from './code.ts';
import { createNameScope, type NameScope } from './identifiers.ts';
import { memberKey, propertyKey, stringLiteral } from './literal.ts';
import type { ModuleFacts } from './module-facts.ts';
import type { InterfaceMember, InterfacePart, ModuleStructure, Part } from './module.ts';

export interface ClientParts extends ModuleFacts {
  readonly aggregates: readonly AggregateBlock[];
  readonly commands: readonly CommandBlock[];
  readonly decisions: readonly DecisionBlock[];
  readonly events: readonly EventBlock[];
  readonly projections: readonly ProjectionBlock[];
}

/** One thing that the client asks for: its type and the call behind it. */
interface Offer {
  readonly name: string;
  readonly type: string;
  readonly call: Code;
  readonly parts: readonly Part[];
}

/** A typed client over HTTP in one file without dependencies: commands, state, events and projections by name. */
export function clientModule(parts: ClientParts): ModuleStructure {
  const names = createNameScope(ownNames);
  const groups: readonly (readonly [name: string, offers: readonly Offer[]])[] = [
    ['commands', parts.commands.flatMap((block) => commandOffer(block, parts, names))],
    ['state', parts.aggregates.map((block) => stateOffer(block, names))],
    ['events', parts.aggregates.map((block) => eventsOffer(block, parts, names))],
    ['projections', parts.projections.map((block) => projectionOffer(block, names))],
  ];
  const asks = (group: string): boolean => groups.some(([name, offers]) => name === group && offers.length > 0);
  const asksAnything = groups.some(([, offers]) => offers.length > 0);
  const interfaces = groups.map(([name, offers]): InterfacePart => ({
    kind: 'interface',
    exported: true,
    name: `Client${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    members: offers.map((offer) => ({ key: memberKey(offer.name), type: offer.type })),
  }));
  const client: InterfacePart = {
    kind: 'interface',
    exported: true,
    name: 'Client',
    documentation: ['What the server offers. A refusal is an Error with the `status` of the answer.'],
    members: groups.map(([name], index) => ({ key: name, type: interfaces[index]?.name ?? 'object' })),
  };
  const object = objectCode(
    groups.map(([name, offers]) => [name, objectCode(offers.map((offer) => [propertyKey(offer.name), offer.call]))]),
  );
  return {
    path: parts.path,
    head: parts.head,
    imports: [],
    parts: [
      ...transportTypes(),
      ...groups.flatMap(([, offers]) => offers.flatMap((offer) => offer.parts)),
      ...interfaces,
      client,
      {
        kind: 'function',
        exported: true,
        name: 'createClient',
        parameters: [{ name: asksAnything ? 'options' : '_options', type: 'ClientOptions' }],
        returns: 'Client',
        body: [{ kind: 'code', code: ['return ', object, ';'] }],
      },
      ...transportFunctions({ commands: asks('commands'), tables: asks('state') || asks('projections') }),
    ],
  };
}

const ownNames = [
  'Client',
  'ClientCommands',
  'ClientState',
  'ClientEvents',
  'ClientProjections',
  'ClientOptions',
  'CommandOptions',
  'ReadOptions',
  'EmittedEvent',
  'CommandResult',
  'Response',
  'URLSearchParams',
];

/** A command without a decision cannot be sent. */
function commandOffer(block: CommandBlock, parts: ClientParts, names: NameScope): readonly Offer[] {
  const decision = parts.decisions.find((candidate) => candidate.command === block.name);
  if (decision === undefined) return [];
  const type = names.take(`${block.name}Arguments`);
  const path = stringLiteral(`/api/aggregates/${decision.aggregate}/execute/${block.name}`);
  const members = block.fields.map((field): InterfaceMember => {
    const sent = argumentType(field.type);
    return {
      key: memberKey(field.name),
      type: field.nullable ? `${sent} | null` : sent,
      ...(field.required ? {} : { optional: true }),
    };
  });
  return [
    {
      name: block.name,
      type: `(command: ${type}, given?: CommandOptions) => Promise<CommandResult>`,
      call: arrowCode('(command, given = {})', `execute(options, ${path}, command, given)`),
      parts: [
        {
          kind: 'interface',
          exported: true,
          name: type,
          documentation: [`Arguments of command ${block.name}.`],
          members,
        },
      ],
    },
  ];
}

function stateOffer(block: AggregateBlock, names: NameScope): Offer {
  const path = `/api/aggregates/${block.name}/state`;
  return tableOffer(block.name, names.take(`${block.name}State`), path, block.state.columns);
}

function projectionOffer(block: ProjectionBlock, names: NameScope): Offer {
  const path = `/api/projections/${block.name}/query`;
  return tableOffer(block.name, names.take(`${block.name}Row`), path, block.query.columns);
}

function tableOffer(name: string, type: string, path: string, given: readonly Column[]): Offer {
  const columns = [...new Map(given.map((column) => [column.name, column])).values()];
  const kinds = objectCode(columns.map((column) => [propertyKey(column.name), stringLiteral(kindOf(column.type))]));
  return {
    name,
    type: `(given?: ReadOptions) => Promise<readonly ${type}[]>`,
    call: rowsCall(path, type),
    parts: [
      kindsConstant(type, kinds),
      {
        kind: 'interface',
        exported: true,
        name: type,
        members: columns.map((column) => ({
          key: memberKey(column.name),
          type: column.nullable || column.sensitive ? `${answerType(column.type)} | null` : answerType(column.type),
        })),
      },
    ],
  };
}

function rowsCall(path: string, type: string): Code {
  return arrowCode('(given = {})', `rows(options, ${stringLiteral(path)}, ${kindsName(type)}, given)`);
}

function arrowCode(parameters: string, result: string): Code {
  return [`${parameters} => `, { open: '', items: [result], close: '', separator: '', padding: '', trailing: '' }];
}

function kindsName(type: string): string {
  return `kindsOf${type}`;
}

function kindsConstant(type: string, kinds: Code): Part {
  return { kind: 'constant', exported: false, name: kindsName(type), value: kinds };
}

/** An aggregate's events: what all rows have, and the payload by the type of event. */
function eventsOffer(block: AggregateBlock, parts: ClientParts, names: NameScope): Offer {
  const type = names.take(`${block.name}Event`);
  const events = parts.events
    .filter((event) => block.events.includes(event.name))
    .map((event) => ({ event, data: names.take(`${block.name}${event.name}Data`) }));
  const payloads = events.map(({ event, data }): InterfacePart => ({
    kind: 'interface',
    exported: true,
    name: data,
    documentation: [`Payload of event ${event.name} of ${block.name}.`],
    members: event.fields.map(({ name, type: of }) => ({
      key: memberKey(name),
      type: `${dataType(of)} | null`,
      optional: true,
    })),
  }));
  const members = events.map(
    ({ event, data }) => `${type}Row & { readonly event_type: ${stringLiteral(event.name)}; readonly data: ${data} }`,
  );
  const columns = {
    event_id: 'text',
    stream_type: 'text',
    stream_id: 'text',
    seq: 'bigint',
    event_type: 'text',
    occurred_at: 'text',
  };
  const kinds = objectCode([
    ...Object.entries(columns).map(([name, kind]) => [name, stringLiteral(kind)] as const),
    ['data', "'json'"],
    ['global_position', "'bigint'"],
  ]);
  const row: InterfacePart = {
    kind: 'interface',
    exported: true,
    name: `${type}Row`,
    members: [
      ...Object.entries(columns)
        .filter(([name]) => name !== 'event_type')
        .map(([name, kind]) => ({ key: name, type: kind === 'bigint' ? 'bigint' : 'string' })),
      { key: 'global_position', type: 'bigint' },
    ],
  };
  return {
    name: block.name,
    type: `(given?: ReadOptions) => Promise<readonly ${type}[]>`,
    call: rowsCall(`/api/aggregates/${block.name}/events`, type),
    parts: [
      kindsConstant(type, kinds),
      ...payloads,
      row,
      { kind: 'type', exported: true, name: type, type: unionText(members) },
    ],
  };
}

function unionText(members: readonly string[]): string {
  if (members.length < 2) return members[0] ?? 'never';
  return `\n${members.map((member) => `  | (${member})`).join('\n')}`;
}
