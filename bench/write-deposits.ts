import { systemClock } from '../runtime/store/disk/node-disk.ts';
import type { LogEntry } from '../runtime/store/entry.ts';
import type { Journal } from '../runtime/store/journal.ts';
import { encodeLine } from '../runtime/store/line.ts';

/**
 * Appends deposits to a log that has the registry of the accounts and no events, as the store would write them, without deciding each: 200
 * bytes an event, ten events a stream in a random order, every tenth with a command id.
 */
export async function writeDeposits(journal: Journal, events: number, inBatch: number): Promise<void> {
  const streams = Math.max(1, Math.floor(events / 10));
  const seqs = new Uint16Array(streams);
  let after = await journal.fresh();
  const first = after.entry;
  let chance = 42;
  for (let position = 1; position <= events;) {
    const lines: string[] = [];
    for (; lines.length < inBatch && position <= events; position++) {
      chance = (Math.imul(chance, 1_664_525) + 1_013_904_223) >>> 0;
      const stream = Math.floor((chance / 2 ** 32) * streams);
      seqs[stream] = (seqs[stream] ?? 0) + 1;
      const own = { streamType: 'Account', streamId: `A-${String(stream).padStart(8, '0')}` };
      const event = {
        ...own,
        position,
        id: `01a0${position.toString(16).padStart(22, '0')}`,
        type: 'Deposited',
        version: 1,
        seq: seqs[stream] ?? 0,
        data: `{"amount":5,"teller":"teller ${position % 97} of the branch in the old town"}`,
      };
      const entry: LogEntry = {
        ...own,
        kind: 'command',
        number: first + position,
        at: String(systemClock()),
        command: 'Deposit',
        events: [event],
        ...(position % 10 === 0 && { commandId: `id-${position}`, fingerprint: 'f'.repeat(32) }),
      };
      lines.push(encodeLine(entry));
    }
    const kept = await journal.append({ after, id: `deposits to ${position}`, lines });
    if (kept !== 'kept') throw new Error('another process appends to this log');
    after = await journal.fresh();
  }
}
