/** Reactions of two servers on a log in a real PostgreSQL, one of which is killed again and again: each effect happens once. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { openPostgresStore } from '../../runtime/store/postgres/postgres-store.ts';
import { collect } from '../contract/accounts.ts';
import { parameter } from '../crash/chance.ts';
import { startDatabase } from '../kit/database.ts';
import { domainOf } from '../kit/domain.ts';
import { sent } from '../kit/engine.ts';
import { effects, fastClock, reactionSchema, wrongEffects } from '../kit/reaction-schema.ts';
import { startedModule } from '../kit/started-module.ts';
import { until } from '../kit/until.ts';

const kills = parameter('SCHEMAC_REACTION_KILLS', 1);
const program = fileURLToPath(startedModule('test/crash/reaction-writer-process'));
const database = await startDatabase();
const begun = Date.now();

/** Kills another server when it has opened this number of tickets; gives those that it has acknowledged. */
function killedAfter(words: readonly string[], answers: number): Promise<readonly string[]> {
  const child = fork(program, words, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let said = '';
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      if (said.split('\n').length > answers) child.kill('SIGKILL');
    });
    child.on('close', () => {
      resolve(said.split('\n').slice(0, -1));
    });
  });
}

const title = `two servers, ${kills} kills of one of them`;
if ('missing' in database) test.skip(`${title}: ${database.missing}`, () => undefined);
else {
  const { url } = database;
  test.after(() => database.stop());
  test(title, async () => {
    const namespace = `reactions_${process.pid}`;
    const domain = await domainOf(reactionSchema);
    const engine = await createReactingEngine({
      store: await openPostgresStore({ url, namespace, readModel: 'inline' }),
      domain,
      clock: () => fastClock(begun),
      randomBytes: createSystemRandom(),
      reactions: 'timers',
    });
    const changes = domain.blocks.map(({ kind, name, text }) => ({ change: 'put', block: kind, name, text }) as const);
    await engine.adopt(domain, { kind: 'schema', origin: 'files', changes });
    const acknowledged: string[] = [];
    for (let life = 0; life < kills; life += 1) {
      const other = killedAfter([url, String(life), String(begun), namespace], 20 + ((7 * life) % 30));
      for (let count = 0; count < 20; count += 1) {
        const ticket = `own-${life}-${count}`;
        await engine.execute({ command: 'Open', arguments: sent({ ticket }) });
        acknowledged.push(ticket);
      }
      acknowledged.push(...(await other));
    }
    const events = async (): Promise<Parameters<typeof wrongEffects>[0]> => {
      await engine.store.turns.fresh();
      const entries = await collect(engine.store.log.read(1));
      return entries.flatMap((entry) => (entry.kind === 'command' ? entry.events : []));
    };
    // The last ones wait for a minute of the fast clock.
    await until(async () => !wrongEffects(await events()).some((fault) => fault.includes(' has no ')));
    const found = await events();
    assert.equal(wrongEffects(found), []);
    const tickets = new Set(effects(found).map((line) => line.split(' ')[0]));
    assert.equal(
      acknowledged.filter((ticket) => !tickets.has(ticket)),
      [],
    );
    // Nothing comes afterwards either.
    const { waiting, ready } = engine.reactions.totals();
    assert.equal([waiting, ready], [0, 0]);
    await engine.close();
  });
}

test.run();
