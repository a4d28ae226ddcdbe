import { createMemoryLog } from '../../runtime/store/journal/memory-journal.ts';
import { journalContract } from './journal-contract.ts';

journalContract('log in memory', () => {
  const log = createMemoryLog('ab'.repeat(32));
  return Promise.resolve({ journal: log.connect(), connect: () => Promise.resolve(log.connect()) });
});
