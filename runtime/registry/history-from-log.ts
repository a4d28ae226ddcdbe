import { noHistory } from '../../compiler/index.ts';
import type { SchemaChange } from '../store/entry.ts';
import type { Store } from '../store/store.ts';
import { compileBlocks } from './compile-blocks.ts';
import { createHistoryReader, type HistoryReader } from './stored-history.ts';

/** What was ever stored under which definition: the events of every schema entry of the log, oldest first. */
export function readHistoryFromLog(store: Store): HistoryReader {
  const history = createHistoryReader(store);
  for (const entry of store.schema()) {
    const events = entry.changes.filter(isEvent);
    if (events.length > 0)
      history.noteEvents(
        compileBlocks(
          events.map(({ name, text }) => ({ kind: 'event', name, text })),
          noHistory,
        ).catalog.blocks.event,
      );
  }
  return history;
}

function isEvent(change: SchemaChange): change is SchemaChange & { readonly text: string } {
  return change.change === 'put' && change.block === 'event' && change.text !== undefined;
}
