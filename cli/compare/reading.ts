/** All that is stored, read and computed under the definitions in force and under new ones. */
import type { Domain } from '../../language/contract/domain.ts';
import { Failure } from '../../language/failure/failure.ts';
import type { Store } from '../../runtime/store/store.ts';
import { changedRelations, rowsOfRelations, type RowChanges } from '../../server/operation/rehearse/relation-rows.ts';

export interface Reading {
  /** Events read under the new definitions. */
  readonly events: number;
  /** The first that cannot be read. */
  readonly unreadable: readonly string[];
  /** Relations whose folds do not equal a computation from the events. */
  readonly folds: readonly string[];
  /** Relations whose rows differ under the definitions in force. */
  readonly relations: readonly (
    | ({ readonly name: string } & Omit<RowChanges, 'examples'>)
    | { readonly name: string; readonly problem: string }
  )[];
}

/** Whether something that is stored cannot be read, or is computed wrongly. */
export function readingFails({ unreadable, folds }: Reading): boolean {
  return unreadable.length + folds.length > 0;
}

/** Reads the whole store under both. Changes which tables the store's read model has. */
export async function readUnderBoth(store: Store, before: Domain, after: Domain): Promise<Reading> {
  const { withoutFolds } = await import('../../runtime/store/tables/without-folds.ts');
  const decoded = await decodeAll(store, after);
  if (decoded.unreadable.length > 0) return { ...decoded, folds: [], relations: [] };
  await store.tables.adopt(before.readModel);
  const was = await rowsOfRelations(store, before);
  await store.tables.adopt(after.readModel);
  const is = await rowsOfRelations(store, after);
  await store.tables.adopt(withoutFolds(after.readModel));
  const scanned = await rowsOfRelations(store, after);
  const relations = changedRelations(was, is).map((changes): Reading['relations'][number] => {
    if ('problem' in changes) return changes;
    const { examples: _, ...counts } = changes;
    return counts;
  });
  const folds = changedRelations(scanned, is).map(({ name }) => name);
  return { ...decoded, folds, relations };
}

const mostNamed = 5;

/** Decodes every stored event, also those of aggregates that no query reads. */
async function decodeAll(store: Store, domain: Domain): Promise<Pick<Reading, 'events' | 'unreadable'>> {
  const { createHandlers } = await import('../../runtime/engine/handlers.ts');
  const handlers = createHandlers(domain);
  const unreadable: string[] = [];
  let events = 0;
  for await (const entry of store.log.read(1)) {
    if (entry.kind !== 'command') continue;
    for (const event of entry.events) {
      events += 1;
      try {
        handlers.reader(event.type).values(event, entry.at);
      } catch (error) {
        // A TypeError is a record that its definition cannot have written.
        if (!(error instanceof Failure) && !(error instanceof TypeError)) throw error;
        if (unreadable.length < mostNamed)
          unreadable.push(`event ${event.position} (${event.type}, version ${event.version})`);
      }
    }
  }
  return { events, unreadable };
}

export function readingText({ events, unreadable, folds, relations }: Reading): string {
  const lines = [
    unreadable.length === 0
      ? `${events} ${events === 1 ? 'event' : 'events'} read under the new definitions`
      : `events that cannot be read: ${unreadable.join('; ')}`,
    ...folds.map((name) => `the folds of ${name} differ from a computation over its events`),
    ...relations.map((relation) =>
      'problem' in relation
        ? `${relation.name}: not compared: ${relation.problem}`
        : `${relation.name}: ${relation.before} rows before, ${relation.after} after: ${relation.added} added, ${relation.gone} gone, ${relation.changed} changed`,
    ),
  ];
  if (unreadable.length === 0 && folds.length === 0) lines.push('every fold equals a computation over its events');
  if (unreadable.length === 0 && relations.length === 0)
    lines.push('every relation that exists before and after has the same rows');
  return `${lines.join('\n')}\n`;
}
