/** `schemac execute --from` (docs/tool.md#many-commands). */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from '../http/sample-server.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runTool, startTool } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { until } from '../kit/until.ts';

const server = await startSample();
test.after(() => server.stop());

const bikes = (first: number, last: number): string =>
  Array.from({ length: last - first + 1 }, (_, at) => `{"bike_id":"B-${first + at}","model":"m","price":1.50}\n`).join(
    '',
  );
const register = ['execute', 'RegisterBike', '--url', server.url];
const seconds = /"seconds":[\d.]+/;

test('rows of a server: a summary, errors by their line, and nothing is sent after the first', async () => {
  await withTempFolder(async (folder) => {
    writeFiles(folder, {
      'good.ndjson': bikes(1, 3),
      'bad.ndjson': `${bikes(3, 4)}\n{"bike_id":"B-5","price":1}\n${bikes(1000, 4000)}`,
      'some.csv': 'bike_id,model,price,limit,code\r\nC-1,"a ""b"", c\nd",2.50,7,\r\nC-2,"",3,,""\r\n',
    });
    const run = async (...words: string[]) => {
      const { status, stdout, stderr } = await runToolHere([...register, ...words], { cwd: folder });
      return [status, stdout.replace(seconds, '"seconds":0'), stderr];
    };
    assert.equal(await run('--from', 'good.ndjson'), [
      0,
      '3 rows: 3 emitted (3 events), 0 rejected, 0 errors; 0 of them replayed\n',
      '',
    ]);
    const [status, stdout, stderr] = await run('--from', 'bad.ndjson', '--json');
    const counts = JSON.parse(String(stdout)) as { rows: number; rejected: number; errors: number };
    assert.equal([status, counts.rejected, counts.errors], [1, 1, 1]);
    assert.ok(counts.rows <= 66, `${counts.rows} rows were sent`);
    const lastLine = counts.rows + 1; // one line is empty
    assert.is(
      stderr,
      `line 4: RegisterBike: argument 'model' is missing; it takes STRING (R0101)
stopped: lines up to ${lastLine} had been sent when the error in line 4 was known; no line after ${lastLine} was
`,
    );
    assert.equal(await run('--from', 'some.csv', '--fail-on-reject'), [
      0,
      '2 rows: 2 emitted (2 events), 0 rejected, 0 errors; 0 of them replayed\n',
      '',
    ]);
    const state = await server.get('/api/aggregates/Bike/events/C-1', { Accept: 'application/json' });
    const [event] = (await state.json()) as readonly { data: unknown }[];
    assert.equal(event?.data, { model: 'a "b", c\nd', price: 2.5, limit: 7, code: null, receipt: null });
    assert.is((await run('--from', 'some.csv', '--fail-on-reject'))[0], 1);
    assert.is((await run('--from', 'bad.ndjson', '--continue'))[0], 1);
    const last = await server.get('/api/aggregates/Bike/B-4000');
    assert.is(last.status, 200);
  });
});

test('what cannot be sent says why', async () => {
  await withTempFolder(async (folder) => {
    writeFiles(folder, { 'x.ndjson': '{"a":1}\n{', 'x.csv': 'a,b\n1\n', 'y.csv': 'a,a\n', 'z.csv': 'a,b\n1,2\r3,4\n' });
    const cases: readonly (readonly [words: readonly string[], status: number, stderr: string])[] = [
      [[...register], 2, 'schemac: name the rows with --from <file>; - is stdin\n'],
      [
        ['execute', 'X', '--from', 'x.ndjson'],
        2,
        'schemac: name a server with --url, or a store that no server owns with --data or --eventstore\n',
      ],
      [
        [...register, '--from', '-', '--key-from', 'line'],
        2,
        'schemac: --key-from line takes a file, whose content is part of the keys\n',
      ],
      [
        ['execute', 'Nothing', '--from', 'x.ndjson', '--url', server.url],
        1,
        "schemac: there is no command 'Nothing'\n",
      ],
      [
        [...register, '--from', 'none.ndjson'],
        1,
        "schemac: the rows cannot be read: ENOENT: no such file or directory, open '…/none.ndjson'\n",
      ],
      [
        [...register, '--from', 'x.csv'],
        1,
        'line 2: it has 1 cells, and the header 2\nstopped: no line after 2 was sent\n',
      ],
      [
        [...register, '--from', 'z.csv'],
        1,
        'schemac: line 2 has a carriage return that neither ends the line nor is in quotes\n',
      ],
      [[...register, '--from', 'y.csv'], 1, "schemac: the header names the column 'a' twice\n"],
      [
        [...register, '--from', 'x.ndjson', '--key-from', 'b'],
        1,
        "line 1: it has no text or number 'b' to take its key from\nstopped: no line after 1 was sent\n",
      ],
    ];
    for (const [words, status, stderr] of cases) {
      const ran = await runToolHere(words, { cwd: folder });
      assert.equal([ran.status, ran.stderr.replaceAll(folder, '…')], [status, stderr]);
    }
  });
});

test('a row that cannot be read is an error in its place', async () => {
  await withTempFolder(async (folder) => {
    const rows = `${bikes(7001, 7002)}nonsense\n\n[1]\n\u00ff\n${bikes(7003, 7003)}`;
    writeFileSync(join(folder, 'x.ndjson'), Buffer.from(rows, 'latin1'));
    const run = async (...words: string[]) => {
      const { status, stdout, stderr } = await runToolHere([...register, '--from', 'x.ndjson', ...words], {
        cwd: folder,
      });
      return [status, stdout, stderr];
    };
    const unread = 'line 3: it is not JSON at character 1: this is no JSON value\n';
    const stopped = 'stopped: no line after 3 was sent\n';
    assert.equal(await run('--key-from', 'line'), [
      1,
      '3 rows: 2 emitted (2 events), 0 rejected, 1 error; 0 of them replayed\n',
      unread + stopped,
    ]);
    assert.equal(await run('--key-from', 'line', '--continue'), [
      1,
      '6 rows: 3 emitted (3 events), 0 rejected, 3 errors; 2 of them replayed\n',
      `${unread}line 5: it is not a JSON object\nline 6: it is not UTF-8 text\n`,
    ]);
  });
});

test('rows behind which the file cannot be read are answered, and the file is what is wrong', async () => {
  await withTempFolder(async (folder) => {
    const model = 'm'.repeat(1000);
    const row = (at: number): string => `Z-${at},${model},1\n`;
    const good = Array.from({ length: 1_000 }, (_, at) => row(at)).join('');
    writeFiles(folder, { 'x.csv': `bike_id,model,price\n${good}"Z"-1,m,1\n` });
    const warnings: string[] = [];
    const onWarning = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', onWarning);
    const { status, stdout, stderr } = await runToolHere([...register, '--from', 'x.csv', '--json'], { cwd: folder });
    process.off('warning', onWarning);
    assert.equal(warnings, []); // such as of too many listeners
    const { rows, errors } = JSON.parse(stdout) as { rows: number; errors: number };
    assert.ok(rows > 0 && rows < 1_000, `${rows} were answered`);
    assert.equal([status, errors, stderr], [1, 0, 'schemac: line 1002 has text behind a quoted cell\n']);
  });
});

test('a server that takes no commands is a fault of the environment', async () => {
  await withTempFolder(async (folder) => {
    writeFiles(folder, { 'x.ndjson': bikes(1, 1) });
    server.switches.refusesWrites = { reason: 'the disk is full', heals: false };
    const { status, stderr } = await runToolHere([...register, '--from', 'x.ndjson', '--key-from', 'line'], {
      cwd: folder,
    }).finally(() => (server.switches.refusesWrites = undefined));
    assert.equal(
      [status, stderr],
      [
        3,
        'schemac: the store is read-only: the disk is full; 0 rows were answered, and run it again with the same keys, and it goes on\n',
      ],
    );
  });
});

test('an import that is killed goes on with the same keys, and nothing is there twice', async () => {
  await withTempFolder(async (folder) => {
    const rows = 6_000;
    writeFiles(folder, {
      'rides.ndjson': Array.from({ length: rows }, (_, at) => `{"bike_id":"B-1","rider":"r-${at}"}\n`).join(''),
    });
    const words = ['execute', 'RentBike', '--url', server.url, '--from', 'rides.ndjson', '--key-from', 'line'];
    const head = async (): Promise<number> => {
      const answer = await server.get('/api/aggregates/Bike/B-1');
      await answer.arrayBuffer();
      return Number(/^"(\d+)/.exec(answer.headers.get('etag') ?? '')?.[1]);
    };
    const before = await head();
    const child = startTool(words, { cwd: folder });
    await until(async () => (await head()) >= before + 200);
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('close', resolve));
    const { status, stdout } = await runToolHere([...words, '--json'], { cwd: folder });
    const counts = JSON.parse(stdout) as Readonly<Record<string, number>>;
    assert.equal([status, counts['rows'], counts['emitted'], counts['errors']], [0, rows, rows, 0]);
    assert.ok((counts['replayed'] ?? 0) >= 200);
    assert.is(await head(), before + rows);
  });
});

test('a store without a server', async () => {
  await withTempFolder(async (folder) => {
    writeFiles(folder, {
      'box.schema': `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING, full BOOLEAN);
CREATE EVENT Added (full BOOLEAN);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (full := :full) WHERE :full;`,
    });
    assert.is((await runToolHere(['run', 'box.schema', '--data', 'data'], { cwd: folder })).status, 0);
    const words = ['execute', 'Put', '--data', 'data', '--from', '-', '--csv', '--key-from', 'box_id'];
    const input = 'box_id,full\n1,true\n2,FALSE\n3,true\n';
    const first = await runTool(words, { cwd: folder, input });
    const again = await runToolHere(words, { cwd: folder, input });
    assert.equal(
      [first.stdout, again.stdout],
      [
        '3 rows: 2 emitted (2 events), 1 rejected, 0 errors; 0 of them replayed\n',
        '3 rows: 2 emitted (2 events), 1 rejected, 0 errors; 3 of them replayed\n',
      ],
    );
  });
});

test('on a store, a key or an expected seq that is none is an error of its row', async () => {
  await withTempFolder(async (folder) => {
    writeFiles(folder, {
      'box.schema': `CREATE AGGREGATE Box;
CREATE COMMAND Put (box_id STRING);
CREATE EVENT Added (box STRING);
CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (box := :box_id);`,
      'rows.ndjson': `{"params":{"box_id":"1"},"idempotency_key":"a b"}
{"params":{"box_id":"1"},"idempotency_key":"Jürgen"}
{"params":{"box_id":"1"},"idempotency_key":7}
{"params":{"box_id":"1"},"expected_seq":"1"}
{"params":{"box_id":"1"},"expected_seq":1}
`,
    });
    assert.is((await runToolHere(['run', 'box.schema', '--data', 'data'], { cwd: folder })).status, 0);
    const words = ['execute', 'Put', '--data', 'data', '--from', 'rows.ndjson', '--continue'];
    const { status, stdout, stderr } = await runToolHere(words, { cwd: folder });
    assert.equal(
      [status, stdout, stderr],
      [
        1,
        '5 rows: 2 emitted (2 events), 0 rejected, 3 errors; 0 of them replayed\n',
        `line 2: idempotency_key takes 1 to 256 printable ASCII characters (H4004)
line 3: idempotency_key takes a text (H4005)
line 4: expected_seq takes a whole number from 0, without quotes (H4005)
`,
      ],
    );
  });
});

test.run();
