/**
 * `npm run test:postgres [-- cuts] [-- part…]` on a PostgreSQL of its own or that of `DATABASE_URL`: connections cut while a batch is
 * appended (500, or that number), all scripts there are with the same outcomes as in memory, and the suites of HTTP. Parts are `cuts`,
 * `scripts`, `trips` (the cost of a command), `reactions` (servers killed while reactions answer, 20 times or that number), `followers` (of
 * another server, cut 2,000 times or that number), `pooler` (the contracts of log and store through PgBouncer, if it is installed), `http`.
 */
import { spawnSync } from 'node:child_process';
import { root } from '../kit/tool.ts';
import { startDatabase, type TestDatabase } from '../kit/database.ts';
import { sampleScripts } from '../syntax/sample-scripts.ts';
import { cutAppends } from './cuts.ts';
import { startPooler } from './pooler.ts';
import { compareOutcomes } from './same-outcomes.ts';
import { countTrips } from './trips.ts';

/** Suites whose servers open their store by `openServedStore`. */
const suites = [
  'answers',
  'commands',
  'competing-consumers',
  'event-pages',
  'execute',
  'filters.test',
  'live',
  'many-commands',
  'past',
  'rights',
  'subscriptions',
];

const words = process.argv.slice(2);
const many = Number(words.find((word) => /^\d+$/.test(word)) ?? '500');
const named = words.filter((word) => !/^\d+$/.test(word));
const parts =
  named.length > 0
    ? named
    : words.length > 0
      ? ['cuts']
      : ['cuts', 'scripts', 'trips', 'reactions', 'followers', 'pooler', 'http'];
const database = await startDatabase();
if ('missing' in database) {
  console.error(database.missing);
  process.exit(3);
}
try {
  let failed = false;
  for (const part of parts) failed = !(await run(part, database)) || failed;
  process.exitCode = failed ? 1 : 0;
} finally {
  await database.stop();
}

/** Runs a part and prints its figures; false if something is wrong. */
function run(part: string, { url, port }: TestDatabase): Promise<boolean> | boolean {
  switch (part) {
    case 'cuts':
      return cuts(url, port);
    case 'reactions':
      process.env['SCHEMAC_REACTION_KILLS'] = words.includes(String(many)) ? String(many) : '20';
      return passes(url, ['postgres/reactions']);
    case 'followers':
      process.env['SCHEMAC_FOLLOW_CUTS'] = words.includes(String(many)) ? String(many) : '2000';
      return passes(url, ['postgres/followed']);
    case 'trips':
      return trips(url);
    case 'scripts':
      return scripts(url);
    case 'pooler':
      return pooler(url);
    case 'http':
      return passes(
        url,
        suites.map((suite) => `http/${suite}`),
      );
    default:
      throw new Error(
        `there is no part '${part}'; the parts are cuts, scripts, trips, reactions, followers, pooler and http`,
      );
  }
}

async function cuts(url: string, port: number): Promise<boolean> {
  const counts = await cutAppends({ url, port, namespace: `cuts_${process.pid}`, many, chance: Math.random });
  const { answered, kept, never, beside, wrong } = counts;
  console.log(
    `${many} cuts: ${kept} kept, ${never} never kept, ${answered} of them answered; ${beside} batches beside; ${wrong.length} wrong`,
  );
  for (const each of wrong) console.log(`  ${each}`);
  return wrong.length === 0;
}

/** The contracts of log and store through a pooler in transaction mode. */
async function pooler(url: string): Promise<boolean> {
  const between = await startPooler(url);
  if ('missing' in between) {
    console.log(`pooler: skipped, ${between.missing}`);
    return true;
  }
  try {
    return passes(between.url, ['contract/postgres-journal', 'contract/postgres-store']);
  } finally {
    await between.stop();
  }
}

function passes(url: string, suites: readonly string[]): boolean {
  const environment = { ...process.env, DATABASE_URL: url, SCHEMAC_TEST_STORE: 'postgres' };
  const { status } = spawnSync(process.execPath, ['--import', 'tsx', 'scripts/test.ts', ...suites], {
    cwd: root,
    env: environment,
    stdio: 'inherit',
  });
  return status === 0;
}

async function trips(url: string): Promise<boolean> {
  let made = 0;
  for (const [servers, clients] of [
    [1, 1],
    [1, 64],
    [2, 2],
    [2, 64],
  ] as const) {
    const commands = 2_000;
    const namespace = `trips_${process.pid}_${++made}`;
    const { roundTrips, overtaken, processorMicroseconds } = await countTrips(url, namespace, {
      servers,
      clients,
      commands,
    });
    console.log(
      `${servers} servers, ${clients} clients, ${commands} commands: ${(roundTrips / commands).toFixed(3)} round trips, ${Math.round(processorMicroseconds / commands)} µs of processor a command; overtaken ${overtaken} times`,
    );
  }
  return true;
}

async function scripts(url: string): Promise<boolean> {
  const counts = { scripts: 0, statements: 0, events: 0, differing: 0 };
  for (const script of sampleScripts()) {
    const namespace = `scripts_${process.pid}_${++counts.scripts}`;
    const { statements, events, differing } = await compareOutcomes(script, url, namespace);
    counts.statements += statements;
    counts.events += events;
    counts.differing += differing.length;
    for (const { memory, postgres } of differing)
      console.log(`${script.name}\n  memory   ${memory}\n  postgres ${postgres}`);
  }
  console.log(
    `${counts.scripts} scripts, ${counts.statements} statements, ${counts.events} events: ${counts.differing} outcomes differ from those in memory`,
  );
  return counts.differing === 0;
}
