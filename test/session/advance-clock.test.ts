/** A clock that a script moves belongs to a session in memory: on a data directory it would date what is kept. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runToolHere } from '../kit/tool-here.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';

test('ADVANCE CLOCK is refused on a data directory', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'a.schema': 'CREATE AGGREGATE A;', 'a.sql': 'ADVANCE CLOCK 1 DAY;' });
    const run = async (...more: string[]) => {
      const { status, stderr } = await runToolHere(['run', 'a.sql', '--schema', 'a.schema', ...more], { cwd: folder });
      return [status, stderr];
    };
    assert.equal(await run(), [0, '']);
    const [status, said] = await run('--data', 'd');
    assert.equal(
      [status, String(said).split('\n')[0]],
      [
        1,
        'a.sql:1:1 error[R0603]: ADVANCE CLOCK moves the clock of a session in memory; other stores follow the clock of the system',
      ],
    );
  }));

test.run();
