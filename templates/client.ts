import type { ClientBlocks } from './client-blocks.ts';
import { clientImports, ownNames, reexports } from './client-imports.ts';
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
import { memberKey, propertyKey } from './literal.ts';
import type { ModuleFacts } from './module-facts.ts';
import type { InterfacePart, ModuleStructure, Part } from './module.ts';

export type ClientParts = ModuleFacts & ClientBlocks;

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
      ...alone.flatMap((offer) => offer.parts),
      ...clientParts(groups, alone),
    ],
  };
}

/** The interfaces of the groups and of the client, and the function that creates it; `alone` are functions in no group. */
function clientParts(
  groups: readonly (readonly [name: string, offers: readonly Offer[]])[],
  alone: readonly Offer[],
): readonly Part[] {
  const asksAnything = groups.some(([, offers]) => offers.length > 0);
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
  const object = objectCode([
    ...groups.map(
      ([name, offers]) => [name, objectCode(offers.map((offer) => [propertyKey(offer.name), offer.call]))] as const,
    ),
    ...alone.map(({ name, call }) => [name, call] as const),
  ]);
  return [
    ...interfaces,
    {
      kind: 'interface',
      exported: true,
      name: 'Client',
      documentation: [
        'The operations of the server. A failed call throws a ClientError, or the reason of the signal that ended it.',
      ],
      members: [
        ...groups.map(([name], index) => ({ key: name, type: interfaces[index]?.name ?? 'object' })),
        ...alone.map(({ name, type, doc }) => ({
          key: name,
          type,
          ...(doc === undefined ? {} : { documentation: [doc] }),
        })),
      ],
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
