/** `schemac log` on healthy, torn and damaged data: its output, its status, and that it leaves everything as it was. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Failure } from '../../language/failure/failure.ts';
import { openEmbeddedStore } from '../../runtime/store/embedded/embedded-store.ts';
import type { ToolResult } from '../kit/tool.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { depositRound } from '../crash/workload.ts';
import { freshFolder } from './fresh-folder.ts';

const folder = freshFolder();
const log = (...words: readonly string[]): Promise<ToolResult> => runToolHere(['log', ...words], { cwd: folder });
/** Nothing of the machine or of chance is in what is compared. */
const said = ({ status, stdout, stderr }: ToolResult): readonly [number | null, readonly string[]] => [
  status,
  `${stdout}${stderr}`.replaceAll(folder, '…').trimEnd().split('\n'),
];

async function fill(directory: string): Promise<void> {
  const store = await openEmbeddedStore({ directory, readModel: 'inline', fsync: false, rolloverBytes: 2000 });
  for (let round = 0; round < 8; round += 1) await depositRound(store, `r-${round}`, 3, () => undefined);
  await store.close();
}

const segment = (directory: string, at: number): string =>
  join(
    folder,
    directory,
    readdirSync(join(folder, directory))
      .filter((name) => name.endsWith('.seg'))
      .sort()
      .at(at) ?? '',
  );

function change(path: string, edit: (bytes: Buffer) => Buffer): void {
  writeFileSync(path, edit(readFileSync(path)));
}
const flip = (at: number) => (bytes: Buffer) => {
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
};

test('an intact log verifies, and exporting, importing and exporting again gives the same bytes', async () => {
  await fill(join(folder, 'data'));
  assert.equal(said(await log('verify')), [
    0,
    [
      '…/data/log-0000000000000001.seg: entries 1 to 15, 2287 bytes',
      '…/data/log-0000000000000016.seg: entries 16 to 24, 1414 bytes',
      'the log is sound',
    ],
  ]);
  assert.is((await log('export', 'first.jsonl')).status, 0);
  assert.equal(said(await log('import', 'first.jsonl', '--data', 'other')), [
    0,
    ['imported 24 entries, 24 events to …/other'],
  ]);
  const owner = await openEmbeddedStore({ directory: join(folder, 'other'), readModel: 'inline' });
  assert.is((await log('export', 'second.jsonl', '--data', 'other')).status, 0, 'beside the owner, too');
  await owner.close();
  assert.equal(readFileSync(join(folder, 'second.jsonl')), readFileSync(join(folder, 'first.jsonl')));
  assert.is((await log('dump')).stdout, (await log('dump', '--data', 'other')).stdout);
});

test('a log shorter than its manifest is damaged, and so is a missing one', async () => {
  cpSync(join(folder, 'data'), join(folder, 'short'), { recursive: true });
  change(segment('short', -1), (bytes) => bytes.subarray(0, -20));
  const problem = (lost: string, entry: number): string =>
    `the log in …/short has lost its end: log-0000000000000016.seg is ${lost} to 24 are gone. Restore the log, or start with --accept-loss ${entry} to go on without them`;
  const cut = problem('shorter than it was; entries 22', 22);
  const segments = [
    '…/short/log-0000000000000001.seg: entries 1 to 15, 2287 bytes',
    '…/short/log-0000000000000016.seg: entries 16 to 21, 964 bytes',
  ];
  assert.equal(said(await log('verify', '--data', 'short')), [1, [...segments, cut, 'the log is damaged']]);
  rmSync(segment('short', -1));
  const gone = problem('missing or emptied; entries 16', 16);
  assert.equal(said(await log('verify', '--data', 'short')), [1, [segments[0], gone, 'the log is damaged']]);
  assert.equal(said(await log('export', 'short.jsonl', '--data', 'short')), [3, [`schemac: ${gone}`]]);
  const dumped = await log('dump', '--data', 'short');
  assert.equal(said({ ...dumped, stdout: '' }), [3, [`schemac: ${gone}`]]);
  assert.is(dumped.stdout, (await log('dump')).stdout.split('\n').slice(0, 15).join('\n') + '\n');
  rmSync(segment('short', 0));
  assert.equal(said(await log('import', 'first.jsonl', '--data', 'short')), [
    1,
    ['schemac: line 1 of the export: the store to import into is not empty: log.manifest is of a log that is gone'],
  ]);
});

test('a torn tail is reported, left unchanged, and is no damage', async () => {
  cpSync(join(folder, 'data'), join(folder, 'torn'), { recursive: true });
  rmSync(join(folder, 'torn', 'log.manifest'));
  change(segment('torn', -1), (bytes) => bytes.subarray(0, -20));
  const before = readFileSync(segment('torn', -1));
  const [status, lines] = said(await log('verify', '--data', 'torn'));
  assert.is(status, 0);
  assert.equal(lines.slice(1), [
    '…/torn/log-0000000000000016.seg: entries 16 to 21, 964 bytes',
    '…/torn/log-0000000000000016.seg, byte 964: torn tail, cut at the next start (the file ends inside a frame)',
    'the log is sound',
  ]);
  assert.is((await log('dump', '--data', 'torn')).stdout.trim().split('\n').length, 21);
  assert.equal(readFileSync(segment('torn', -1)), before);
});

test('a damaged log is reported with file and byte, dumped up to the damage, and not exported', async () => {
  cpSync(join(folder, 'data'), join(folder, 'bad'), { recursive: true });
  change(segment('bad', 0), flip(900));
  const before = readFileSync(segment('bad', 0));
  const problem =
    'the log is damaged at …/bad/log-0000000000000001.seg, byte 505: a frame body whose checksum does not hold, and another segment follows';
  const good = '…/bad/log-0000000000000001.seg: entries 1 to 3, 505 bytes';
  assert.equal(said(await log('verify', '--data', 'bad')), [1, [good, problem, 'the log is damaged']]);
  const dumped = await log('dump', '--data', 'bad');
  assert.equal(said({ ...dumped, stdout: '' }), [3, [`schemac: ${problem}`]]);
  assert.is(dumped.stdout, (await log('dump')).stdout.split('\n').slice(0, 3).join('\n') + '\n');
  assert.equal(said(await log('export', 'bad.jsonl', '--data', 'bad')), [3, [`schemac: ${problem}`]]);
  assert.is(existsSync(join(folder, 'bad.jsonl')), false);
  assert.equal(readFileSync(segment('bad', 0)), before);
});

test('a cut or changed export is refused with the line number', async () => {
  copyFileSync(join(folder, 'first.jsonl'), join(folder, 'cut.jsonl'));
  change(join(folder, 'cut.jsonl'), (bytes) => bytes.subarray(0, bytes.lastIndexOf(10, bytes.length - 2) + 1));
  assert.equal(said(await log('import', 'cut.jsonl', '--data', 'from-cut')), [
    1,
    ['schemac: line 25 of the export: the end is missing'],
  ]);
  assert.match((await log('import', 'first.jsonl', '--data', 'data')).stderr, /is not empty/);
});

test('something else in place of a segment is refused at once, by every reader', async () => {
  const places: readonly (readonly [what: string, make: (path: string) => void])[] = [
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a folder', (path) => mkdirSync(path)],
  ];
  for (const [what, make] of places)
    for (const at of [0, -1]) {
      const directory = `${what}${at}`.replace(' ', '-');
      await fill(join(folder, directory));
      const place = segment(directory, at);
      rmSync(place);
      make(place);
      const refused = `the data directory …/${directory} cannot be used: ${basename(place)} is not a regular file`;
      const verified = await log('verify', '--data', directory);
      assert.equal([verified.status, said(verified)[1].slice(-2)], [1, [refused, 'the log is damaged']]);
      for (const words of [['dump'], ['export', `${directory}.jsonl`]]) {
        const { status, stderr } = await log(...words, '--data', directory);
        assert.equal([status, stderr.replaceAll(folder, '…')], [3, `schemac: ${refused}\n`]);
      }
      const opened = openEmbeddedStore({ directory: join(folder, directory), readModel: 'inline', fsync: false });
      const error = await opened.then(
        () => 'opened',
        (error: unknown) => (error as Failure).message.replaceAll(folder, '…'),
      );
      assert.is(error, refused);
    }
});

test('an event that cannot be read is named, refused by an import and by commands on its stream, and leaves all other reads and streams as they are', async () => {
  const schema = `CREATE AGGREGATE Shop;
CREATE COMMAND Sell (shop STRING, at TIMESTAMP, amount INT);
CREATE EVENT Sold (at TIMESTAMP, amount INT);
CREATE DECISION SellIt FOR Shop ON COMMAND Sell
STATE AS SELECT COALESCE(SUM(data.amount), 0) AS total, MAX(data.at) AS last FROM Reg."Shop$Events" WHERE stream_id = :shop
EMIT AS SELECT EVENT Sold (at := :at, amount := :amount) WHERE total < 100;
CREATE PROJECTION Sums AS SELECT stream_id, SUM(data.amount) AS total, MAX(data.at) AS last FROM Reg."Shop$Events" GROUP BY stream_id ORDER BY stream_id;
EXECUTE Sell(shop := 'a', at := '2026-01-01', amount := 1);
EXECUTE Sell(shop := 'b', at := '2026-01-02', amount := 2);
`;
  const run = (text: string): Promise<ToolResult> => {
    writeFileSync(join(folder, 'asked.schema'), text);
    return runToolHere(['run', 'asked.schema', '--data', 'unread', '--json'], { cwd: folder });
  };
  assert.is((await run(schema)).status, 0);
  const store = await openEmbeddedStore({ directory: join(folder, 'unread'), readModel: 'inline', fsync: false });
  await store.turns.exclusively((turn) => {
    const position = turn.nextPosition();
    const data = '{"at":"0000-12-31T23:59:12.000000Z","amount":4}';
    const event = {
      position,
      id: 'planted',
      type: 'Sold',
      version: 1,
      streamType: 'Shop',
      streamId: 'a',
      seq: 2,
      data,
    };
    const at = 1_900_000_000_000_000n;
    turn.append({ kind: 'command', command: 'Sell', streamType: 'Shop', streamId: 'a', events: [event] }, at);
  });
  await store.close();
  const named = "event 3 (Sold, Shop a, seq 2): 'at' is stored as no value of the type, and read as NULL";
  const verified = said(await log('verify', '--data', 'unread'));
  const verdict = 'the log is intact, and has values that cannot be read';
  assert.equal([verified[0], verified[1].slice(-2)], [1, [named, verdict]]);
  assert.is((await log('export', 'unread.jsonl', '--data', 'unread')).status, 0);
  const imported = await log('import', 'unread.jsonl', '--data', 'imported');
  assert.equal(said(imported), [1, [`schemac: nothing is imported: ${named}`]]);
  assert.is(existsSync(join(folder, 'imported', 'log.manifest')), false);
  const archived = await log('export', '--out', 'archive', '--format', 'csv', '--data', 'unread');
  assert.equal(said(archived), [0, [named, '3 events written to …/archive, up to position 3']]);
  // Twice: from the log, and from the image that the first run left.
  for (const total of [10, 18]) {
    const asked = await run(`EXECUTE Sell(shop := 'b', at := '2026-01-03', amount := 8);
SELECT * FROM Reg."Sums";
`);
    assert.is(asked.status, 0, asked.stderr);
    assert.match(asked.stdout, new RegExp(`"a"[^{]*5[^}]*2026-01-01[^]*"b"[^{]*${total}`));
    for (const refused of [
      "EXECUTE Sell(shop := 'a', at := '2026-01-03', amount := 8);",
      "CREATE TABLE t (shop, at, amount) AS SELECT 'a', NOW(), 8; INSPECT DECISION SellIt FROM t INTO seen;",
    ]) {
      const { status, stdout, stderr } = await run(refused);
      const why = `the stream takes no command, since a value of it cannot be read: ${named}`;
      assert.equal([status, `${stdout}${stderr}`.includes(why)], [1, true], stdout + stderr);
    }
  }
});

test.run();
