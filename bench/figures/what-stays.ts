/** Memory that a store needs in addition to its read model in memory: a head for each stream, a hash for each command id. */
import { randomUUID } from 'node:crypto';
import type { LogEntry } from '../../runtime/store/entry.ts';
import { createCommandHash } from '../../runtime/store/turns/command-index.ts';
import { createLedger, type Ledger } from '../../runtime/store/turns/ledger.ts';
import type { Figure } from '../measure.ts';
import { report } from '../report.ts';

function used(): number {
  // The memory of arrays is free after the second one.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function entryOf(number: number, streamId: string, seq: number, commandId?: string): LogEntry {
  const event = { position: number, id: 'e', type: 'E', version: 1, streamType: 'A', streamId, seq, data: '{}' };
  const given = commandId === undefined ? {} : { commandId, fingerprint: 'f' };
  return { number, at: '1', kind: 'command', command: 'C', streamType: 'A', streamId, events: [event], ...given };
}

const kept: Ledger[] = [];

await report(({ quick }) => {
  const many = quick ? 100_000 : 1_000_000;
  const each = (fill: (ledger: Ledger) => void): number => {
    const before = used();
    const ledger = createLedger(createCommandHash('00'.repeat(32)));
    fill(ledger);
    kept.push(ledger);
    return (used() - before) / many;
  };
  const heads = each((ledger) => {
    // A flat text, as one that was read from a file.
    for (let number = 1; number <= many; number++)
      ledger.replay(entryOf(number, Buffer.from(randomUUID()).toString('latin1'), 1));
  });
  const ids = each((ledger) => {
    for (let number = 1; number <= many; number++) ledger.replay(entryOf(number, 'a', number, `id-${number}`));
  });
  const of = `of ${many.toLocaleString('en')}`;
  const figures: readonly Figure[] = [
    { name: `head of a stream, ${of}`, unit: 'bytes', goal: { at: 'most', value: 120 }, value: heads },
    { name: `command id, ${of}`, unit: 'bytes', goal: { at: 'most', value: 40 }, value: ids },
  ];
  return Promise.resolve(figures);
});
