/** The bar below the lines of a server while its read model is built. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { barText, createBuildingBar } from '../../cli/serve/building-bar.ts';
import type { LogWork } from '../../runtime/store/opening.ts';
import { until } from '../kit/until.ts';

const entries = (done: number, of: number): LogWork => ({ kind: 'build', done, of, unit: 'entries' });

const million = 1_000_000;
const texts: readonly (readonly [
  text: string,
  done: number,
  of: number,
  from: number,
  seconds: number,
  width: number,
])[] = [
  ['building the read model ░░░░░░░░░░░░░░░░░░░░ 0 %, 0 of 100 entries', 0, 100, 0, 1, 100],
  ['building the read model ██████████░░░░░░░░░░ 50 %, 50 of 100 entries, about 5 s left', 50, 100, 0, 5, 100],
  [
    'building the read model █████░░░░░░░░░░░░░░░ 25 %, 5,000,000 of 20,000,000 entries, about 4 min left',
    5 * million,
    20 * million,
    0,
    75,
    200,
  ],
  // Work of an earlier run says nothing about the speed of this one.
  ['building the read model █████░░░░░░░░░░░░░░░ 25 %, 5 of 20 entries, about 15 s left', 5, 20, 4, 1, 100],
  ['building the read model ████████████████████ 100 %, 8 of 8 entries, about 0 s left', 8, 8, 0, 1, 100],
  ['building the read model ██████████░░░░░░░░░░ 50 %, about 5 s left', 50, 100, 0, 5, 80],
  ['read model ██████████░░░░░░░░░░ 50 %, 50 of 100 entries', 50, 100, 0, 5, 60],
  ['██████████░░░░░░░░░░ 50 %', 50, 100, 0, 5, 40],
  ['50 %', 50, 100, 0, 5, 10],
];
for (const [text, done, of, from, seconds, width] of texts)
  test(text, () => assert.is(barText(entries(done, of), { from, milliseconds: seconds * 1000 }, width), text));

for (const [work, text] of [
  [
    { kind: 'check', done: 1, of: 4, unit: 'MiB' },
    'checking the log █████░░░░░░░░░░░░░░░ 25 %, 1 of 4 MiB, about 3 s left',
  ],
  [
    { kind: 'heads', done: 1, of: 4, unit: 'entries' },
    'reading streams █████░░░░░░░░░░░░░░░ 25 %, 1 of 4 entries, about 3 s left',
  ],
] as const)
  test(text, () => assert.is(barText(work, { from: 0, milliseconds: 1000 }, 100), text));

/** The lines that a terminal shows after these characters; only the last one can be cleared. */
function screen(written: string): readonly string[] {
  return written.split('\n').map((line) => line.split('\r\u001b[K').at(-1) ?? '');
}

test('lines stay above the bar, which goes when the work is done', async () => {
  let written = '';
  let progress: LogWork | undefined = entries(1, 4);
  const output = { write: (text: string) => void (written += text), terminal: true, width: () => 40 };
  const bar = createBuildingBar(output, { patience: 0, interval: 1 });
  bar.write('serving\n');
  bar.watch(() => progress);
  await until(() => screen(written).at(-1) === '█████░░░░░░░░░░░░░░░ 25 %');
  bar.write('a request\n');
  assert.equal(screen(written), ['serving', 'a request', '█████░░░░░░░░░░░░░░░ 25 %']);
  progress = entries(2, 4);
  await until(() => screen(written).at(-1) === '██████████░░░░░░░░░░ 50 %');
  progress = undefined;
  await until(() => screen(written).at(-1) === '');
  bar.write('another\n');
  bar.stop();
  assert.equal(screen(written), ['serving', 'a request', 'another', '']);
});

test('a watch that is not over waits for work, and shows one kind after the other', async () => {
  let written = '';
  let work: LogWork | undefined;
  const output = { write: (text: string) => void (written += text), terminal: true, width: () => 45 };
  const bar = createBuildingBar(output, { patience: 0, interval: 1 });
  bar.watch(
    () => work,
    () => false,
  );
  work = { kind: 'check', done: 1, of: 2, unit: 'MiB' };
  await until(() => screen(written).at(-1) === 'checking the log ██████████░░░░░░░░░░ 50 %');
  work = { kind: 'heads', done: 0, of: 8, unit: 'entries' };
  await until(() => screen(written).at(-1) === 'reading streams ░░░░░░░░░░░░░░░░░░░░ 0 %');
  bar.watch(() => undefined);
  assert.equal(screen(written), ['']);
});

test('a stop removes the bar', async () => {
  let written = '';
  const output = { write: (text: string) => void (written += text), terminal: true, width: () => 40 };
  const bar = createBuildingBar(output, { patience: 0, interval: 1 });
  bar.watch(() => entries(1, 4));
  await until(() => written !== '');
  bar.stop();
  assert.equal(screen(written), ['']);
});

test('there is no bar without a terminal, and none when nothing is built', () => {
  let written = '';
  for (const [terminal, progress] of [
    [false, entries(1, 4)],
    [true, undefined],
  ] as const) {
    const output = { write: (text: string) => void (written += text), terminal, width: () => 40 };
    const bar = createBuildingBar(output, { patience: 0, interval: 1 });
    bar.watch(() => progress);
    bar.write('x\n');
    bar.stop();
  }
  assert.is(written, 'x\nx\n');
});

test.run();
