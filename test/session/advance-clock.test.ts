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

test('DESCRIBE of a reaction counts what waits', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, {
      'a.schema': `CREATE AGGREGATE A; CREATE COMMAND Go (id STRING); CREATE COMMAND Stop (id STRING); CREATE EVENT Went (); CREATE EVENT Stopped ();
        CREATE DECISION Going FOR A ON COMMAND Go EMIT AS SELECT EVENT Went ();
        CREATE DECISION Stopping FOR A ON COMMAND Stop EMIT AS SELECT EVENT Stopped ();
        CREATE REACTION StopIt ON EVENT Went EXECUTE Stop (id := :stream_id) AFTER 1 HOUR;`,
      'a.sql': `EXECUTE Go(id := 'a'); EXECUTE Go(id := 'b'); DESCRIBE REACTION StopIt; ADVANCE CLOCK 2 HOURS; DESCRIBE REACTION StopIt;`,
    });
    const { stdout } = await runToolHere(['run', 'a.sql', '--schema', 'a.schema', '--json'], { cwd: folder });
    const described = stdout.split('\n').filter((line) => line.includes('"describe"'));
    const counts = described.map((line) =>
      (JSON.parse(line) as { rows: [string, string][] }).rows.filter(([property]) =>
        ['state', 'ready', 'waiting', 'parked', 'next due'].includes(property),
      ),
    );
    const standing = (waiting: string, due: boolean): unknown => [
      ['state', 'running'],
      ['ready', '0'],
      ['waiting', waiting],
      ...(due ? ['next due'] : []),
      ['parked', '0'],
    ];
    assert.equal(
      counts.map((rows) => rows.map((row) => (row[0] === 'next due' ? row[0] : row))),
      [standing('2', true), standing('0', false)],
    );
  }));

test.run();
