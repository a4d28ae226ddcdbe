/**
 * The suites that try texts, queries and histories made by chance, with the counts that `npm test` has no time for:
 *
 *   npm run test:random                  all
 *   npm run test:random -- syntax folds  those whose path holds one of the words
 */
import { fileURLToPath } from 'node:url';
import { runProcess } from '../../scripts/run-process.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const hour = 3_600_000;

/** Each suite, and the variable that says how often it tries. */
const suites: readonly (readonly [path: string, variable: string, count: number])[] = [
  ['test/syntax/hostile.test.ts', 'SCHEMAC_PARSER_RUNS', 100_000],
  ['test/syntax/round-trip.test.ts', 'RUNS', 5_000],
  ['test/syntax/format.test.ts', 'RUNS', 5_000],
  ['test/analyse/mutations.test.ts', 'SCHEMAC_SLIP_RUNS', 6_000],
  ['test/session/slips.test.ts', 'SCHEMAC_SLIP_SCRIPTS', 200],
  ['test/session/early.test.ts', 'ROUNDS', 300],
  ['test/registry/upcasts.test.ts', 'ROUNDS', 300],
  ['test/emit-sqlite/differential.test.ts', 'SCHEMAC_RUNS', 4_000],
  ['test/folds/differential.test.ts', 'SCHEMAC_RUNS', 400],
  ['test/functions/differential.test.ts', 'ROUNDS', 12],
  ['test/functions/cast.test.ts', 'ROUNDS', 40],
  ['test/values/read-back.test.ts', 'ROUNDS', 25],
  ['test/engine/fold-scan.test.ts', 'ROUNDS', 400],
  ['test/past/as-of.test.ts', 'ROUNDS', 120],
  ['test/postgres/as-of.test.ts', 'ROUNDS', 90],
  ['test/past/together.test.ts', 'QUESTIONS', 25_000],
  ['test/past/each.test.ts', 'ROUNDS', 200],
  ['test/past/candidates.test.ts', 'ROUNDS', 60],
  ['test/past/moment.test.ts', 'ROUNDS', 2_000],
  ['test/http/fuzz.test.ts', 'SCHEMAC_FUZZ_RUNS', 10_000],
  ['test/http/interleaved.test.ts', 'ROUNDS', 40],
  ['test/store/memory-file.test.ts', 'ROUNDS', 150],
  ['test/callers/matrix.test.ts', 'SCHEMAC_DOMAINS', 20],
  ['test/callers/followed.test.ts', 'SCHEMAC_FOLLOWED', 30],
  ['test/callers/row-security.test.ts', 'SCHEMAC_CONDITIONS', 2_000],
  ['test/callers/unseen.test.ts', 'SCHEMAC_REQUESTS', 500],
  ['test/lsp/random.test.ts', 'SCHEMAC_EDIT_BURSTS', 5_000],
];

const words = process.argv.slice(2);
const chosen = suites.filter(([path]) => words.length === 0 || words.some((word) => path.includes(word)));
if (chosen.length === 0) {
  console.error(`the suites are ${suites.map(([path]) => path).join(', ')}`);
  process.exitCode = 2;
}
for (const [path, variable, count] of chosen) {
  const { status, output, seconds } = await runProcess({
    command: process.execPath,
    arguments: ['--conditions=schemac-source', '--import', 'tsx', path],
    cwd: root,
    milliseconds: hour,
    environment: { [variable]: String(count), NO_COLOR: '1' },
  });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'}  ${path}  ${variable}=${count}  ${Math.round(seconds)} s`);
  if (status !== 0) {
    console.log(output);
    process.exitCode = 1;
  }
}
