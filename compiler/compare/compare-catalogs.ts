/**
 * Compares two catalogs: gives the consequences of each changed block for callers, readers and stored events (docs/production.md). Takes
 * the catalog in force and the next one; decides nothing, and knows nothing of how they were read.
 */
import type { Block, EnumBlock } from '../../language/catalog/block.ts';
import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import { blockKey, blockKinds, kindTable, type BlockKind } from '../../language/contract/block-kind.ts';
import { textWithoutClauses } from '../analyse/incremental/definition-text.ts';
import { changedClaim, changedClauses } from './compare-access.ts';
import { compareColumns } from './compare-columns.ts';
import { compareCommand } from './compare-command.ts';
import { compareDecision } from './compare-decision.ts';
import { compareEvent } from './compare-event.ts';
import { difference, sortedDifferences, type Difference } from './difference.ts';

/** Number of events stored in an aggregate; undefined if no store is known. */
export type StoredIn = (aggregate: string) => number | undefined;

/** All differences, those that break first, each level in the order of kinds and names. */
export function compareCatalogs(
  before: Catalog,
  after: Catalog,
  storedIn: StoredIn = () => undefined,
): readonly Difference[] {
  const was = byKey(before);
  const is = byKey(after);
  const found = [
    ...[...was].flatMap(([key, block]) => (is.has(key) ? [] : removed(block, before, after, storedIn))),
    ...[...is].flatMap(([key, block]) => compareBlock(was.get(key), block, before, after)),
    ...changedRelations(before, after, storedIn),
  ];
  return sortedDifferences(found);
}

function byKey({ blocks }: Catalog): ReadonlyMap<string, Block> {
  const all = blockKinds.flatMap((kind: BlockKind): readonly Block[] => blocks[kind]);
  return new Map(all.map((block) => [blockKey(block.kind, block.name), block]));
}

function removed(block: Block, before: Catalog, after: Catalog, storedIn: StoredIn): readonly Difference[] {
  switch (block.kind) {
    case 'command':
      return [difference('command-removed', block, 'callers that send it get 404')];
    case 'decision':
      return after.blocks.decision.some(({ command }) => command === block.command)
        ? [difference('decision-changed', block, `another decision decides '${block.command}'`)]
        : [difference('decision-removed', block, `command '${block.command}' can no longer be executed`)];
    case 'aggregate':
      return [
        difference('aggregate-removed', block, `${block.name}$Events and ${block.name}$Agg are gone for readers`),
        ...hiddenEvents(block, storedIn(block.name) ?? 0),
      ];
    case 'reaction':
      return [difference('reaction-removed', block, 'it answers no event any longer, and what waits is cancelled')];
    case 'projection':
      return [difference('projection-removed', block, 'it is gone for readers')];
    case 'subscription':
      return [difference('subscription-removed', block, 'its consumers get 404, and nothing is delivered any longer')];
    case 'event': {
      const heir = after.blocks.event.find(({ upcasts = [] }) => upcasts.some(({ event }) => event === block.name));
      if (heir !== undefined)
        return [
          difference('event-renamed', block, `its events read as '${heir.name}': event_type is that for readers`),
        ];
      return isRead(block.name, before)
        ? [difference('event-removed', block, 'its stored events have no fields for readers any longer')]
        : [difference('unused-block-removed', block, 'no aggregate has it')];
    }
    case 'claim':
      return changedClaim(block, undefined);
    default:
      return [difference('unused-block-removed', block, 'it is no longer there')];
  }
}

/** Events that stay in the log and have lost their reader. */
function hiddenEvents(block: Block, stored: number): readonly Difference[] {
  if (stored === 0) return [];
  const events = stored === 1 ? '1 event is' : `${stored} events are`;
  return [
    difference('stored-aggregate-removed', block, `${events} stored in it, and stay in the log without a reader`),
  ];
}

function isRead(event: string, { blocks }: Catalog): boolean {
  return blocks.aggregate.some(({ events }) => events.includes(event));
}

function compareBlock(was: Block | undefined, is: Block, before: Catalog, after: Catalog): readonly Difference[] {
  if (was === undefined)
    return is.kind === 'claim' ? changedClaim(undefined, is) : [difference('block-added', is, 'new')];
  if (was.text === is.text) return [];
  const found = compareKind(was, is, before, after);
  return found.length > 0 ? found : [difference('block-changed', is, 'its definition changes')];
}

function compareKind(was: Block, is: Block, before: Catalog, after: Catalog): readonly Difference[] {
  if (was.kind === 'command' && is.kind === 'command') return compareCommand(was, is);
  if (was.kind === 'event' && is.kind === 'event') return compareEvent(was, is, isRead(was.name, before));
  if (was.kind === 'decision' && is.kind === 'decision') return compareDecision(was, is);
  if (was.kind === 'projection' && is.kind === 'projection')
    return [
      ...(was.queryText === is.queryText
        ? []
        : [difference('projection-changed', is, 'its query changes: its rows may differ')]),
      ...changedClauses(was, is),
    ];
  if (was.kind === 'aggregate' && is.kind === 'aggregate')
    return [
      ...(textWithoutClauses(was) === textWithoutClauses(is)
        ? []
        : [difference('aggregate-changed', is, 'its state changes')]),
      ...changedClauses(was, is),
    ];
  if (was.kind === 'claim' && is.kind === 'claim') return changedClaim(was, is);
  if (was.kind === 'enum' && is.kind === 'enum') return compareEnum(was, is);
  if (is.kind === 'function') return [difference('function-changed', is, usersChange(is.name, after))];
  if (is.kind === 'subscription')
    return [difference('subscription-changed', is, 'consumers get other rows, or get them in another way')];
  if (is.kind === 'reaction') return [difference('reaction-changed', is, 'it answers later events in another way')];
  if (is.kind === 'template') return [difference('template-changed', is, 'earlier applications stay as they are')];
  if (is.kind === 'eventstore') return [difference('store-changed', is, 'its settings change at the next start')];
  return [];
}

/** Names the blocks that call a changed function, also through other functions. */
function usersChange(name: string, { blocks }: Catalog): string {
  const users = new Set<Block>();
  const add = (called: string): void => {
    for (const block of blockKinds.flatMap((kind: BlockKind): readonly Block[] => blocks[kind])) {
      if (users.has(block) || !block.references.includes(`${functionOf}${called}`)) continue;
      users.add(block);
      if (block.kind === 'function') add(block.name);
    }
  };
  add(name);
  const named = Array.from(users, (block) => `${kindTable[block.kind].word} ${block.name}`);
  return named.length === 0 ? 'nothing uses it' : `so do its users: ${named.join(', ')}`;
}

function compareEnum(was: EnumBlock, is: EnumBlock): readonly Difference[] {
  const gone = was.values.filter((value) => !is.values.includes(value));
  const added = is.values.filter((value) => !was.values.includes(value));
  return [
    ...gone.map((value) => difference('enum-value-removed', is, `callers that send '${value}' are refused`)),
    ...added.map((value) => difference('enum-value-added', is, `readers may meet '${value}', which is new`)),
  ];
}

/** The columns that readers see, which can change through any block behind them, and the tables that are built again. */
function changedRelations(before: Catalog, after: Catalog, storedIn: StoredIn): readonly Difference[] {
  const projections = before.blocks.projection.flatMap((was) => {
    const is = findBlock(after, 'projection', was.name);
    return is === undefined ? [] : compareColumns(is, 'projection', shown(was.query.columns), shown(is.query.columns));
  });
  const aggregates = before.blocks.aggregate.flatMap((was): readonly Difference[] => {
    const is = findBlock(after, 'aggregate', was.name);
    if (is === undefined) return [];
    const columns = compareColumns(is, 'aggregate', shown(was.state.columns), shown(is.state.columns));
    return readsAlike(was.name, before, after) ? columns : [...columns, builtAnew(is, storedIn(is.name))];
  });
  const subscriptions = before.blocks.subscription.flatMap((was) => {
    const is = findBlock(after, 'subscription', was.name);
    return is === undefined ? [] : compareColumns(is, 'subscription', was.columns, is.columns);
  });
  return [...aggregates, ...projections, ...subscriptions];
}

function shown<C extends { readonly hidden?: true }>(columns: readonly C[]): readonly C[] {
  return columns.filter(({ hidden }) => hidden !== true);
}

/** Whether an aggregate and its events have the same definitions in both, with the functions that they call. */
function readsAlike(name: string, before: Catalog, after: Catalog): boolean {
  const texts = (catalog: Catalog): string => {
    const aggregate = findBlock(catalog, 'aggregate', name);
    const events = (aggregate?.events ?? []).map((event) => findBlock(catalog, 'event', event));
    const read = new Set<Block | undefined>([aggregate, ...events]);
    // A set that is added to while it is gone through: each function once, however many blocks call it.
    for (const block of read)
      for (const reference of block?.references ?? [])
        if (reference.startsWith(functionOf))
          read.add(findBlock(catalog, 'function', reference.slice(functionOf.length)));
    return JSON.stringify(Array.from(read, (block) => block && textWithoutClauses(block)));
  };
  return texts(before) === texts(after);
}

/** The beginning of a reference to a function. */
const functionOf = 'function:';

function builtAnew(block: Block, stored: number | undefined): Difference {
  const events = stored === undefined ? '' : stored === 1 ? ' from 1 event' : ` from ${stored} events`;
  return difference(
    'folds-built-anew',
    block,
    `its tables and folds may be built again${events}, while it goes on serving`,
  );
}
