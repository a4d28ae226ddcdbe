/**
 * A process to be killed: opens tickets as fast as it gets answers, while reactions answer them. Arguments: the directory, or
 * the URL of a database whose log has the schema already; a prefix of the tickets; when the test began; the namespace in the database.
 */
import { writeSync } from 'node:fs';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { openPostgresStore } from '../../runtime/store/postgres/postgres-store.ts';
import { domainOf } from '../kit/domain.ts';
import { sent } from '../kit/engine.ts';
import { fastClock, reactionSchema } from '../kit/reaction-schema.ts';

const [place = '', life = '', begun = '0', namespace] = process.argv.slice(2);

/** Clock on which a command that waits a minute is due soon. */
const clock = (): bigint => fastClock(Number(begun));

async function main(): Promise<void> {
  const store =
    namespace === undefined
      ? await openEmbeddedStore({ directory: place, readModel: 'inline' })
      : await openPostgresStore({ url: place, namespace, readModel: 'inline' });
  const domain = await domainOf(reactionSchema);
  const engine = await createReactingEngine({
    store,
    domain,
    clock,
    randomBytes: createSystemRandom(),
    reactions: 'timers',
  });
  if (store.log.schema().length === 0) {
    const changes = domain.blocks.map(({ kind, name, text }) => ({ change: 'put', block: kind, name, text }) as const);
    await engine.adopt(domain, { kind: 'schema', origin: 'files', changes });
  }
  for (let sentSoFar = 0; ; sentSoFar += 1) {
    await engine.execute({ command: 'Open', arguments: sent({ ticket: `${life}-${sentSoFar}` }) });
    writeSync(1, `${life}-${sentSoFar}\n`);
  }
}

void main();
