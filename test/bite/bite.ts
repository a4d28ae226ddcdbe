/**
 * T: whether the tests bite. Puts each fault of `mutants.ts` into a copy of the sources and runs the tests that must notice it:
 *
 *   npm run test:bite                 all
 *   npm run test:bite -- log console  those of these areas, or whose sentence holds the word
 *
 * A test file counts only if it passes on the copy as it is. Ends with 1 when under 85 % are noticed or a change does not fit.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { constants, setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mutants, type Mutant } from './mutants.ts';
import { rooms } from '../architecture/rules.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const wantedShare = 0.85;
/** A test that never ends has noticed the fault too. */
const longest = 300_000;

setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const words = process.argv.slice(2);
const chosen = mutants.filter(
  ({ area, fault }) => words.length === 0 || words.some((word) => word === area || fault.includes(word)),
);
const copy = mkdtempSync(join(tmpdir(), 'schemac-bite-'));
process.on('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const name of [...rooms, 'test', 'examples', 'package.json', 'tsconfig.json'])
  cpSync(join(root, name), join(copy, name), { recursive: true });
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));

const healthy = new Map<string, boolean>();
const survivors: Mutant[] = [];
let misfits = 0;
for (const mutant of chosen) {
  const path = join(copy, mutant.file);
  const before = readFileSync(path, 'utf8');
  if (before.split(mutant.from).length !== 2) {
    misfits += 1;
    console.log(`misfit    ${mutant.area}: ${mutant.fault} (${mutant.file} has changed)`);
    continue;
  }
  const by = mutant.suites.find((suite) => {
    writeFileSync(
      path,
      before.replace(mutant.from, () => mutant.to),
    );
    const failure = failureOf(suite);
    writeFileSync(path, before);
    return failure !== undefined && isHealthy(suite);
  });
  if (by === undefined) survivors.push(mutant);
  const verdict = by === undefined ? 'SURVIVED  ' : 'noticed   ';
  console.log(`${verdict}${mutant.area}: ${mutant.fault}${by === undefined ? '' : ` (${by})`}`);
}
const tried = chosen.length - misfits;
const noticed = tried - survivors.length;
console.log(`${noticed} of ${tried} faults noticed, ${((100 * noticed) / tried).toFixed(0)} %; ${misfits} did not fit`);
process.exitCode = misfits > 0 || noticed < wantedShare * tried ? 1 : 0;

/** A test that fails without a fault does not count. */
function isHealthy(suite: string): boolean {
  const known = healthy.get(suite);
  if (known !== undefined) return known;
  const failure = failureOf(suite);
  if (failure !== undefined) console.log(`${suite} fails on the sources as they are and shows nothing:\n${failure}`);
  healthy.set(suite, failure === undefined);
  return failure === undefined;
}

/** Why a suite does not pass; undefined if it does. On a machine with much other work the tools that it starts may take too long. */
function failureOf(suite: string): string | undefined {
  const words = ['--conditions=schemac-source', '--import', import.meta.resolve('tsx'), `test/${suite}.test.ts`];
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: copy,
    env: { ...process.env, NO_COLOR: '1', SCHEMAC_SEED: '1', SCHEMAC_LOCK_CONTENDERS: '8' },
    encoding: 'utf8',
    timeout: longest,
    killSignal: 'SIGKILL',
  });
  if (status === 0 && /Total:\s+[1-9]/.test(stdout)) return undefined;
  if (signal !== null) return `no end within ${longest / 1000} s`;
  return (stdout.trim() + stderr.trim()).slice(0, 2_000);
}
