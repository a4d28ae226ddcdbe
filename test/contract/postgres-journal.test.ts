import { test } from 'uvu';
import { systemRandom } from '../../runtime/store/disk/node-disk.ts';
import type { Journal } from '../../runtime/store/journal.ts';
import { openPostgresJournal } from '../../runtime/store/postgres/postgres-journal.ts';
import { readTarget } from '../../runtime/store/postgres/target.ts';
import { startDatabase } from '../kit/database.ts';
import { journalContract } from './journal-contract.ts';

const database = await startDatabase();

if ('missing' in database) {
  test.skip(`log in PostgreSQL: ${database.missing}`, () => undefined);
  test.run();
} else {
  const target = readTarget(database.url, 'DATABASE_URL');
  let made = 0;
  const open = (namespace: string, listens: boolean): Promise<Journal> =>
    openPostgresJournal({
      target,
      namespace,
      random: systemRandom,
      now: Date.now,
      monotonic: () => performance.now(),
      log: () => undefined,
      ...(listens && { listen: target }),
    });
  journalContract('log in PostgreSQL', async () => {
    const namespace = `contract_${process.pid}_${++made}`;
    // Every second log is listened to, the others are asked for their end.
    const connect = (): Promise<Journal> => open(namespace, made % 2 === 0);
    return { journal: await connect(), connect, reopen: connect };
  });
  test.after(database.stop);
  test('the server of the suite is stopped', () => undefined);
  test.run();
}
