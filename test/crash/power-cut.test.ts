/**
 * R2: a power cut. The store writes to its own ext4 in an image; under load the process is stopped and the image
 * copied, so that the copy has only data that reached the disk. The copy is mounted, recovered, and must contain
 * everything acknowledged. Without fsync it must lose some, or this test would prove nothing.
 */
import { copyFileSync, constants, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { openReadOnlyStore } from '../../runtime/store/embedded/read-only-store.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { bundled } from './bundled.ts';
import { createChance, parameter, seedOf, type Chance } from './chance.ts';
import { makeImage, mount, mountRefusal, unmount } from './mounts.ts';
import { checkLog, checkRestart, nothingSent, runWriter, sum, type Counts } from './writer-process.ts';

const cycles = parameter('SCHEMAC_POWER_CUTS', 4);
const controls = Math.max(2, Math.round(cycles / 15));
const cyclesOfImage = 8;
/** The file system decides the order in which data and names reach the disk. */
const journals = ['data=ordered', 'data=writeback', 'data=journal'] as const;

const refusal = mountRefusal('ext4');
if (refusal !== undefined) console.log(`power cuts are skipped, for no image can be mounted here: ${refusal}`);
const testMounted = refusal === undefined ? test : test.skip;

const folder = freshFolder();
const program = bundled('kill-writer');
const image = join(folder, 'image');
const place = join(folder, 'mounted');
const directory = join(place, 'data');

testMounted(`${cycles} power cuts under load`, async () => {
  const chance = createChance(seedOf('power cuts'));
  let acknowledged = 0;
  let unanswered = 0;
  let next: Counts = nothingSent;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    if (cycle % cyclesOfImage === 0) {
      next = nothingSent;
      rmSync(image, { force: true });
      makeImage(image, 64);
    }
    const before = sum(next);
    next = await cutWhileWriting(chance, next, true);
    acknowledged += sum(next) - before;
    const options = `loop,${chance.pick(journals)}`;
    mount({ type: 'ext4', options, from: image }, place);
    unanswered += await checkLog(directory, next, `cycle ${cycle}`);
    await checkRestart(directory, `cycle ${cycle}`);
    unmount(place);
  }
  console.log(
    `power cuts: ${cycles} cycles, ${acknowledged} acknowledged, ${unanswered} were there without their answer`,
  );
  assert.ok(acknowledged > cycles * 10, `only ${acknowledged} commands were acknowledged`);
});

testMounted(`${controls} power cuts without fsync lose what was acknowledged`, async () => {
  const chance = createChance(seedOf('power cuts without fsync'));
  let losing = 0;
  for (let cycle = 0; cycle < controls; cycle += 1) {
    rmSync(image, { force: true });
    makeImage(image, 64);
    const acknowledged = sum(await cutWhileWriting(chance, nothingSent, false));
    mount({ type: 'ext4', options: 'loop', from: image }, place);
    const found = await entriesOf(directory);
    unmount(place);
    if (found < acknowledged) losing += 1;
  }
  console.log(`power cuts without fsync: ${losing} of ${controls} cycles lost acknowledged commands`);
  assert.is(losing, controls);
});

/** Runs the writer on the image, cuts the power, and leaves the image as the disk was then. */
async function cutWhileWriting(chance: Chance, next: Counts, fsync: boolean): Promise<Counts> {
  const cut = join(folder, 'cut');
  mount({ type: 'ext4', options: `loop,${chance.pick(journals)}`, from: image }, place);
  const acknowledged = await runWriter({
    program,
    directory,
    next,
    milliseconds: 15 + chance.below(150),
    fsync,
    frozen: () => copyFileSync(image, cut, constants.COPYFILE_FICLONE),
  });
  unmount(place);
  copyFileSync(cut, image);
  return acknowledged;
}

/** The number of entries that a start finds; 0 when it refuses. */
async function entriesOf(data: string): Promise<number> {
  try {
    const store = await openReadOnlyStore({ directory: data });
    const { entry } = store.turns.position();
    await store.close();
    return entry;
  } catch {
    return 0;
  }
}

test.run();
