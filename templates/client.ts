import type { ClientBlocks } from './client-blocks.ts';
import {
  allEventsOffer,
  commandOffers,
  offersOfEvents,
  payloadParts,
  projectionOffer,
  reachableEvents,
  rehearseOffer,
  stateOffer,
  subscriptionOffer,
  type Offer,
  type Scope,
} from './client-offers.ts';
import { objectCode } from './code.ts';
import { createNameScope } from './identifiers.ts';
import { createImports, type Imports } from './imports.ts';
import { memberKey, propertyKey } from './literal.ts';
import type { ModuleFacts } from './module-facts.ts';
import { exported, interfacePart, type InterfacePart, type ModuleStructure, type Part } from './module.ts';

export type ClientParts = ModuleFacts & ClientBlocks;

/** Names of the module itself, and of the types of `schemac/client` that look like the name of a block's type. */
const ownNames = [
  'Client',
  'ClientCommands',
  'ClientState',
  'ClientEvents',
  'ClientFollow',
  'ClientProjections',
  'ClientInspect',
  'ClientSubscriptions',
  'CommandResult',
  'EmittedEvent',
  'HandedRow',
  'StoredEvent',
];

/** All that a caller needs of the part that is the same for every schema. */
const reexports: readonly Part[] = [
  { kind: 'reexport', from: 'schemac/client', names: ['ClientError'] },
  { kind: 'reexport', from: 'schemac/client' },
];

/**
 * A typed client over HTTP: commands, state, events and projections by name. The part that is the same for every schema
 * is `schemac/client`.
 */
export function clientModule(parts: ClientParts): ModuleStructure {
  const names = createNameScope(ownNames);
  const events = reachableEvents(parts);
  const payloads = new Map(events.map((event) => [event.name, names.take(`${event.name}Data`)]));
  const imports = createImports('schemac/client');
  const { value, type } = imports;
  const scope: Scope = { parts, names, value, type, payload: (event) => payloads.get(event) ?? 'never' };
  const eventOffers = parts.aggregates.map((block) => offersOfEvents(block, scope));
  const offered = parts.decisions.flatMap((decision) => commandOffers(decision, scope));
  const groups: readonly (readonly [name: string, offers: readonly Offer[]])[] = [
    ['commands', offered.map(({ execute }) => execute)],
    ['state', parts.aggregates.map((block) => stateOffer(block, scope))],
    ['events', eventOffers.map(({ events }) => events)],
    ['follow', [...eventOffers.map((offers) => offers.follow), ...allEventsOffer(parts, eventOffers, scope)]],
    ['projections', parts.projections.map((block) => projectionOffer(block, scope))],
    ['inspect', offered.map(({ inspect }) => inspect)],
    ['subscriptions', parts.subscriptions.map((block) => subscriptionOffer(block, scope))],
  ];
  const alone = offered.length > 0 ? [rehearseOffer(scope)] : [];
  const own = clientParts(groups, alone, imports);
  return {
    path: parts.path,
    head: parts.head,
    imports: imports.parts(),
    parts: [
      ...reexports,
      ...events.flatMap((event) => payloadParts(event, scope)),
      ...groups.flatMap(([, offers]) => offers.flatMap((offer) => offer.parts)),
      ...alone.flatMap((offer) => offer.parts),
      ...own,
    ],
  };
}

/** The interfaces of the groups and of the client, and the function that creates it; `alone` are functions in no group. */
function clientParts(
  groups: readonly (readonly [name: string, offers: readonly Offer[]])[],
  alone: readonly Offer[],
  { value, type }: Pick<Imports, 'value' | 'type'>,
): readonly Part[] {
  const asksAnything = groups.some(([, offers]) => offers.length > 0);
  const interfaces = groups.map(([name, offers]): InterfacePart =>
    exported(
      interfacePart(
        `Client${name.charAt(0).toUpperCase()}${name.slice(1)}`,
        undefined,
        offers.map(({ name: key, type: of, doc }) => ({
          key: memberKey(key),
          type: of,
          ...(doc === undefined ? {} : { documentation: [doc] }),
        })),
      ),
    ),
  );
  const object = objectCode([
    ...groups.map(
      ([name, offers]) => [name, objectCode(offers.map((offer) => [propertyKey(offer.name), offer.call]))] as const,
    ),
    ...alone.map(({ name, call }) => [name, call] as const),
  ]);
  return [
    ...interfaces,
    exported(
      interfacePart(
        'Client',
        [
          'The operations of the server. A failed call throws a ClientError, or the reason of the signal that ended it.',
        ],
        [
          ...groups.map(([name], index) => ({ key: name, type: interfaces[index]?.name ?? 'object' })),
          ...alone.map(({ name, type: of, doc }) => ({
            key: name,
            type: of,
            ...(doc === undefined ? {} : { documentation: [doc] }),
          })),
        ],
      ),
    ),
    {
      kind: 'function',
      exported: true,
      name: 'createClient',
      parameters: [{ name: asksAnything ? 'options' : '_options', type: type('ClientOptions') }],
      returns: 'Client',
      body: [
        ...(asksAnything ? [{ kind: 'text', text: `const server = ${value('connect')}(options);` } as const] : []),
        { kind: 'code', code: ['return ', object, ';'] },
      ],
    },
  ];
}
