import { atOnce, noHistory, type Steps } from '../../../compiler/index.ts';
import type { SchemaChange } from '../../../runtime/store/entry.ts';
import type { Store } from '../../../runtime/store/store.ts';
import { compileInSteps } from './compile-blocks.ts';
import { createHistoryReader, type HistoryReader } from './stored-history.ts';

/** Every definition under which events were stored: the events of every schema entry of the log, oldest first. */
export function readHistoryFromLog(store: Store): HistoryReader {
  return atOnce(historyInSteps(store));
}

/** The same, one step per block that is read or checked. */
export function* historyInSteps(store: Store): Steps<HistoryReader> {
  const history = createHistoryReader(store);
  for (const entry of store.schema()) {
    const events = entry.changes.filter(isEvent);
    if (events.length === 0) continue;
    const blocks = events.map(({ name, text }) => ({ kind: 'event', name, text }) as const);
    history.addEvents((yield* compileInSteps(blocks, noHistory)).catalog.blocks.event);
  }
  return history;
}

function isEvent(change: SchemaChange): change is SchemaChange & { readonly text: string } {
  return change.change === 'put' && change.block === 'event' && change.text !== undefined;
}
