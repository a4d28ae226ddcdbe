import type { ClientBlocks, ClientCommand, ClientDecision, ClientEvent, ClientTable } from './client-blocks.ts';
import { answerMembers, argumentType, columnsCode, orNull, type TypedName } from './client-types.ts';
import { callCode, COLUMNS, objectCode, type Code } from './code.ts';
import { blockDocumentation, memberDocumentation } from './documented.ts';
import type { NameScope } from './identifiers.ts';
import type { Imports } from './imports.ts';
import { memberKey, propertyKey, stringLiteral } from './literal.ts';
import { constantPart, exported, interfacePart, typePart, type InterfacePart, type Part } from './module.ts';

/** A function of the client: its type and the call behind it. */
export interface Offer {
  /** The doc comment of its block. */
  readonly doc: string | undefined;
  readonly name: string;
  readonly type: string;
  readonly call: Code;
  readonly parts: readonly Part[];
}

/** The input of the offers. `value` and `type` import from `schemac/client`. */
export interface Scope extends Pick<Imports, 'value' | 'type'> {
  readonly parts: ClientBlocks;
  readonly names: NameScope;
  /** The type of an event's payload. */
  readonly payload: (event: string) => string;
}

/** The events in the answers of commands and in aggregates. */
export function reachableEvents({ events, aggregates, decisions }: ClientBlocks): readonly ClientEvent[] {
  const names = new Set([...aggregates, ...decisions].flatMap((block) => block.events));
  return events.filter(({ name }) => names.has(name));
}

export function payloadParts({ name, fields, docs }: ClientEvent, scope: Scope): readonly Part[] {
  const type = scope.payload(name);
  return [
    columnsConstant(type, fields),
    exported(
      interfacePart(
        type,
        blockDocumentation(`Payload of event ${name}.`, docs),
        answerMembers(fields, () => true, docs),
      ),
    ),
  ];
}

/** Calls that execute a command, and that ask about it without effect. */
export interface CommandOffers {
  readonly execute: Offer;
  readonly inspect: Offer;
}

/** A command without a decision cannot be sent. */
export function commandOffers(decision: ClientDecision, scope: Scope): readonly CommandOffers[] {
  const block = scope.parts.commands.find(({ name }) => name === decision.command);
  if (block === undefined) return [];
  const { name } = block;
  const { names, payload, value, type } = scope;
  const sent = names.take(`${name}Arguments`);
  const state = names.take(`${name}State`);
  const values = names.take(`${name}Values`);
  const result = names.take(`${name}Result`);
  const inspected = names.take(`${name}Inspected`);
  const { columns: stateColumns, events: emitted } = decision;
  const events = emitted.map((event) => `${type('EmittedEvent')}<${stringLiteral(event)}, ${payload(event)}>`);
  const path = stringLiteral(`/api/aggregates/${decision.aggregate}/execute/${name}`);
  const rejection = `${type('Rejection')}<${stringLiteral(decision.name)}, ${state}, ${values}>`;
  const execute: Offer = {
    name,
    doc: block.docs?.block,
    type: executeType(memberKey(name), [`command: ${sent}`, `given?: ${type('CommandOptions')}`], result),
    call: arrowCode('(command, given = {})', value('execute'), [path, `outcomeOf${sent}`, 'command', 'given']),
    parts: [
      constantPart(
        `outcomeOf${sent}`,
        undefined,
        objectCode([
          ['events', objectCode(emitted.map((event) => [propertyKey(event), columnsName(payload(event))]))],
          ['state', columnsCode(stateColumns)],
          ['command', columnsCode(block.fields)],
        ]),
      ),
      argumentsInterface(block, sent),
      exported(
        interfacePart(
          state,
          [`The state that decision ${decision.name} read.`],
          answerMembers(stateColumns, () => true),
        ),
      ),
      exported(
        interfacePart(
          values,
          [`Arguments of command ${name} as its decision saw them.`],
          answerMembers(block.fields, (field) => field.nullable || field.sensitive, block.docs),
        ),
      ),
      exported(typePart(result, resultType(type('CommandResult'), events, rejection, result))),
    ],
  };
  const inspect: Offer = {
    name,
    doc: undefined,
    type: `${type('Inspect')}<${sent}, ${inspected}>`,
    call: callCode(value('inspect'), ['server', stringLiteral(decision.name), `outcomeOf${sent}`]),
    parts: [exported(typePart(inspected, resultType(type('Inspected'), events, rejection, inspected)))],
  };
  return [{ execute, inspect }];
}

/** On one line if it fits after the key of a member. */
function executeType(key: string, parameters: readonly string[], result: string): string {
  const end = ` => Promise<${result}>`;
  const flat = `(${parameters.join(', ')})${end}`;
  if (`  readonly ${key}: ${flat};`.length <= COLUMNS) return flat;
  return `(\n${parameters.map((parameter) => `    ${parameter},\n`).join('')}  )${end}`;
}

/** Recorded commands under other definitions. */
export function rehearseOffer({ parts: { decisions }, names, value, type }: Scope): Offer {
  const decision = names.take('AnyDecision');
  return {
    name: 'rehearse',
    doc: 'The outcomes of recorded commands under other definitions.',
    type: `(given: ${type('RehearseOptions')}<${decision}>) => Promise<${type('Rehearsal')}>`,
    call: arrowCode('(given)', value('rehearse'), ['given']),
    parts: [
      unionPart(
        decision,
        decisions.map(({ name }) => stringLiteral(name)),
      ),
    ],
  };
}

function argumentsInterface(block: ClientCommand, name: string): InterfacePart {
  return exported(
    interfacePart(
      name,
      blockDocumentation(`Arguments of command ${block.name}.`, block.docs),
      block.fields.map((field) => {
        const sent = argumentType(field.type);
        return {
          key: memberKey(field.name),
          type: field.nullable ? orNull(sent) : sent,
          ...(field.required ? {} : { optional: true }),
          ...memberDocumentation(block.docs, field.name),
        };
      }),
    ),
  );
}

export function stateOffer(table: ClientTable, scope: Scope): Offer {
  const { name } = table;
  return tableOffer(table, scope.names.take(`${name}State`), `/api/aggregates/${name}/state`, scope);
}

export function projectionOffer(table: ClientTable, scope: Scope): Offer {
  const { name } = table;
  return tableOffer(table, scope.names.take(`${name}Row`), `/api/projections/${name}/query`, scope);
}

function tableOffer(
  { name, columns: given, docs }: ClientTable,
  row: string,
  path: string,
  { value, type }: Scope,
): Offer {
  const columns = given.filter((column) => column.hidden !== true);
  return {
    name,
    doc: docs?.block,
    type: `(given?: ${type('TableOptions')}<${row}>) => ${type('Rows')}<${row}>`,
    call: arrowCode('(given = {})', value('rows'), [stringLiteral(path), columnsName(row), 'given']),
    parts: [
      columnsConstant(row, columns),
      exported(
        interfacePart(
          row,
          undefined,
          answerMembers(columns, (column) => column.nullable || column.sensitive, docs),
        ),
      ),
    ],
  };
}

/** The rows of a subscription, handed out under leases. */
export function subscriptionOffer({ name, columns, docs }: ClientTable, { names, value, type }: Scope): Offer {
  const row = names.take(`${name}Row`);
  return {
    name,
    doc: docs?.block,
    type: `${type('Subscribed')}<${row}>`,
    call: callCode(value('subscribed'), ['server', stringLiteral(name), columnsName(row)]),
    parts: [
      columnsConstant(row, columns),
      exported(
        interfacePart(
          row,
          undefined,
          answerMembers(columns, (column) => column.nullable || column.sensitive, docs),
        ),
      ),
    ],
  };
}

/** The events of all aggregates as they come; no aggregate has a name with `$`. */
export function allEventsOffer(
  { aggregates }: ClientBlocks,
  offers: readonly { readonly eventType: string }[],
  { names, payload, value, type }: Scope,
): readonly Offer[] {
  if (aggregates.length === 0) return [];
  const any = names.take('AnyEvent');
  const payloads = `payloadsOf${any}`;
  const events = [...new Set(aggregates.flatMap((block) => block.events))];
  return [
    {
      name: '$all',
      doc: 'The events of all aggregates that the caller may read.',
      type: `(given?: ${type('FollowOptions')}) => ${type('Followed')}<${any}>`,
      call: arrowCode('(given = {})', value('follow'), ["'/api/events'", payloads, 'given']),
      parts: [
        constantPart(
          payloads,
          undefined,
          objectCode(events.map((event) => [propertyKey(event), columnsName(payload(event))])),
        ),
        unionPart(
          any,
          offers.map(({ eventType }) => eventType),
        ),
      ],
    },
  ];
}

/** An aggregate's events, stored and as they come: the common columns, and the payload by event type. */
export function offersOfEvents(
  block: ClientBlocks['aggregates'][number],
  { names, payload, value, type }: Scope,
): { readonly events: Offer; readonly follow: Offer; readonly eventType: string } {
  const event = names.take(`${block.name}Event`);
  const path = stringLiteral(`/api/aggregates/${block.name}/events`);
  const payloads = `payloadsOf${event}`;
  const call = (name: string): Code => arrowCode('(given = {})', value(name), [path, payloads, 'given']);
  const parts: readonly Part[] = [
    constantPart(
      payloads,
      undefined,
      objectCode(block.events.map((name) => [propertyKey(name), columnsName(payload(name))])),
    ),
    unionPart(
      event,
      block.events.map((name) => `${type('StoredEvent')}<${stringLiteral(name)}, ${payload(name)}>`),
    ),
  ];
  return {
    eventType: event,
    events: {
      name: block.name,
      doc: block.docs?.block,
      type: `(given?: ${type('EventOptions')}) => ${type('Rows')}<${event}>`,
      call: call('events'),
      parts,
    },
    follow: {
      name: block.name,
      doc: block.docs?.block,
      type: `(given?: ${type('FollowOptions')}) => ${type('Followed')}<${event}>`,
      call: call('follow'),
      parts: [],
    },
  };
}

/** A function that calls another one with the server first. */
function arrowCode(parameters: string, called: string, given: readonly string[]): Code {
  const call = callCode(called, ['server', ...given]);
  return [`${parameters} => `, { open: '', items: [call], close: '', separator: '', padding: '', trailing: '' }];
}

function columnsName(type: string): string {
  return `columnsOf${type}`;
}

function columnsConstant(type: string, columns: readonly TypedName[]): Part {
  return { kind: 'constant', exported: false, name: columnsName(type), value: columnsCode(columns) };
}

/** On one line if it fits after the name. */
function resultType(of: string, events: readonly string[], rejection: string, name: string): string {
  const flat = `${of}<${unionType(events, '')}, ${rejection}>`;
  if (`export type ${name} = ${flat};`.length <= COLUMNS) return flat;
  const union = unionType(events, '  ');
  return `${of}<${union.startsWith('\n') ? '' : '\n  '}${union},\n  ${rejection}\n>`;
}

function unionPart(name: string, members: readonly string[]): Part {
  return { kind: 'type', exported: true, name, type: unionType(members, `export type ${name} = `) };
}

/** The alternatives on one line if they fit after the text before them, else one on each line. */
function unionType(members: readonly string[], before: string): string {
  const flat = members.length === 0 ? 'never' : members.join(' | ');
  if (members.length < 2 || `${before}${flat};`.length <= COLUMNS) return flat;
  return `\n${members.map((member) => `  | ${member}`).join('\n')}`;
}
