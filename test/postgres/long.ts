/** `npm run test:postgres [-- cuts]`: connections cut while a batch is appended, 500 by default, on a PostgreSQL of its own or that of `DATABASE_URL`. */
import { startDatabase } from '../kit/database.ts';
import { cutAppends } from './cuts.ts';

const many = Number(process.argv[2] ?? '500');
const database = await startDatabase();
if ('missing' in database) {
  console.error(database.missing);
  process.exit(3);
}
const { url, port } = database;
try {
  const counts = await cutAppends({ url, port, namespace: `cuts_${process.pid}`, many, chance: Math.random });
  const { answered, kept, never, beside, wrong } = counts;
  console.log(
    `${many} cuts: ${kept} kept, ${never} never kept, ${answered} of them answered; ${beside} batches beside; ${wrong.length} wrong`,
  );
  for (const each of wrong) console.log(`  ${each}`);
  process.exitCode = wrong.length === 0 ? 0 : 1;
} finally {
  await database.stop();
}
