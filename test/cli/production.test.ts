/** `diff` and `verify` over a store: consequences of files for stored events. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { startSample } from '../http/sample-server.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';

const schema = (
  event: string,
  sum: string,
  value: string,
): string => `CREATE AGGREGATE Tank (id STRING KEY, total BIGINT AS SUM(data.${sum}));
CREATE COMMAND Fill (id STRING, litres INT);
CREATE EVENT Filled (${event};
CREATE DECISION FillIt FOR Tank ON COMMAND Fill EMIT AS SELECT EVENT Filled (${value});
CREATE PROJECTION Totals AS SELECT stream_id AS id, SUM(data.${sum}) AS total FROM Reg."Tank$Events" GROUP BY stream_id;
`;
const files = {
  'old/tank.schema': schema('litres INT, size STRING)', 'litres', "litres := :litres, size := 'M'"),
  'retyped/tank.schema': schema('litres INT, size INT)', 'litres', 'litres := :litres, size := 1'),
  'read/tank.schema': schema(
    'ml BIGINT, size STRING) UPCAST FROM (litres INT, size STRING) AS (ml := litres * 1000)',
    'ml',
    'ml := :litres * 1000',
  ),
  'failing/tank.schema': schema(
    'litres INT, size INT) UPCAST FROM (litres INT, size STRING) AS (size := CAST(size AS INT))',
    'litres',
    'litres := :litres, size := 1',
  ),
  'fill.schema':
    "EXECUTE Fill(id := 'a', litres := 2); EXECUTE Fill(id := 'a', litres := 3); EXECUTE Fill(id := 'b', litres := 0);",
};

type Compared = {
  readonly breaks: boolean;
  readonly differences: readonly { readonly code: string; readonly message: string; readonly allowed?: true }[];
};

async function withStore(
  work: (run: (...words: string[]) => ReturnType<typeof runToolHere>) => Promise<void>,
): Promise<void> {
  await withTempFolder(async (cwd) => {
    writeFiles(cwd, files);
    const run = (...words: string[]): ReturnType<typeof runToolHere> => runToolHere(words, { cwd });
    const { status, stderr } = await run('run', '--schema', 'old', '--data', 'data', 'fill.schema');
    assert.equal([status, stderr], [0, '']);
    await work(run);
  });
}

test('files and stored events: no way, a way, a clause that fails, the registry of earlier', () =>
  withStore(async (run) => {
    const diff = async (...words: string[]): Promise<readonly [number, Compared]> => {
      const { status, stdout, stderr } = await run('diff', ...words, '--data', 'data', '--json');
      assert.is(stderr, '');
      return [status ?? -1, JSON.parse(stdout) as Compared];
    };
    const messages = ({ differences }: Compared, code: string): readonly string[] =>
      differences.filter((one) => one.code === code).map(({ message }) => message);
    const [refused, retyped] = await diff('log', 'retyped');
    assert.equal(
      [refused, retyped.breaks, messages(retyped, 'stored-events')],
      [
        1,
        true,
        [
          "event 'Filled' has stored events in which 'size' is STRING; it cannot become INT, unless a clause says how version 1 (3 events) reads: UPCAST FROM (litres INT, size STRING) AS (size := /* INT */) (E0417)",
        ],
      ],
    );
    const [, failing] = await diff('log', 'failing');
    assert.equal(messages(failing, 'stored-events'), [
      "stored events cannot be read as 'Filled' by its clause UPCAST FROM (litres INT, size STRING): event 1 (Tank a, seq 1): the text is not a valid INT; event 2 (Tank a, seq 2): the text is not a valid INT; event 3 (Tank b, seq 1): the text is not a valid INT; nothing was changed (R0510)",
    ]);
    const [status, read] = await diff('log', 'read');
    assert.equal(
      [status, messages(read, 'stored-events'), messages(read, 'event-field-removed')],
      [1, [], ["field 'litres' is no longer there for readers; the log keeps its values"]],
    );
    assert.equal(messages(read, 'folds-built-anew'), [
      'its tables and folds may be built again from 3 events, while it goes on serving',
    ]);
    assert.equal(await diff('log@3', 'log'), [0, { breaks: false, differences: [] }]);
    assert.is((await diff('log@0', 'log'))[1].differences.length, 5);
    const [allowed, judged] = await diff('log', 'read', '--allow', 'event-field-removed:Filled');
    assert.equal([allowed, judged.differences.filter(({ allowed: passes }) => passes).length], [0, 1]);
  }));

test('verify reads every event, compares folds with scans, and compares rows', () =>
  withStore(async (run) => {
    const { status, stdout } = await run('verify', 'read', '--data', 'data', '--allow', 'event-field-removed');
    assert.equal(
      [status, stdout.split('\n').slice(-5)],
      [
        0,
        [
          '3 events read under the new definitions',
          'Tank$Agg: 2 rows before, 2 after: 0 added, 0 gone, 1 changed',
          'Totals: 2 rows before, 2 after: 0 added, 0 gone, 1 changed',
          'every fold equals a computation over its events',
          '',
        ],
      ],
    );
    const refused = await run('verify', 'failing', '--data', 'data');
    assert.equal(
      [refused.status, refused.stdout.split('\n').at(-2)],
      [1, 'nothing is read: stored events forbid the change'],
    );
    const same = await run('verify', 'old', '--data', 'data');
    assert.equal(
      [same.status, same.stdout],
      [
        0,
        'no differences\n3 events read under the new definitions\nevery fold equals a computation over its events\nevery relation that exists before and after has the same rows\n',
      ],
    );
  }));

test('diff, verify and rehearse read the store that --eventstore names in the generated folder', () =>
  withTempFolder(async (cwd) => {
    const store = "CREATE EVENTSTORE kept WITH (durable.path = 'kept', envelope.commands = 'all');";
    const box = `CREATE AGGREGATE Box; CREATE COMMAND Put (id STRING, n INT); CREATE EVENT Added (n INT);
      CREATE DECISION PutIn FOR Box ON COMMAND Put EMIT AS SELECT EVENT Added (n := :n) WHERE :n > 0;`;
    writeFiles(cwd, {
      'schema/a.schema': `${store}\n${box}`,
      'next/a.schema': `${store}\n${box.replace(':n > 0', ':n > 1')}`,
      'work.sql': "EXECUTE Put(id := 'a', n := 1);",
    });
    const run = async (...words: readonly string[]): Promise<readonly [status: number | null, said: string]> => {
      const { status, stdout, stderr } = await runToolHere(words, { cwd });
      return [status, status === 2 ? stderr : (stdout.trim().split('\n').at(-1) ?? '')];
    };
    await run('build', 'schema', '-o', 'generated');
    assert.is((await run('run', 'work.sql', '--schema', 'schema', '--data', 'kept', '--json'))[0], 0);
    assert.equal(await run('diff', 'log', 'next', '--eventstore', 'kept'), [
      0,
      '1 difference: 0 breaks, 1 mind, 0 safe',
    ]);
    assert.is((await run('verify', 'next', '--eventstore', 'kept'))[0], 0);
    assert.is((await run('rehearse', 'next', '--eventstore', 'kept'))[0], 1);
    const fewer = box.replace('(id STRING, n INT)', '(id STRING, by STRING)').replace('n := :n', 'n := 1');
    writeFiles(cwd, { 'fewer/a.schema': `${store}\n${fewer.replace(' WHERE :n > 0', '')}` });
    const told = await runToolHere(['diff', 'log', 'fewer', '--data', 'kept'], { cwd });
    assert.equal(
      told.stdout.split('\n').filter((line) => line.startsWith('breaks  command')),
      [
        "breaks  command Put: field 'n' is refused as unknown from callers that send it; 1 of 1 recorded command sent it [command-field-removed]",
        "breaks  command Put: new field 'by' has no DEFAULT and may not be NULL: callers that lack it are refused; 1 of 1 recorded command left it out [command-field-required]",
      ],
    );
  }));

test('diff --url compares with the registry of a running server, now and at a moment', () =>
  withTempFolder(async (cwd) => {
    const server = await startSample({ services: true });
    try {
      const text = await (await fetch(`${server.url}/api/lang/export`)).text();
      await server.post('/api/aggregates/Bike/execute/RegisterBike', { bike_id: 'B-1', model: 'R', price: 1 });
      const two = 'CREATE PROJECTION Two AS SELECT 2 AS two;';
      await server.post('/api/lang/create', { lang: two });
      const open = text.replace('current_model IS NOT NULL', 'current_model IS NULL');
      writeFiles(cwd, { 'next/a.schema': `${open}\n${two}` });
      const diff = async (...words: readonly string[]): Promise<unknown> => {
        const { status, stdout } = await runToolHere(['diff', ...words, '--url', server.url], { cwd });
        return [status, stdout];
      };
      const guard =
        'mind    decision Rent: new guard current_model IS NULL: commands may be rejected that were accepted, or the other way round; schemac rehearse says which [guard-changed]\n';
      assert.equal(await diff('log', 'next'), [0, `${guard}1 difference: 0 breaks, 1 mind, 0 safe\n`]);
      assert.equal(await diff('log@1', 'log'), [
        0,
        'safe    projection Two: new [block-added]\n1 difference: 0 breaks, 0 mind, 1 safe\n',
      ]);
      const both = await runToolHere(['diff', 'log', 'next', '--url', server.url, '--data', '.'], { cwd });
      assert.equal([both.status, /it goes without --data and --eventstore/.test(both.stderr)], [2, true]);
    } finally {
      await server.stop();
    }
  }));

for (const [words, status, told] of [
  [['diff', 'log', 'old', '--url', 'ftp://a'], 2, /--url takes an http or https URL, not 'ftp:\/\/a'/],
  [['diff', 'log', 'old', '--url', 'http://127.0.0.1:9'], 3, /http:\/\/127.0.0.1:9 does not answer/],
  [['diff', 'old'], 2, /missing required argument 'new'/],
  [['diff', 'log', 'old'], 2, /'log' is the registry of a store: name it with --data, --eventstore or --url/],
  [['diff', 'log@x', 'old', '--data', '.'], 2, /log@ takes a position or an ISO 8601 time, not 'x'/],
  [
    ['diff', 'old', 'old', '--allow', 'command-remove'],
    2,
    /there is no code 'command-remove'; did you mean 'command-removed'\?/,
  ],
  [['diff', 'old', 'broken'], 1, /broken does not compile, so it cannot be compared/],
  [['diff', 'log', 'old', '--data', 'gone'], 1, /there is no data directory/],
  [['verify', 'old'], 2, /verify reads a store: name it with --data or --eventstore/],
] as const) {
  test(words.join(' '), () =>
    withTempFolder(async (cwd) => {
      writeFiles(cwd, { 'old/a.schema': 'CREATE EVENT A ();', 'broken/a.schema': 'CREATE EVENT A (a);' });
      const result = await runToolHere(words, { cwd });
      assert.is(result.status, status, result.stderr);
      assert.match(result.stderr, told);
    }),
  );
}

test.run();
