/** `diff` and `verify` over a store: what files mean for what is stored. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
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

for (const [words, status, told] of [
  [['diff', 'old'], 2, /missing required argument 'new'/],
  [['diff', 'log', 'old'], 2, /'log' is the registry of a store: name its directory with --data/],
  [['diff', 'log@x', 'old', '--data', '.'], 2, /log@ takes a position or an ISO 8601 time, not 'x'/],
  [
    ['diff', 'old', 'old', '--allow', 'command-remove'],
    2,
    /there is no code 'command-remove'; did you mean 'command-removed'\?/,
  ],
  [['diff', 'old', 'broken'], 1, /broken does not compile, so it cannot be compared/],
  [['diff', 'log', 'old', '--data', 'gone'], 1, /there is no data directory/],
  [['verify', 'old'], 2, /verify reads a store: name its directory with --data/],
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
