import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { TextDocument } from 'vscode-languageserver-textdocument';
import {
  CodeActionRequest,
  type CodeAction,
  type CodeActionContext,
  type TextDocumentEdit,
} from 'vscode-languageserver-protocol/node';
import { uriOfPath } from '../../cli/lsp/file-uri.ts';
import { realPathOf } from '../../cli/lsp/project-files.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { openClient, type Client } from './client.ts';

let client: Client;
test.before(async () => {
  client = await openClient();
});
test.after(async () => {
  assert.is(await client.stop(), 0);
  assert.is(client.said(), '');
});

async function actionsAt(
  uri: string,
  offset: number,
  only?: CodeActionContext['only'],
): Promise<readonly CodeAction[]> {
  const position = client.positionOf(uri, offset);
  const found = await client.connection.sendRequest(CodeActionRequest.type, {
    textDocument: { uri },
    range: { start: position, end: position },
    context: { diagnostics: [], ...(only === undefined ? {} : { only }) },
  });
  return (found ?? []) as CodeAction[];
}

/** The text after the action, and what an error then still says of it. */
async function applied(
  marked: string,
  title: string,
): Promise<readonly [text: string | undefined, errors: readonly string[]]> {
  const uri = 'untitled:actions';
  const text = marked.replace('|', '');
  client.open(uri, text);
  const actions = await actionsAt(uri, marked.indexOf('|'));
  const action = actions.find((each) => each.title === title);
  const edits = action?.edit?.changes?.[uri];
  const changed =
    edits === undefined ? undefined : TextDocument.applyEdits(TextDocument.create(uri, 'schemac', 1, text), edits);
  if (changed !== undefined) client.edit(uri, 0, text.length, changed);
  const left = (await client.settled(uri))
    .filter(({ severity }) => severity === 1)
    .map(({ message }) => (typeof message === 'string' ? message : message.value));
  client.close(uri);
  return [changed ?? `no such action among: ${actions.map((each) => each.title).join(', ')}`, left];
}

const a = 'CREATE AGGREGATE A;\n';
const c = 'CREATE COMMAND C (id STRING, n INT);\n';
const e = 'CREATE EVENT E (n INT);\n';
const d = 'CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (n := :n);';

/** Each leaves a text without errors. */
const cases: readonly (readonly [marked: string, title: string, expected: string])[] = [
  // Missing blocks.
  [
    `${a}${e}${d.replace('C EMIT', '|C EMIT')}`,
    "create command 'C'",
    `${a}${e}CREATE COMMAND C (id STRING, n INT);\n${d}`,
  ],
  [
    `${a}${e}CREATE DECISION D FOR A ON COMMAND |C STATE AS SELECT COUNT(*) AS s FROM Reg."A$Events" WHERE stream_id = :id EMIT AS SELECT EVENT E (n := :n);`,
    "create command 'C'",
    `${a}${e}CREATE COMMAND C (id STRING, n INT);\nCREATE DECISION D FOR A ON COMMAND C STATE AS SELECT COUNT(*) AS s FROM Reg."A$Events" WHERE stream_id = :id EMIT AS SELECT EVENT E (n := :n);`,
  ],
  [
    `${a}CREATE EVENT E ();\nCREATE DECISION D FOR A ON COMMAND |C EMIT AS SELECT EVENT E ();`,
    "create command 'C'",
    `${a}CREATE EVENT E ();\nCREATE COMMAND C (id STRING);\nCREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E ();`,
  ],
  [`${a}${c}${d.replace('EVENT E', 'EVENT |E')}`, "create event 'E'", `${a}${c}${e}${d}`],
  [
    `${a}${c}CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT |E (a := 1, b := 1.50, c := TRUE, d := 'x', e := NOW(), f := CAST('1' AS BIGINT), "g" := DATE '2026-01-01');`,
    "create event 'E'",
    `${a}${c}CREATE EVENT E (a INT, b DECIMAL(18,2), c BOOLEAN, d STRING, e TIMESTAMP, f BIGINT, g DATE);\nCREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (a := 1, b := 1.50, c := TRUE, d := 'x', e := NOW(), f := CAST('1' AS BIGINT), "g" := DATE '2026-01-01');`,
  ],
  [
    `${a}${c}CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT |E (n := :n) WHERE :n > 0 UNION ALL SELECT EVENT E (m := :n) WHERE :n <= 0;`,
    "create event 'E'",
    `${a}${c}CREATE EVENT E (n INT, m INT);\nCREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (n := :n) WHERE :n > 0 UNION ALL SELECT EVENT E (m := :n) WHERE :n <= 0;`,
  ],
  [`${c}${e}${d.replace('FOR A', 'FOR |A')}`, "create aggregate 'A'", `${c}${e}${a}${d}`],
  [`${c}\r\n${e}${d.replace('FOR A', 'FOR |A')}`, "create aggregate 'A'", `${c}\r\n${e}CREATE AGGREGATE A;\r\n${d}`],
  [
    `${a}${c}${e}CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E () TO |B(:id);`,
    "create aggregate 'B'",
    `${a}${c}${e}CREATE AGGREGATE B;\nCREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E () TO B(:id);`,
  ],
  // Missing fields.
  [
    `${a}${c}${e}${d.replace('n := :n', 'n := :n, |m := :n')}`,
    "add field 'm' to event 'E'",
    `${a}${c}CREATE EVENT E (n INT, m INT);\n${d.replace('n := :n', 'n := :n, m := :n')}`,
  ],
  [`${a}${c}CREATE EVENT E ();\n${d.replace('(n', '(|n')}`, "add field 'n' to event 'E'", `${a}${c}${e}${d}`],
  [
    `${a}${c}CREATE EVENT E (\n  a INT,\n  b INT\n);\n${d.replace('(n', '(|n')}`,
    "add field 'n' to event 'E'",
    `${a}${c}CREATE EVENT E (\n  a INT,\n  b INT,\n  n INT\n);\n${d}`,
  ],
  [
    `${a}CREATE COMMAND C (id STRING);\n${e}${d.replace(':n', ':|n')}`,
    "add field 'n' to command 'C'",
    `${a}${c}${e}${d}`,
  ],
  [
    `${a}${c}CREATE EVENT E (n INT, m INT, "from" STRING);\n${d.replace('EVENT E', 'EVENT |E')}`,
    "assign the other fields of 'E'",
    `${a}${c}CREATE EVENT E (n INT, m INT, "from" STRING);\n${d.replace('n := :n', 'n := :n, m := NULL, from := NULL')}`,
  ],
  [`${a}${c}${e}${d.replace('E (n := :n)', '|E ()')}`, "assign the other fields of 'E'", `${a}${c}${e}${d}`],
  // Blocks without which a new block is not used.
  [
    `${a}CREATE COMMAND |C (id STRING, n INT);\n`,
    "create decision for command 'C'",
    `${a}${c}CREATE EVENT CDone (n INT);
CREATE DECISION DecideC FOR A ON COMMAND C
STATE AS
  SELECT COUNT(*) AS events FROM Reg."A$Events" WHERE stream_id = :id
EMIT AS
  SELECT EVENT CDone (n := :n)
  WHERE events = 0;\n`,
  ],
  [
    `${a}CREATE EVENT |E (id INT)`,
    "create command and decision for event 'E'",
    `${a}CREATE EVENT E (id INT);
CREATE COMMAND MakeE (id2 STRING, id INT);
CREATE DECISION DecideE FOR A ON COMMAND MakeE
STATE AS
  SELECT COUNT(*) AS events FROM Reg."A$Events" WHERE stream_id = :id2
EMIT AS
  SELECT EVENT E (id := :id)
  WHERE events = 0;`,
  ],
  [
    'CREATE AGGREGATE |Tank (tank STRING KEY);\nCREATE EVENT TankCreated ();',
    "create command, event and decision for aggregate 'Tank'",
    `CREATE AGGREGATE Tank (tank STRING KEY);
CREATE COMMAND CreateTank (tank STRING);
CREATE EVENT TankCreated2 ();
CREATE DECISION DecideTank FOR Tank ON COMMAND CreateTank
STATE AS
  SELECT COUNT(*) AS events FROM Reg."Tank$Events" WHERE stream_id = :tank
EMIT AS
  SELECT EVENT TankCreated2 ()
  WHERE events = 0;
CREATE EVENT TankCreated ();`,
  ],
  // New names for what is stored.
  [
    `${a}${c}${e.replace('E (', '|E (')}${d}`,
    "rename to 'E2' and keep reading stored events",
    `${a}${c}CREATE EVENT E2 (n INT)\n  UPCAST FROM EVENT E (n INT) AS ();\n${d.replace('EVENT E', 'EVENT E2')}`,
  ],
  [
    `${a}${c}CREATE EVENT |E (n INT, v STRING VOLATILE) UPCAST FROM (o INT) AS (n := o) UPCAST FROM EVENT F (p INT) AS (n := p);\n${d}`,
    "rename to 'E2' and keep reading stored events",
    `${a}${c}CREATE EVENT E2 (n INT, v STRING VOLATILE) UPCAST FROM EVENT E (o INT) AS (n := o) UPCAST FROM EVENT F (p INT) AS (n := p)\n  UPCAST FROM EVENT E (n INT) AS ();\n${d.replace('EVENT E', 'EVENT E2')}`,
  ],
  [
    `${a}${c}CREATE EVENT E (|n INT, m STRING);\n${d}`,
    "rename to 'n2' and keep reading stored events",
    `${a}${c}CREATE EVENT E (n2 INT, m STRING)\n  UPCAST FROM (n INT, m STRING) AS (n2 := n);\n${d.replace('(n :=', '(n2 :=')}`,
  ],
];
for (const [marked, title, expected] of cases)
  test(`${title} at ${marked.slice(Math.max(0, marked.indexOf('|') - 30), marked.indexOf('|') + 10)}`, async () => {
    assert.equal(await applied(marked, title), [expected, []]);
  });

/** `[…]` is selected. */
const extractions: readonly (readonly [marked: string, expected: string | undefined])[] = [
  [
    `${a}${c}${e}CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (n := [:n * 2 + :n]);`,
    `${a}${c}${e}CREATE FUNCTION extracted (n INT) RETURNS INT AS\n  n * 2 + n;\nCREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (n := extracted(:n));`,
  ],
  [
    `${a}${c}${e}${d}\nCREATE PROJECTION P AS SELECT stream_id, SUM([ data.n % 7 ]) AS s FROM Reg."A$Events" GROUP BY stream_id;`,
    `${a}${c}${e}${d}\nCREATE FUNCTION extracted (n INT) RETURNS INT AS\n  n % 7;\nCREATE PROJECTION P AS SELECT stream_id, SUM( extracted(data.n) ) AS s FROM Reg."A$Events" GROUP BY stream_id;`,
  ],
  [
    `${a}${c}${e}CREATE DECISION D FOR A ON COMMAND C STATE AS SELECT COUNT(*) AS k FROM Reg."A$Events" WHERE stream_id = :id EMIT AS SELECT EVENT E (n := :n) WHERE [k < 3 AND :n > 0];`,
    `${a}${c}${e}CREATE FUNCTION extracted (k BIGINT, n INT) RETURNS BOOLEAN AS\n  k < 3 AND n > 0;\nCREATE DECISION D FOR A ON COMMAND C STATE AS SELECT COUNT(*) AS k FROM Reg."A$Events" WHERE stream_id = :id EMIT AS SELECT EVENT E (n := :n) WHERE extracted(k, :n);`,
  ],
  [`${a}${c}${e}${d.replace(':n)', '[:n])')}`, undefined],
  [`${a}${c}${e}${d}\nCREATE PROJECTION P AS SELECT [SUM(data.n)] AS s FROM Reg."A$Events";`, undefined],
  [`${a}${c}${e}${d}\nCREATE PROJECTION P AS SELECT [(SELECT 1) + 1] AS s;`, undefined],
  [`${a}${c}${e}CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (n := [:n * 2] + :n, m := 1);`, undefined],
  ['SELECT [1 + 1];', undefined],
];
for (const [marked, expected] of extractions)
  test(`extract ${marked.slice(marked.indexOf('['), marked.indexOf(']') + 1)}: ${expected === undefined ? 'no' : 'yes'}`, async () => {
    const uri = 'untitled:extract';
    const text = marked.replace(/[[\]]/g, '');
    client.open(uri, text);
    const [from, to] = [marked.indexOf('['), marked.indexOf(']') - 1];
    const found = (await client.connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri },
      range: { start: client.positionOf(uri, from), end: client.positionOf(uri, to) },
      context: { diagnostics: [], only: ['refactor.extract'] },
    })) as CodeAction[] | null;
    const edits = found?.[0]?.edit?.changes?.[uri];
    const changed =
      edits === undefined ? undefined : TextDocument.applyEdits(TextDocument.create(uri, 'schemac', 1, text), edits);
    assert.is(changed, expected);
    if (changed !== undefined) client.edit(uri, 0, text.length, changed);
    const errors = changed === undefined ? [] : (await client.settled(uri)).filter(({ severity }) => severity === 1);
    assert.equal(errors, []);
    client.close(uri);
  });

const nothing: readonly (readonly [what: string, marked: string])[] = [
  ['a keyword', `${a}${c}${e}CREATE |DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (n := :n);`],
  ['a query', 'SELECT |1;'],
  ['a broken statement', 'CREATE EVENT |E (a'],
  ['a comment', '-- a |comment'],
  ['nothing', '|'],
];
for (const [what, marked] of nothing)
  test(`no action at ${what}`, async () => {
    client.open('untitled:none', marked.replace('|', ''));
    assert.equal(
      (await actionsAt('untitled:none', marked.indexOf('|'))).map(({ title }) => title),
      [],
    );
    client.close('untitled:none');
  });

test('only the kinds that are asked for', async () => {
  const text = `${a}CREATE COMMAND C (id STRIN);\nCREATE EVENT F ();\n`;
  client.open('untitled:kinds', text);
  const kinds = async (at: string, only?: string[]): Promise<readonly (string | undefined)[]> =>
    (await actionsAt('untitled:kinds', text.indexOf(at), only)).map(({ kind }) => kind);
  assert.equal(
    [
      await kinds('STRIN'),
      await kinds('STRIN', ['quickfix']),
      await kinds('STRIN', ['refactor']),
      await kinds('F (', ['source']),
    ],
    [['quickfix'], ['quickfix'], [], []],
  );
  client.close('untitled:kinds');
});

const project = {
  'schemac.config.json': '{ "schema": ["schema"], "tests": ["tests"] }',
  'schema/a.schema': `${a}CREATE COMMAND C (id STRING, n INT, p DECIMAL(9,2), day DATE, at TIMESTAMP, ok BOOLEAN, u UUID, note STRING NULL, k INT DEFAULT 1);\n${e}${d}\n`,
};
const call = `-- D
EXECUTE C(id := '1', n := 1, p := 1, day := DATE '2026-01-01', at := TIMESTAMP '2026-01-01T00:00:00Z', ok := TRUE, u := '00000000-0000-4000-8000-000000000001');
--= ok
`;
for (const [what, before, expected] of [
  ['a new script', undefined, call],
  ['an empty script', '', call],
  ['the end of a script', 'SELECT 1;', `SELECT 1;\n\n${call}`],
] as const)
  test(`a test of a decision goes into ${what}, and passes there`, () =>
    withTempFolder(async (folder) => {
      writeFiles(folder, { ...project, ...(before === undefined ? {} : { 'tests/a.schema': before }) });
      const uri = uriOfPath(realPathOf(join(folder, 'schema/a.schema')));
      client.open(uri, project['schema/a.schema']);
      const actions = await actionsAt(uri, project['schema/a.schema'].indexOf('DECISION'));
      client.close(uri);
      const action = actions.find(({ title }) => title === "add a test of 'D' to tests/a.schema");
      const script = uriOfPath(join(realPathOf(folder), 'tests/a.schema'));
      const edits =
        action?.edit?.changes?.[script] ??
        ((action?.edit?.documentChanges ?? [])[1] as TextDocumentEdit | undefined)?.edits ??
        [];
      const made = TextDocument.applyEdits(TextDocument.create(script, 'schemac', 1, before ?? ''), edits as []);
      assert.is(made, expected, JSON.stringify(actions));
      assert.is((action?.edit?.documentChanges ?? []).length, before === undefined ? 2 : 0);
      client.open(script, made);
      assert.equal(await client.settled(script), []);
      client.close(script);
    }));

test('no test is offered where the configuration names none', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { ...project, 'schemac.config.json': '{ "schema": ["schema"] }' });
    const uri = uriOfPath(realPathOf(join(folder, 'schema/a.schema')));
    client.open(uri, project['schema/a.schema']);
    assert.equal(await actionsAt(uri, project['schema/a.schema'].indexOf('DECISION')), []);
    client.close(uri);
  }));

test.run();
