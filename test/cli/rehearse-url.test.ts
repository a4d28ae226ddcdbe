/** Rehearsals and recorded commands of a running server: the same report as from its directory. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { serveHere } from '../kit/served-here.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';

const schema = (guard: string, more: string, rate: string): string => `
CREATE EVENTSTORE kept WITH (envelope.commands = 'all', envelope.sensitive_arguments = true);
CREATE AGGREGATE Loan (loan_id STRING KEY, lent BIGINT DEFAULT 0 AS SUM(data.amount));
CREATE COMMAND Lend (loan_id STRING, amount BIGINT, pin STRING SENSITIVE NULL);
CREATE EVENT Lent (amount BIGINT, rate INT, draw DOUBLE);
CREATE DECISION LendIt FOR Loan ON COMMAND Lend
STATE AS SELECT lent FROM Reg."Loan$Agg" WHERE loan_id = :loan_id
EMIT AS SELECT EVENT Lent (amount := :amount, rate := ${rate}, draw := random()) WHERE ${guard};
CREATE PROJECTION Rates AS SELECT data.rate AS rate, COUNT(*) AS n FROM Reg."Loan$Events" ${more}GROUP BY data.rate;
`;
const amounts = ['1', '20', '300', '9007199254740993', '20'];

test('a server rehearses as its directory does, and decides recorded commands again', () =>
  withTempFolder(async (cwd) => {
    const run = (...words: readonly string[]): ReturnType<typeof runToolHere> => runToolHere(words, { cwd });
    writeFiles(cwd, {
      'old/a.schema': schema(':amount < 200 OR lent > 1', '', 'CASE WHEN :amount > 10 THEN 5 ELSE 4 END'),
      'new/a.schema': `${schema(':amount < 25 AND lent < 41', 'WHERE data.amount < 1000 ', '4')}
        CREATE EVENT Noted (text STRING);`,
      'work.sql': amounts.map((amount) => `EXECUTE Lend(loan_id := 'L', amount := ${amount});`).join('\n'),
    });
    assert.is((await run('build', 'old', '--out', 'generated')).status, 0);
    assert.is((await run('run', 'work.sql', '--schema', 'old', '--data', 'data')).status, 0);
    const server = await serveHere(['generated', '--data', 'data', '--enable-inspect'], { cwd });
    try {
      assert.match(server.said(), /SENSITIVE arguments of commands are kept in the log/);
      const rehearse = (...words: readonly string[]): ReturnType<typeof runToolHere> => run('rehearse', ...words);
      for (const options of [['--json'], [], ['--decision', 'LendIt', '--since', '2', '--json']]) {
        const here = await rehearse('new', '--data', 'data', ...options);
        const there = await rehearse('new', '--url', server.url, ...options);
        assert.equal([there.status, there.stdout, there.stderr], [1, here.stdout, here.stderr]);
      }
      const report = JSON.parse((await rehearse('new', '--url', server.url, '--json')).stdout) as {
        readonly differences: readonly { readonly kind: string; readonly terms?: unknown }[];
        readonly projections: unknown;
      };
      assert.equal(
        report.differences.map(({ kind, terms }) => [kind, terms]),
        [
          ['other_events', undefined],
          ['now_rejected', guards(':amount < 25', { ':amount': 300 }, 'lent < 41', { lent: 21 })],
          ['now_rejected', undefined],
          ['now_rejected', undefined],
        ].map(([kind, terms], at) => [kind, at === 1 ? terms : report.differences[at]?.terms]),
      );
      assert.equal(report.projections, [
        {
          name: 'Rates',
          added: 0,
          gone: 0,
          changed: 1,
          examples: { added: [], gone: [], changed: [{ was: { rate: 5, n: 4 }, is: { rate: 5, n: 3 } }] },
        },
      ]);
      const same = await rehearse('old', '--url', server.url);
      assert.equal([same.status, same.stdout.split('\n')[1]], [0, 'LendIt: 5 same']);
      const unknown = await rehearse('old', '--url', server.url, '--decision', 'No');
      assert.equal([unknown.status, /there is no decision 'No'/.test(unknown.stderr)], [2, true], unknown.stderr);

      const inspect = async (body: object): Promise<readonly Record<string, unknown>[]> => {
        const headers = { 'Content-Type': 'application/json', Accept: 'application/json' };
        const sent = { method: 'POST', headers, body: JSON.stringify(body) };
        return (await (await fetch(`${server.url}/api/inspect`, sent)).json()) as readonly Record<string, unknown>[];
      };
      const shown = async (body: object): Promise<unknown> =>
        (await inspect({ decision: 'LendIt', as_of: 'each', ...body })).map(({ event_type, seq }) => [event_type, seq]);
      assert.equal(
        await shown({}),
        [1, 2, 3, 4, 5].map((seq) => ['Lent', seq]),
      );
      assert.equal(
        await shown({ since: 1, limit: 2 }),
        [2, 3].map((seq) => ['Lent', seq]),
      );
      assert.equal(await shown({ where: { outcome: 'emitted', entry: { in: [3, '5'] }, subject: { null: true } } }), [
        ['Lent', 2],
        ['Lent', 4],
      ]);
      assert.equal(await shown({ where: { at: { lt: '2000-01-01' } } }), []);
      const wrong = { decision: 'LendIt', as_of: 'each', where: { outcom: 'emitted' } };
      assert.match(
        String(((await inspect(wrong)) as unknown as { error: unknown }).error),
        /^'where': there is no parameter 'outcom'/,
      );
      const text = `CREATE DECISION LendIt FOR Loan ON COMMAND Lend EMIT AS SELECT EVENT Lent (amount := 1) WHERE :amount < 25;`;
      assert.equal(await shown({ schema: text, since: 1 }), [
        ['Lent', 2],
        ['__REJECTED__', null],
        ['__REJECTED__', null],
        ['Lent', 5],
      ]);
    } finally {
      assert.is(await server.stop(), 0);
    }
    const off = await serveHere(['generated', '--data', 'data'], { cwd });
    const refused = await run('rehearse', 'new', '--url', off.url);
    await off.stop();
    assert.equal([refused.status, /it needs --enable-inspect/.test(refused.stderr)], [3, true], refused.stderr);
  }));

function guards(first: string, a: object, second: string, b: object): unknown {
  const term = (text: string, value: boolean, operands: object): object => ({ term: text, value, operands });
  return [{ branch: null, guard: `${first} AND ${second}`, terms: [term(first, false, a), term(second, true, b)] }];
}

test.run();
