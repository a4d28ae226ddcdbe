/** `kill -9` while reactions answer: after a restart each effect has happened once, also what became due meanwhile. */
import { fork } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createReactingEngine } from '../../runtime/delivery/reaction/reacting-engine.ts';
import { createSystemRandom } from '../../runtime/engine/system-random.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import { collect } from '../contract/accounts.ts';
import { domainOf } from '../kit/domain.ts';
import { effects, fastClock, reactionSchema, wrongEffects } from '../kit/reaction-schema.ts';
import { startedModule } from '../kit/started-module.ts';
import { root } from '../kit/tool.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { bundled } from './bundled.ts';
import { createChance, parameter, seedOf } from './chance.ts';

const kills = parameter('SCHEMAC_KILL_CYCLES', 3);
const source = fileURLToPath(startedModule('test/crash/reaction-writer-process'));
/** A single file, so that each of many lives starts faster. */
const program = source.endsWith('.ts') ? bundled('reaction-writer-process') : source;
const environment = { ...process.env, NODE_PATH: join(root, 'node_modules') };

const begun = Date.now();

/** Kills the process after this number of answers; gives the tickets that it has acknowledged. */
function killedAfter(directory: string, life: number, answers: number): Promise<readonly string[]> {
  const child = fork(program, [directory, String(life), String(begun)], {
    execArgv: [],
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
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

test(`${kills} cycles of kill -9`, async () => {
  const chance = createChance(seedOf('reactions'));
  const directory = `${freshFolder()}/data`;
  const acknowledged: string[] = [];
  for (let life = 0; life < kills; life += 1)
    acknowledged.push(...(await killedAfter(directory, life, 1 + chance.below(60))));
  const store = await openEmbeddedStore({ directory, readModel: 'inline' });
  const engine = await createReactingEngine({
    store,
    domain: await domainOf(reactionSchema),
    clock: () => fastClock(begun) + 3_600_000_000n,
    randomBytes: createSystemRandom(),
    reactions: 'asked',
  });
  await engine.reactions.settled();
  const entries = await collect(store.log.read(1));
  const events = entries.flatMap((entry) => (entry.kind === 'command' ? entry.events : []));
  assert.equal(wrongEffects(events), []);
  const tickets = new Set(effects(events).map((line) => line.split(' ')[0]));
  assert.equal(
    acknowledged.filter((ticket) => !tickets.has(ticket)),
    [],
  );
  await engine.close();
});

test.run();
