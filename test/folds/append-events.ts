import type { StoredEvent } from '../../runtime/store/entry.ts';
import type { Store } from '../../runtime/store/store.ts';
import { eventStart, minute, type StoredEvent as Happened } from '../emit-sqlite/database.ts';

export type { Happened };

/** Appends each in its own entry, with the metadata that `naiveWorld` gives it. */
export async function appendEvents(store: Store, streamType: string, events: readonly Happened[]): Promise<void> {
  for (const { type, stream: streamId, data } of events) {
    await store.turns.exclusively(async (turn) => {
      const position = turn.nextPosition();
      const stored: StoredEvent = {
        position,
        id: `id-${position}`,
        type,
        version: 1,
        streamType,
        streamId,
        seq: (await turn.head(streamType, streamId)) + 1,
        data: JSON.stringify(data),
      };
      const at = eventStart + BigInt(position - 1) * minute;
      turn.append({ kind: 'command', command: 'Do', streamType, streamId, events: [stored] }, at);
    });
  }
}
