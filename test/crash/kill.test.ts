/**
 * R1: repeated `kill -9` under load on one directory: no acknowledged command is lost, none is invented, duplicated or
 * incomplete.
 */
import { rmSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { freshFolder } from '../store/fresh-folder.ts';
import { bundled } from './bundled.ts';
import { createChance, parameter, seedOf } from './chance.ts';
import { checkLog, checkRestart, nothingSent, runWriter, sum, type Counts } from './writer-process.ts';

const cycles = parameter('SCHEMAC_KILL_CYCLES', 12);
const [shortest, longest] = process.env['SCHEMAC_KILL_CYCLES'] === undefined ? [15, 100] : [100, 400];
/** Then a new directory, so that checking does not get slower. */
const cyclesOfDirectory = process.env['SCHEMAC_KILL_CYCLES'] === undefined ? 6 : 10;

const kill = (cycles: number) => async (): Promise<void> => {
  const chance = createChance(seedOf('kill'));
  const folder = freshFolder();
  const program = bundled('kill-writer');
  let acknowledged = 0;
  let unanswered = 0;
  for (let first = 0; first < cycles; first += cyclesOfDirectory) {
    const directory = `${folder}/data-${first}`;
    let next: Counts = nothingSent;
    for (let cycle = first; cycle < Math.min(cycles, first + cyclesOfDirectory); cycle += 1) {
      next = await runWriter({ program, directory, next, milliseconds: shortest + chance.below(longest - shortest) });
      unanswered += await checkLog(directory, next, `cycle ${cycle}`);
    }
    await checkRestart(directory, `after cycle ${first + cyclesOfDirectory - 1}`);
    acknowledged += sum(next);
    rmSync(directory, { recursive: true });
  }
  console.log(`kill: ${cycles} cycles, ${acknowledged} acknowledged, ${unanswered} were there without their answer`);
  assert.ok(acknowledged > cycles * 10, `only ${acknowledged} commands were acknowledged`);
};

test(`${cycles} cycles of kill -9 under load`, kill(cycles));

const cyclesOnDisk = Math.ceil(cycles / 5);
test(`${cyclesOnDisk} cycles with the read model on disk`, async () => {
  process.env['SCHEMAC_TEST_READ_ENGINE'] = 'disk';
  await kill(cyclesOnDisk)();
});

test.run();
