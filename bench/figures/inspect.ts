/** An inspection of 1,000,000 rows: its memory in addition to the rows that it reads, and its progress reports. */
import { join } from 'node:path';
import { openSession, type OpenSession } from '../../server/session/open-session.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { timed, type Figure } from '../measure.ts';
import { report } from '../report.ts';
import { residentBytes } from '../server-reads.ts';

const schema = `CREATE AGGREGATE Account;
CREATE COMMAND Deposit (account_id STRING, amount DECIMAL(12,2));
CREATE EVENT Deposited (amount DECIMAL(12,2), balance_after DECIMAL(12,2));
CREATE DECISION Take FOR Account ON COMMAND Deposit
STATE AS SELECT SUM(data.amount) AS balance FROM Reg."Account$Events" WHERE stream_id = :account_id
EMIT AS SELECT EVENT Deposited (amount := :amount, balance_after := COALESCE(balance, 0) + :amount) WHERE :amount > 0;`;

await report(async ({ folder, quick }) => {
  const rows = quick ? 100_000 : 1_000_000;
  const store = await openEmbeddedStore({ directory: join(folder, 'data'), readModel: 'inline' });
  const session = await openSession({ store, version: '0.0.0' });
  let reports = 0;
  let highest = 0;
  const onProgress = (): void => {
    reports += 1;
    if (reports % 20 === 0) highest = Math.max(highest, residentBytes());
  };
  await run(session, schema, onProgress);
  await run(
    session,
    `CREATE TABLE wanted (account_id, amount) AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
SELECT 'A-' || CAST(i % 1000 AS STRING), CAST(i % 900 AS DECIMAL(12,2)) FROM n;`,
    onProgress,
  );
  globalThis.gc?.();
  const before = residentBytes();
  const milliseconds = await timed(() => run(session, 'INSPECT DECISION Take FROM wanted INTO would;', onProgress));
  highest = Math.max(highest, residentBytes());
  await session.close();
  const label = rows.toLocaleString('en');
  const figures: readonly Figure[] = [
    {
      name: `resident bytes a target row, with its row of branches, of ${label} inspected`,
      unit: 'bytes',
      goal: { at: 'most', value: 400 },
      value: (highest - before) / rows,
    },
    {
      name: `times that an inspection of ${label} rows said how far it was`,
      unit: `times, in ${Math.round(milliseconds)} ms`,
      goal: { at: 'least', value: 100 },
      value: reports,
    },
  ];
  return figures;
});

async function run(session: OpenSession, text: string, onProgress: () => void): Promise<void> {
  for await (const outcome of session.run({ name: 'bench', text }, { onProgress }))
    if (outcome.kind === 'error') throw new Error(outcome.problems.map(({ message }) => message).join('; '));
}
