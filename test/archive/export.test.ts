/** An archive in every form has the events as relations show them, and DuckDB computes from it exactly what projections show. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { tableFromIPC } from 'apache-arrow';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Manifest } from '../../server/archive/manifest.ts';
import { freshFolder } from '../store/fresh-folder.ts';
import { openDuck } from './duck.ts';
import { appendLater, commands, fillBank, runOn, schema, tool } from './stores.ts';

const folder = freshFolder();
const data = await fillBank(folder);
const run = tool(folder);
const duck = await openDuck();
test.after(() => duck.close());

const manifestOf = (archive: string): Manifest =>
  JSON.parse(readFileSync(join(folder, archive, 'manifest.json'), 'utf8')) as Manifest;
const filesOf = (archive: string): readonly string[] =>
  manifestOf(archive).aggregates.flatMap(({ files }) => files.map(({ path }) => join(folder, archive, path)));
const exported = async (archive: string, ...words: readonly string[]): Promise<string> => {
  const { status, stdout, stderr } = await run('log', 'export', '--out', archive, '--data', 'data', ...words);
  return `${status} ${stdout}${stderr}`.replaceAll(folder, '…').trimEnd();
};

const forms = ['parquet', 'csv', 'jsonl', 'arrow'] as const;

for (const form of forms)
  test(`${form}: an export writes every event, and the archive verifies`, async () => {
    assert.is(
      await exported(form, '--format', form, '--clear'),
      [
        '0 9 events written to …/' + form + ', up to position 9',
        'the archive contains sensitive values in the clear',
      ].join('\n'),
    );
    const { status, stdout } = await run('log', 'verify', '--archive', form, '--data', 'data');
    assert.equal(
      [status, stdout],
      [
        0,
        'Account: 5 events in 2 files, up to position 9\nTill: 4 events in 1 file, up to position 9\nthe archive is sound\n',
      ],
    );
  });

const parquet = `read_parquet('${folder}/parquet/Account/*/*.parquet')`;

test('Parquet has the types of the fields', async () => {
  const { month: _, ...types } = await duck.types(`SELECT * FROM ${parquet}`);
  assert.equal(types, {
    event_id: 'VARCHAR',
    stream_type: 'VARCHAR',
    stream_id: 'VARCHAR',
    seq: 'BIGINT',
    event_type: 'VARCHAR',
    occurred_at: 'TIMESTAMP WITH TIME ZONE',
    global_position: 'BIGINT',
    event_version: 'INTEGER',
    stored_type: 'VARCHAR',
    tags: 'VARCHAR[]',
    command_id: 'VARCHAR',
    correlation_id: 'VARCHAR',
    causation_id: 'VARCHAR',
    amount: 'DECIMAL(14,3)',
    units: 'DECIMAL(23,4)',
    owner: 'VARCHAR',
    email: 'VARCHAR',
    pin: 'INTEGER',
    whole: 'BIGINT',
    ratio: 'DOUBLE',
    is_new: 'BOOLEAN',
    at: 'TIMESTAMP WITH TIME ZONE',
    day: 'DATE',
    code: 'VARCHAR',
    more: 'VARCHAR',
    data_data_seq: 'INTEGER',
    data_Month: 'VARCHAR',
    data_seq: 'VARCHAR',
  });
});

test('sums over Parquet are those of projections, exactly, and of a BIGINT that needs more digits than the language has', async () => {
  const [balances, tills] = await runOn(
    data,
    `SELECT account, balance::STRING AS balance, n FROM Reg."Balances" ORDER BY account; SELECT till, n FROM Reg."Tills";`,
  );
  assert.equal(
    await duck.rows(
      `SELECT stream_id, SUM(amount)::VARCHAR, COUNT(*)::INT FROM ${parquet} GROUP BY ALL ORDER BY stream_id`,
    ),
    balances ?? [],
  );
  assert.equal(
    await duck.rows(
      `SELECT stream_id, SUM(n)::INT FROM read_parquet('${folder}/parquet/Till/*/*.parquet') GROUP BY ALL`,
    ),
    tills ?? [],
  );
  assert.equal(await duck.rows(`SELECT SUM(units)::VARCHAR FROM ${parquet}`), [['9223372046854775807.2900']]);
});

test('Parquet has statistics for each row group, by which readers skip', async () => {
  const file = filesOf('parquet')[0] ?? '';
  assert.equal(
    await duck.rows(
      `SELECT path_in_schema, stats_min_value, stats_max_value, stats_null_count::INT, compression FROM parquet_metadata('${file}')
       WHERE path_in_schema IN ('global_position', 'amount', 'day')`,
    ),
    [
      ['global_position', '1', '4', 0, 'SNAPPY'],
      ['amount', '-3.000', '9999999999.990', 0, 'SNAPPY'],
      ['day', '1969-12-31', '2026-03-01', 2, 'SNAPPY'],
    ],
  );
});

test('CSV, lines of JSON and Arrow have the same rows', async () => {
  const digests = forms.map((form) =>
    manifestOf(form).aggregates.map(({ files }) => files.map(({ rows, events }) => [rows, events])),
  );
  for (const digest of digests) assert.equal(digest, digests[0]);
  const names = Object.keys(await duck.types(`SELECT * EXCLUDE (month) FROM ${parquet}`));
  const plain = names.filter((name) => !['occurred_at', 'tags', 'at', 'ratio', 'more'].includes(name));
  const texts = (source: string, columns: readonly string[]): Promise<readonly (readonly unknown[])[]> =>
    duck.rows(
      `SELECT ${columns.map((name) => `"${name}"::VARCHAR`).join(', ')} FROM ${source} ORDER BY global_position::INT`,
    );
  const csv = `read_csv('${folder}/csv/Account/*/*.csv', all_varchar = true, nullstr = '', allow_quoted_nulls = false)`;
  assert.equal(await texts(csv, plain), await texts(parquet, plain));
  const types = await duck.types(`SELECT * EXCLUDE (month) FROM ${parquet}`);
  // DuckDB reads the numbers of JSON through a double.
  const short = plain.filter((name) => name !== 'units');
  const columns = short.map((name) => `"${name}": '${types[name]}'`).join(', ');
  const json = `read_json('${folder}/jsonl/Account/*/*.jsonl', columns = {${columns}})`;
  assert.equal(await texts(json, short), await texts(parquet, short));
  const arrow = filesOf('arrow')
    .filter((path) => path.includes('/Account/'))
    .flatMap((path) => tableFromIPC(readFileSync(path)).toArray() as readonly Record<string, unknown>[]);
  assert.equal(
    arrow.map((row) => [row['global_position'], row['whole'], row['owner'], row['is_new'], row['seq']]),
    (await duck.rows(`SELECT global_position, whole, owner, is_new, seq FROM ${parquet} ORDER BY 1`)).map(
      ([position, whole, owner, isNew, seq]) => [
        BigInt(position as string),
        whole === null ? null : BigInt(whole as string),
        owner,
        isNew,
        BigInt(seq as string),
      ],
    ),
  );
});

test('masked is the default: texts are ****, others NULL, and no value is in any file', async () => {
  assert.is(await exported('masked', '--format', 'parquet'), '0 9 events written to …/masked, up to position 9');
  assert.equal(
    await duck.rows(
      `SELECT DISTINCT email, pin FROM read_parquet('${folder}/masked/Account/*/*.parquet') ORDER BY 1 NULLS LAST`,
    ),
    [
      ['****', null],
      [null, null],
    ],
  );
  for (const path of filesOf('masked')) assert.not.ok(readFileSync(path).includes('ada@example'));
  const masked = manifestOf('masked').aggregates[0]?.columns.flatMap((column) => (column.masked ? [column.name] : []));
  assert.equal(masked, ['email', 'pin']);
});

test('the values that DuckDB reads from a masked archive are those of the relation for a caller without the right to sensitive ones', async () => {
  const [relation] = await runOn(
    data,
    `SELECT global_position::STRING AS p, stream_id, seq, event_type, occurred_at, tags, command_id, correlation_id,
       data.amount::STRING AS amount, data.owner AS owner, data.email AS email, data.pin AS pin, data.whole::STRING AS whole, data.ratio AS ratio,
       data.is_new AS is_new, data.at AS at, data.day::STRING AS day, data.code AS code, data.more::STRING AS more,
       data.seq AS s, data.month AS m, data.data_seq AS d
     FROM Reg."Account$Events" ORDER BY global_position;`,
  );
  const archived = await duck.rows(
    `SELECT global_position::VARCHAR, stream_id, seq::INT, event_type, strftime(occurred_at, '%Y-%m-%dT%H:%M:%S.%fZ'), tags, command_id, correlation_id,
       amount::VARCHAR, owner, email, pin, whole::VARCHAR, ratio, is_new, strftime("at", '%Y-%m-%dT%H:%M:%S.%fZ'), day::VARCHAR, code, more,
       data_data_seq, data_Month, data_seq FROM read_parquet('${folder}/masked/Account/*/*.parquet') ORDER BY global_position`,
  );
  assert.equal(archived, relation);
});

test('the next run adds what is new, and a run without news changes nothing', async () => {
  const before = filesOf('masked').map((path) => readFileSync(path, 'base64'));
  await runOn(data, "EXECUTE PayIn(account_id := 'C', amount := 1);");
  assert.is(await exported('masked', '--format', 'parquet'), '0 1 event written to …/masked, up to position 10');
  assert.is(await exported('masked', '--format', 'parquet'), '0 0 events written to …/masked, up to position 10');
  const after = filesOf('masked');
  assert.is(after.length, 4);
  assert.equal(
    before,
    after.filter((path) => !path.endsWith('events-10-10.parquet')).map((path) => readFileSync(path, 'base64')),
  );
  assert.is((await run('log', 'verify', '--archive', 'masked', '--data', 'data')).status, 0);
});

test('a changed definition rewrites the files of its aggregate, so that a plain glob has one schema', async () => {
  const marked = schema.replace('owner STRING TAG, email', 'owner STRING SENSITIVE, note STRING, email');
  await runOn(data, marked.replaceAll('CREATE ', 'CREATE OR REPLACE '));
  assert.is(
    await exported('masked', '--format', 'parquet'),
    '0 Account is rewritten: its columns have changed\n6 events written to …/masked, up to position 10',
  );
  assert.equal(
    await duck.rows(
      `SELECT DISTINCT owner, note, COUNT(*)::INT FROM read_parquet('${folder}/masked/Account/*/*.parquet') GROUP BY ALL ORDER BY 1 NULLS LAST`,
    ),
    [
      ['****', null, 4],
      [null, null, 2],
    ],
  );
  const { stdout } = await run('log', 'verify', '--archive', 'parquet', '--data', 'data');
  assert.equal(stdout.split('\n'), [
    'Account: the registry reads its events differently by now, so only their number is compared; the next export rewrites its files',
    'Account: 5 events in 2 files, up to position 9',
    'Till: 4 events in 1 file, up to position 9',
    'the archive is sound',
    '',
  ]);
});

test('only some aggregates, only from a position or a time on', async () => {
  assert.is(
    await exported('tills', '--format', 'csv', '--aggregate', 'till'),
    '0 4 events written to …/tills, up to position 10',
  );
  assert.equal(readdirSync(join(folder, 'tills')).sort(), ['Till', 'manifest.json']);
  assert.is(
    await exported('tills', '--format', 'csv'),
    '0 10 events written to …/tills, up to position 10'.replace('10 events', '6 events'),
  );
  assert.is(
    await exported('late', '--format', 'csv', '--since', '8'),
    '0 2 events written to …/late, up to position 10',
  );
  assert.is(
    await exported('sheets', '--format', 'csv=safe', '--since', '8'),
    '0 2 events written to …/sheets, up to position 10',
  );
  assert.is((await run('log', 'verify', '--archive', 'sheets', '--data', 'data')).status, 0);
  const soon = new Date(Date.now() + 10 * 86_400_000).toISOString();
  assert.is(
    await exported('later', '--format', 'csv', '--since', soon),
    '0 2 events written to …/later, up to position 10',
  );
  assert.is((await run('log', 'verify', '--archive', 'later', '--data', 'data')).status, 0);
});

test('what cannot be done is refused with one sentence, and leaves the archive as it is', async () => {
  await runOn(join(folder, 'other'), schema + commands);
  const archive = '1 schemac: the archive in …/masked';
  for (const [words, message] of [
    [['x.jsonl', '--format', 'csv'], "2 schemac: an archive is a folder, which --out names; leave 'x.jsonl' out"],
    [['--format', 'xml', '--out', 'a'], "2 schemac: --format is parquet, csv, csv=safe, jsonl, arrow, not 'xml'"],
    [['--format', 'csv'], '2 schemac: an archive is a folder: name it with --out'],
    [['x.jsonl', '--clear'], '2 schemac: --clear is for an archive: add --format'],
    [[], '2 schemac: name the file to write, or with --format and --out an archive'],
    [
      ['--format', 'csv', '--out', 'a', '--since', 'noon'],
      "2 schemac: --since takes a position or an ISO 8601 time, not 'noon'",
    ],
    [
      ['--format', 'csv', '--out', 'a', '--aggregate', 'Bike'],
      "1 schemac: the registry has no aggregate 'Bike'; it has Account, Till",
    ],
    [
      ['--format', 'csv', '--out', 'data'],
      "1 schemac: …/data is no archive, but has 'log-0000000000000001.seg'; name a new or empty folder, or one that an export wrote",
    ],
    [
      ['--format', 'csv', '--out', 'masked'],
      `${archive} has files in parquet; go on with --format parquet, or export to a new folder`,
    ],
    [
      ['--format', 'parquet', '--out', 'masked', '--clear'],
      `${archive} is masked; go on without --clear, or export to a new folder`,
    ],
    [
      ['--format', 'parquet', '--out', 'masked', '--since', '3'],
      `${archive} has a beginning already, and goes on after position 10; leave --since out`,
    ],
    [
      ['--format', 'parquet', '--out', 'masked', '--data', 'other'],
      `${archive} is of another store; export this one to a new folder`,
    ],
  ] as const) {
    const { status, stdout, stderr } = await run('log', 'export', '--data', 'data', ...words);
    assert.is(`${status} ${stdout}${stderr}`.replaceAll(folder, '…').trimEnd().split('\n')[0], message);
  }
  assert.is((await run('log', 'verify', '--archive', 'masked', '--data', 'data')).status, 0);
});

test('an archive of a history that the log no longer has is refused', async () => {
  const lost = join(folder, 'lost');
  await runOn(lost, schema + commands);
  assert.is((await run('log', 'export', 'copy.jsonl', '--data', 'lost')).status, 0);
  await appendLater(lost, 'A', { amount: '1.00' });
  assert.is((await run('log', 'export', '--format', 'csv', '--out', 'ahead', '--data', 'lost')).status, 0);
  assert.is((await run('log', 'import', 'copy.jsonl', '--data', 'restored')).status, 0);
  const refused = await run('log', 'export', '--format', 'csv', '--out', 'ahead', '--data', 'restored');
  assert.equal(
    [refused.status, refused.stderr.replaceAll(folder, '…')],
    [
      1,
      'schemac: the archive in …/ahead ends with event later-9 at position 9, which the log does not reach: it was made of another history; export to a new folder\n',
    ],
  );
});

test.run();
