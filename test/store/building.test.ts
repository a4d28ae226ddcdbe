import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createBuilding, type Building } from '../../runtime/store/tables/live/building.ts';

const end = 8;
const written = 'the read model on disk cannot be written: no room';

type Step = (file: Building) => void;
const sent: Step = (file) => file.done(end);
const applied =
  (entry: number): Step =>
  (file) =>
    file.applied(entry);
const committed: Step = (file) => file.settled();
const full: Step = (file) => file.failed('no room', () => undefined);
/** Another thread opens the file, which has the entries up to this one. */
const opened =
  (entry: number): Step =>
  (file) =>
    file.from(entry);

/** Steps with a file, and what is wrong afterwards. */
const table: [name: string, steps: readonly Step[], trouble: string | undefined][] = [
  ['a new file', [], 'the read model is built from the log: 0 of 8 entries'],
  ['half of the log is read', [applied(4)], 'the read model is built from the log: 4 of 8 entries'],
  ['everything was sent', [sent], undefined],
  ['it was never written', [full], written],
  ['it starts again, and what was sent is not applied', [sent, full, opened(5), sent], written],
  ['what was sent is applied, and not committed', [sent, full, opened(5), sent, applied(end)], written],
  ['a commit succeeds', [sent, full, opened(5), sent, applied(end), committed], undefined],
  ['it starts again, and has everything', [sent, full, opened(end), sent], undefined],
];

for (const [name, steps, trouble] of table)
  test(name, () => {
    const file = createBuilding({ end: () => end, log: () => undefined, isBuilt: false });
    for (const step of steps) step(file);
    file.stop();
    assert.is(file.trouble(), trouble);
  });

test.run();
