import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  CompletionItemKind,
  CompletionRequest,
  CompletionResolveRequest,
  type CompletionItem,
  type CompletionList,
} from 'vscode-languageserver-protocol/node';
import { compileFiles, createPartialCompiler } from '../../compiler/index.ts';
import { completionsAt, type Choice } from '../../compiler/editor/completion.ts';
import { knownBlocks } from '../../compiler/editor/known-blocks.ts';
import { uriOfPath } from '../../cli/lsp/file-uri.ts';
import { realPathOf } from '../../cli/lsp/project-files.ts';
import { writeFiles } from '../kit/temp-folder.ts';
import { bank } from './bank.ts';
import { openClient, type Client } from './client.ts';

const { catalog } = compileFiles([{ name: 'bank', text: bank }]);

const kinds = 'AGGREGATE CLAIM COMMAND DECISION ENUM EVENT EVENTSTORE FUNCTION PROJECTION REACTION SUBSCRIPTION';
const types = 'STRING VARCHAR(n) UUID INT BIGINT DECIMAL(p,s) DECIMAL DOUBLE BOOLEAN TIMESTAMP DATE JSON';
const values = 'CASE CAST EXISTS FALSE INTERVAL NOT NULL TRUE';
const operators = 'AND AT BETWEEN ILIKE IN IS LIKE NOT OR';
const statements =
  'ADVANCE APPLY CREATE DESCRIBE DROP EXECUTE EXPLAIN EXPORT INSPECT RESET SELECT SET VALIDATE VALUES WITH';
const afterTable =
  'AS CROSS EXCEPT FULL GROUP HAVING INNER INTERSECT JOIN LEFT LIMIT OFFSET ORDER RIGHT UNION WHERE WINDOW';
const relations = 'Reg."Account$Events" Reg."Account$Agg" Reg.Owners Reg.Totals';
const named = '"Account$Events" "Account$Agg" Owners Totals';
const decision = 'CREATE DECISION D FOR Account ON COMMAND Open';
const state = `${decision} STATE AS SELECT balance, COUNT(*) AS n FROM Reg."Account$Agg" EMIT AS SELECT EVENT Opened ()`;
const eventColumns =
  'event_id stream_type stream_id seq event_type occurred_at data timestamp global_position event_version tags command_id correlation_id causation_id aggregate_id stored_type data.';

/** `|` is the cursor. Functions are shown as `f()`, relations about the registry are left out. */
const cases: readonly (readonly [text: string, expected: string])[] = [
  // Statements and blocks.
  ['|', `aggregate command event decision projection subscription reaction claim enum function template ${statements}`],
  [
    'SELECT 1; |',
    `aggregate command event decision projection subscription reaction claim enum function template ${statements}`,
  ],
  ['CREATE |', `${kinds.replace('PROJECTION', 'OR REPLACE PROJECTION')} TABLE TEMPLATE`],
  ['CREATE DEC|', `${kinds.replace('PROJECTION', 'OR REPLACE PROJECTION')} TABLE TEMPLATE`],
  ['CREATE OR |', 'REPLACE'],
  ['CREATE OR REPLACE |', `${kinds} TABLE TEMPLATE`],
  ['CREATE AGGREGATE |', ''],
  ['CREATE AGGREGATE A |', 'CLEAR VISIBLE'],
  ['CREATE AGGREGATE A VISIBLE |', 'TO WHERE'],
  ['CREATE AGGREGATE A VISIBLE TO |', 'ALL'],
  ['CREATE AGGREGATE A VISIBLE TO ALL |', 'CLEAR'],
  ['CREATE PROJECTION P |', 'AS CLEAR VISIBLE'],
  ['CREATE COMMAND C (x INT) |', 'ALLOW'],
  ['CREATE COMMAND C (x INT) ALLOW WHERE x = 1 |', operators.replace(' LIKE', ' LIKE MESSAGE')],
  ['CREATE CLAIM c |', types],
  ['CREATE CLAIM c STRING |', 'FROM SENSITIVE'],
  ['CREATE AGGREGATE A (x |', types],
  ['CREATE AGGREGATE A (x INT |', 'AS DEFAULT KEY'],
  ['CREATE COMMAND C (x INT |', 'CHECK DEFAULT KEY NULL SENSITIVE'],
  ['CREATE COMMAND C (x INT CHECK (x > 0) |', 'CHECK DEFAULT KEY MESSAGE NULL SENSITIVE'],
  ['CREATE EVENT E (a |', types],
  ['CREATE EVENT E (a INT |', 'SENSITIVE TAG VOLATILE'],
  ['CREATE EVENT E (a INT, b |)', types],
  ['CREATE EVENT E (|', ''],
  ['CREATE DECISION D |', 'FOR'],
  ['CREATE DECISION D FOR |', 'Account'],
  ['CREATE DECISION D FOR Account |', 'ON'],
  ['CREATE DECISION D FOR Account ON |', 'COMMAND'],
  ['CREATE DECISION D FOR Account ON COMMAND |', 'Open Pay'],
  [`${decision} |`, 'AS EMIT STATE'],
  [`${decision} STATE |`, 'AS'],
  [`${decision} STATE AS |`, 'SELECT VALUES WITH'],
  [`${decision} EMIT |`, 'AS'],
  [`${decision} EMIT AS |`, 'BRANCH SELECT'],
  [`${decision} EMIT AS SELECT |`, 'EVENT'],
  [`${decision} EMIT AS SELECT EVENT |`, 'Opened Paid'],
  [`${decision} EMIT AS SELECT EVENT Opened (|`, 'owner secret'],
  [`${decision} EMIT AS SELECT EVENT Opened (|)`, 'owner secret'],
  [`${decision} EMIT AS SELECT EVENT Opened (owner := :owner, |)`, 'secret'],
  [`${decision} EMIT AS SELECT EVENT Opened (|, secret := :secret)`, 'owner'],
  [`${decision} EMIT AS SELECT EVENT Opened (ow|)`, 'owner secret'],
  [`${decision} EMIT AS SELECT EVENT Opened (owner := :|)`, 'account_id owner secret'],
  [`${decision} EMIT AS SELECT EVENT Opened (owner := :ow|)`, 'account_id owner secret'],
  [`${decision} EMIT AS SELECT EVENT Opened (owner := |)`, `:account_id :owner :secret f() ${values}`],
  [`${decision} EMIT AS SELECT EVENT Opened () |`, 'TO UNION WHERE'],
  [`${decision} EMIT AS SELECT EVENT Opened () TO |`, 'Account'],
  [`${decision} EMIT AS SELECT EVENT Opened () UNION |`, 'ALL'],
  [`${state} WHERE |`, `balance n :account_id :owner :secret f() ${values}`],
  [`${state} WHERE n = 0 AND |`, `balance n :account_id :owner :secret f() ${values}`],
  [`${state} WHERE n |`, `${operators} UNION`],
  [
    `${decision} STATE AS SELECT | FROM Reg."Account$Agg"`,
    `aggregate_id account_id owner balance :account_id :owner :secret f() ${values.replace('EXISTS', 'DISTINCT EXISTS')}`,
  ],
  [`${decision} STATE AS SELECT owner FROM Reg."Account$Agg" WHERE owner = :|`, 'account_id owner secret'],
  ['CREATE PROJECTION P AS |', 'SELECT VALUES WITH'],
  ['CREATE EVENTSTORE s |', 'WITH'],
  [
    "CREATE EVENTSTORE s WITH (durable.type = 'memory', durable.|",
    'durable.path durable.url durable.listen_url durable.namespace',
  ],
  ['CREATE TEMPLATE X (A, B) |', 'AS'],
  ['CREATE TEMPLATE X (A, B) AS (CREATE EVENT {{|', 'A AAssignments B BAssignments'],
  ['CREATE TEMPLATE X (A, B) AS (CREATE EVENT {{A|}}', 'A AAssignments B BAssignments'],
  ['CREATE TEMPLATE X (A, B) AS (CREATE EVENT E (); DROP |', `${kinds} TABLE TEMPLATE`],
  ['CREATE TEMPLATE X (A) AS (DROP EVENT E;); CREATE OR |', 'REPLACE'],
  ['CREATE TEMPLATE X WITH (a TEXT) AS CREATE EVENT {{a}} (x |', types],
  ['CREATE TEMPLATE X WITH (a TEXT) AS DROP EVENT E; END TEMPLATE; CREATE OR |', 'REPLACE'],
  // Queries.
  [
    'SELECT | FROM Reg."Account$Agg";',
    `aggregate_id account_id owner balance f() ${values.replace('EXISTS', 'DISTINCT EXISTS')}`,
  ],
  [
    'SELECT | FROM Reg.Account$Agg;',
    `aggregate_id account_id owner balance f() ${values.replace('EXISTS', 'DISTINCT EXISTS')}`,
  ],
  ['SELECT owner, | FROM Reg.Owners;', `id owner f() ${values}`],
  ['SELECT 1 + | FROM Reg.owners;', `id owner f() ${values}`],
  ['SELECT UPPER(| FROM Reg.Owners;', `id owner f() ${values.replace('EXISTS', 'DISTINCT EXISTS')}`],
  ['SELECT data.| FROM Reg."Account$Events"', 'owner secret amount'],
  ['SELECT data.ow| FROM Reg."Account$Events"', 'owner secret amount'],
  ['SELECT e.data.| FROM Reg."Account$Events" e', 'owner secret amount'],
  ['SELECT e.| FROM Reg."Account$Events" AS e', eventColumns],
  ['SELECT e.| FROM Reg.Owners e', 'id owner'],
  ['SELECT o.| FROM Reg.Owners o JOIN Reg.Totals t ON t.stream_id = o.id', 'id owner'],
  ['SELECT * FROM Reg.Owners o JOIN Reg.Totals t ON t.|', 'stream_id total'],
  ['SELECT * FROM Reg.Owners o JOIN Reg.Totals t ON |', `id owner stream_id total o. t. f() ${values}`],
  ['SELECT * FROM Reg.Owners, Reg.Totals WHERE |', `id owner stream_id total Owners. Totals. f() ${values}`],
  ['SELECT * FROM |', `${relations} LATERAL`],
  ['SELECT * FROM Reg.Owners, |', `${relations} LATERAL`],
  ['SELECT * FROM Reg.Owners JOIN |', `${relations} LATERAL`],
  ['SELECT * FROM (|', `${relations} LATERAL SELECT VALUES WITH`],
  ['SELECT * FROM Reg.|', named],
  ['SELECT * FROM Reg.Own|', named],
  ['SELECT * FROM Reg."Acc|', named],
  ['SELECT * FROM Reg."Acc|count$Agg"', named],
  ['SELECT * FROM Reg.Owners |', afterTable],
  ['SELECT * FROM Reg.Owners WHERE |', `id owner f() ${values}`],
  [
    'SELECT * FROM Reg.Owners WHERE id |',
    'AND AT BETWEEN EXCEPT GROUP HAVING ILIKE IN INTERSECT IS LIKE LIMIT NOT OFFSET OR ORDER UNION WINDOW',
  ],
  ['SELECT * FROM Reg.Owners WHERE id IS |', 'DISTINCT FALSE NOT NULL TRUE UNKNOWN'],
  ['SELECT * FROM Reg.Owners WHERE id NOT |', 'BETWEEN ILIKE IN LIKE'],
  ['SELECT owner FROM Reg.Owners GROUP |', 'BY'],
  ['SELECT owner FROM Reg.Owners GROUP BY |', `id owner f() ${values}`],
  ['SELECT owner FROM Reg.Owners ORDER BY |', `id owner f() ${values}`],
  [
    'SELECT owner FROM Reg.Owners ORDER BY owner |',
    'AND ASC AT BETWEEN DESC ILIKE IN IS LIKE LIMIT NOT NULLS OFFSET OR',
  ],
  ['WITH w AS (SELECT 1 AS one) SELECT | FROM w', `one f() ${values.replace('EXISTS', 'DISTINCT EXISTS')}`],
  ['WITH w AS (SELECT id FROM Reg.Owners) SELECT w.| FROM w', 'id'],
  ['SELECT x.| FROM (SELECT owner AS o, 1 AS n FROM Reg.Owners) x', 'o n'],
  ['SELECT x.| FROM (SELECT * FROM Reg.Owners) AS x', 'id owner'],
  [
    'SELECT * FROM Reg.Owners o WHERE EXISTS (SELECT 1 FROM Reg.Totals WHERE |',
    `stream_id total id owner Totals. o. f() ${values}`,
  ],
  ['SELECT CAST(x AS |', types],
  ['SELECT x::|', types],
  ['SELECT CASE |', `f() ${values.replace('TRUE', 'TRUE WHEN')}`],
  ['SELECT CASE WHEN TRUE |', 'AND AT BETWEEN ILIKE IN IS LIKE NOT OR THEN'],
  ['SELECT CASE WHEN TRUE THEN 1 |', 'AND AT BETWEEN ELSE END ILIKE IN IS LIKE NOT OR WHEN'],
  ['SELECT 1 UNION |', 'ALL DISTINCT SELECT VALUES WITH'.replace(' WITH', '')],
  // Other statements.
  ['EXECUTE |', 'Open Pay'],
  ['EXECUTE Pay(|', 'account_id amount'],
  ["EXECUTE Pay(account_id := '1', |)", 'amount'],
  ["EXECUTE Pay(account_id := '1') |", 'WITH'],
  ['DROP |', `${kinds} TABLE TEMPLATE`],
  ['DROP EVENT |', 'Opened Paid'],
  ['DROP PROJECTION |', 'Owners Totals'],
  [
    'DESCRIBE |',
    'AGGREGATE AGGREGATES CLAIM CLAIMS COMMAND COMMANDS DECISION DECISIONS ENUM ENUMS EVENT EVENTS EVENTSTORE EVENTSTORES FUNCTION FUNCTIONS INSPECTION INSPECTIONS PROJECTION PROJECTIONS REACTION REACTIONS SUBSCRIPTION SUBSCRIPTIONS TEMPLATE TEMPLATES',
  ],
  ['DESCRIBE DECISION |', 'DoOpen DoPay'],
  ['APPLY |', 'TEMPLATE'],
  ['APPLY TEMPLATE |', 'T'],
  ['APPLY TEMPLATE T |', 'WITH'],
  ['APPLY TEMPLATE T WITH (|', 'Entity Fields'],
  ["APPLY TEMPLATE T WITH (Entity = 'x', |)", 'Fields'],
  ['EXPLAIN |', 'ACCESS DECISION PROJECTION REACTION SELECT VALUES WITH'],
  ['EXPLAIN PROJECTION |', 'Owners Totals'],
  ['INSPECT |', 'DECISION PROJECTION REACTION'],
  ['INSPECT DECISION |', 'DoOpen DoPay'],
  ['INSPECT DECISION DoPay |', 'FROM'],
  ['INSPECT DECISION DoPay FROM |', relations],
  ['INSPECT DECISION DoPay FROM Reg.|', named],
  ['INSPECT DECISION DoPay FROM x |', 'INTO'],
  ['VALIDATE |', 'REG REGISTRY'],
  ['EXPORT |', 'REG REGISTRY'],
  // Where nothing is offered.
  ['-- com|', ''],
  ['/* a | b */ SELECT 1', ''],
  ["SELECT 'a|'", ''],
  ["SELECT 'a|", ''],
  ['SELECT 1 AS |', ''],
];

function shown(choices: readonly Choice[]): string {
  const words = choices
    .filter(({ kind, insert }) => kind !== 'relation' || !/meta_/.test(insert))
    .map(({ kind, label }) => (kind === 'function' ? 'f()' : label));
  return [...new Set(words)].join(' ');
}

for (const [text, expected] of cases)
  test(`completes ${text}`, async () => assert.is(await completed(text, bank, catalog), expected));

const guarded = `CREATE CLAIM clinic STRING; CREATE CLAIM teams STRING[];
CREATE AGGREGATE Bed (owner STRING, level INT); CREATE COMMAND Fill (id STRING, owner STRING) ALLOW WHERE HAS_ROLE('nurse') OR HAS_ROLE('clerk'); CREATE EVENT Filled (owner STRING);
CREATE DECISION FillIt FOR Bed ON COMMAND Fill EMIT AS SELECT EVENT Filled (owner := :owner);`;
const callers = ['CURRENT_USER', 'HAS_ROLE', 'CLAIM'];
for (const [text, columns, knows] of [
  ['CREATE AGGREGATE Bed (owner STRING, size INT) VISIBLE WHERE |', 'aggregate_id owner size', true],
  ['CREATE AGGREGATE Bed CLEAR WHERE |', 'aggregate_id owner level', true],
  ['CREATE AGGREGATE Bed VISIBLE WHERE owner IN (SELECT | FROM Reg."Bed$Agg" b)', 'aggregate_id owner level', true],
  ['CREATE PROJECTION P VISIBLE WHERE | AS SELECT owner AS o, 1 AS n FROM Reg."Bed$Agg"', 'o n', true],
  ['CREATE PROJECTION P VISIBLE TO ALL AS SELECT | FROM Reg."Bed$Agg"', 'aggregate_id owner level', false],
  ['CREATE COMMAND Fill (id STRING CHECK (|', 'id', false],
  ['CREATE COMMAND Fill (id STRING, owner STRING) ALLOW WHERE |', 'id owner', true],
  ['CREATE FUNCTION f (n INT) RETURNS INT AS |', 'n', false],
  ['SELECT | FROM Reg."Bed$Agg"', 'aggregate_id owner level', true],
] as const)
  test(`completes ${text} with columns, and with the caller where it is known`, () => {
    const { catalog: known } = compileFiles([{ name: 'guarded', text: guarded }]);
    const { choices } = completionsAt({ name: 'a', text: text.replace('|', '') }, text.indexOf('|'), known);
    const named = choices.filter(({ kind }) => kind === 'column' || kind === 'field').map(({ label }) => label);
    assert.is(named.join(' '), columns);
    assert.equal(
      choices.filter(({ label }) => callers.includes(label)).map(({ label }) => label),
      knows ? callers : [],
    );
  });

test('the claims that are declared follow CLAIM (, and the roles that are named elsewhere HAS_ROLE (', async () => {
  const { catalog: known } = compileFiles([{ name: 'guarded', text: guarded }]);
  assert.is(await completed("SELECT HAS_ROLE('|')", guarded, known), 'clerk nurse');
  assert.is(await completed('SELECT CLAIM(|', guarded, known), 'clinic teams');
  assert.is(await completed('CREATE AGGREGATE Bed VISIBLE WHERE owner = ANY (CLAIM(|', guarded, known), 'clinic teams');
});

const lightsText = `CREATE ENUM Light AS ('green', 'amber', 'it''s red');
CREATE ENUM Size AS ('s', 'm');
CREATE FUNCTION Next (light Light) RETURNS Light AS CASE light WHEN 'green' THEN 'amber' ELSE 'green' END;
CREATE AGGREGATE Lamp (light Light AS LAST(data.light));
CREATE COMMAND Turn (id STRING, light Light, size Size DEFAULT 's');
CREATE EVENT Turned (light Light);
CREATE DECISION DoTurn FOR Lamp ON COMMAND Turn EMIT AS SELECT EVENT Turned (light := :light);
CREATE PROJECTION Lamps AS SELECT aggregate_id AS id, light AS colour FROM Reg."Lamp$Agg";`;
const lights = compileFiles([{ name: 'lights', text: lightsText }]);

/** Enums and functions of the schema. */
const typed: readonly (readonly [text: string, expected: string])[] = [
  ['SELECT * FROM Reg."Lamp$Agg" WHERE light = \'|\'', "green amber it's red"],
  ['SELECT * FROM Reg."Lamp$Agg" WHERE light = \'|', "green amber it's red"],
  ['SELECT * FROM Reg."Lamp$Agg" WHERE light <> \'gr|een\'', "green amber it's red"],
  ['SELECT * FROM Reg."Lamp$Agg" WHERE light IN (\'|\')', "green amber it's red"],
  ["SELECT * FROM Reg.\"Lamp$Agg\" WHERE light NOT IN ('green', '|', 'amber')", "green amber it's red"],
  ["SELECT * FROM Reg.Lamps WHERE colour = '|'", "green amber it's red"],
  ['SELECT l.data.light = \'|\' FROM Reg."Lamp$Events" l', "green amber it's red"],
  ['SELECT CASE light WHEN \'|\' THEN 1 END FROM Reg."Lamp$Agg"', "green amber it's red"],
  ["SELECT CASE light WHEN 'green' THEN 1 WHEN '|' THEN 2 END FROM Reg.\"Lamp$Agg\"", "green amber it's red"],
  ['SELECT * FROM Reg."Lamp$Events" WHERE event_type = \'|\'', 'Turned'],
  ["EXECUTE Turn(id := '1', light := '|')", "green amber it's red"],
  ["EXECUTE Turn(size := '|')", 's m'],
  ["EXECUTE Turn(id := '|')", ''],
  ["CREATE COMMAND X (a Size DEFAULT '|')", 's m'],
  ["CREATE DECISION X FOR Lamp ON COMMAND Turn EMIT AS SELECT EVENT Turned () WHERE :size = '|'", 's m'],
  ["CREATE DECISION X FOR Lamp ON COMMAND Turn EMIT AS SELECT EVENT Turned (light := '|')", "green amber it's red"],
  ["SELECT Next('|')", "green amber it's red"],
  ['SELECT Next(light), Next(\'|\') FROM Reg."Lamp$Agg"', "green amber it's red"],
  ["SELECT Next('green', '|')", ''],
  ["SELECT Next('a' = '|')", ''],
  ["SELECT Next('green') = '|'", "green amber it's red"],
  ['SELECT \'|\' = ((l.light)) FROM Reg."Lamp$Agg" l', "green amber it's red"],
  ['SELECT * FROM Reg."Lamp$Agg" l WHERE (light) = \'|\'', "green amber it's red"],
  ['SELECT * FROM Reg."Lamp$Agg" l WHERE ((l.light)) IN (\'|\')', "green amber it's red"],
  ['SELECT * FROM Reg."Lamp$Agg" WHERE LENGTH(light) = \'|\'', ''],
  ["SELECT '|'", ''],
  ["SELECT COUNT('|')", ''],
  ["SELECT CASE WHEN '|' THEN 1 END", ''],
  ['SELECT * FROM Reg."Lamp$Agg" WHERE light LIKE \'|\'', ''],
  ['CREATE EVENT X (a |', `${types} Light Size`],
  ['CREATE FUNCTION F (a |', `${types} Light Size`],
  ['CREATE FUNCTION F (a Light) RETURNS |', `${types} Light Size`],
  ['CREATE FUNCTION F (a Light) |', 'RETURNS'],
  ['CREATE FUNCTION F (a Light) RETURNS INT |', 'AS'],
  ['CREATE ENUM X |', 'AS'],
  ['DROP ENUM |', 'Light Size'],
  ['DROP FUNCTION |', 'Next'],
  ['DESCRIBE ENUM |', 'Light Size'],
  ['DESCRIBE FUNCTION |', 'Next'],
];
for (const [text, expected] of typed)
  test(`completes ${text}`, async () => assert.is(await completed(text, lightsText, lights.catalog), expected));

/** The choices at `|` in a script over a domain: as the function gives them, or over the protocol where the server is a process of its own. */
async function completed(marked: string, domain: string, known: typeof catalog): Promise<string> {
  const [text, offset] = [marked.replace('|', ''), marked.indexOf('|')];
  if (process.env['SCHEMAC_LSP_PROCESS'] !== '1')
    return shown(completionsAt({ name: 'a', text }, offset, known).choices);
  const { client, uri } = await serverOf(domain);
  client.edit(uri, 0, client.textOf(uri).length, text);
  const place = { textDocument: { uri }, position: client.positionOf(uri, offset) };
  const { items } = (await client.connection.sendRequest(CompletionRequest.type, place)) as CompletionList;
  const words = items
    .filter(({ label }) => !/meta_/.test(label))
    .map(({ label, kind }) => (kind === CompletionItemKind.Function ? 'f()' : label));
  return [...new Set(words)].join(' ');
}

interface Served {
  readonly client: Client;
  readonly uri: string;
}
const served = new Map<string, Promise<Served>>();

function serverOf(domain: string): Promise<Served> {
  const known = served.get(domain) ?? serveDomain(domain);
  served.set(domain, known);
  return known;
}

async function serveDomain(domain: string): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'schemac-test-'));
  writeFiles(folder, {
    'schemac.config.json': '{ "schema": ["schema"], "tests": ["tests"] }',
    'schema/a.schema': domain,
    'tests/a.schema': '',
  });
  const client = await openClient();
  const uri = uriOfPath(realPathOf(join(folder, 'tests/a.schema')));
  client.open(uri, '');
  await client.settled(uri);
  test.after(async () => {
    await client.stop();
    rmSync(folder, { recursive: true });
  });
  return { client, uri };
}

/** Texts with a label, and the text after it replaced a part. */
const replaced: readonly (readonly [text: string, label: string, expected: string])[] = [
  ['SELECT * FROM Reg."Acc|ount$Ag" x', '"Account$Agg"', 'SELECT * FROM Reg."Account$Agg" x'],
  ['SELECT * FROM Reg.Account$|', '"Account$Agg"', 'SELECT * FROM Reg."Account$Agg"'],
  [
    `${decision} EMIT AS SELECT EVENT Opened (owner := :ow|ner)`,
    'secret',
    `${decision} EMIT AS SELECT EVENT Opened (owner := :secret)`,
  ],
  [`${decision} EMIT AS SELECT EVENT Opened (|)`, 'owner', `${decision} EMIT AS SELECT EVENT Opened (owner := )`],
  ['CREATE TEMPLATE X (A) AS (CREATE EVENT {{|', 'A', 'CREATE TEMPLATE X (A) AS (CREATE EVENT {{A}}'],
  ['CREATE TEMPLATE X (A) AS (CREATE EVENT {{|}}', 'A', 'CREATE TEMPLATE X (A) AS (CREATE EVENT {{A}}'],
  ['SEL| 1', 'SELECT', 'SELECT 1'],
  [
    'SELECT * FROM Reg."Lamp$Agg" WHERE light = \'am|\' AND 1 = 1',
    "it's red",
    "SELECT * FROM Reg.\"Lamp$Agg\" WHERE light = 'it''s red' AND 1 = 1",
  ],
  ["EXECUTE Turn(light := 'g|reen', id := '1') -- Lamp", 'amber', "EXECUTE Turn(light := 'amber', id := '1') -- Lamp"],
  ['SELECT "x|" FROM (SELECT 1 AS "order") t', 'order', 'SELECT "order" FROM (SELECT 1 AS "order") t'],
];
for (const [text, label, expected] of replaced)
  test(`replaces in ${text}`, () => {
    const file = { name: 'a', text: text.replace('|', '') };
    const known = text.includes('Lamp') ? lights.catalog : catalog;
    const { start, end, choices } = completionsAt(file, text.indexOf('|'), known);
    const choice = choices.find((each) => each.label === label);
    assert.is(file.text.slice(0, start) + (choice?.insert ?? '?') + file.text.slice(end), expected);
  });

test('a command without a decision is offered first', () => {
  const { catalog: lacking } = createPartialCompiler().compile([
    { name: 'a', text: 'CREATE AGGREGATE A; CREATE COMMAND C (id STRING);' },
  ]);
  const [first] = completionsAt({ name: 'b', text: '' }, 0, lacking).choices;
  assert.equal([first?.label, first?.stops], ['decision on C', true]);
  const [behindCreate] = completionsAt({ name: 'b', text: 'CREATE de' }, 9, lacking).choices;
  assert.equal([behindCreate?.label, `CREATE ${behindCreate?.insert}`], [first?.label, first?.insert]);
});

test('a block that is being typed keeps the fields of its events', () => {
  const typed = bank.replace('amount := :amount) WHERE present >= 0', 'amount := ');
  const now = createPartialCompiler().compile([{ name: 'a', text: typed }]).catalog;
  const text = 'SELECT data. FROM Reg."Account$Events"';
  const offered = (from: typeof now): string => shown(completionsAt({ name: 'b', text }, 12, from).choices);
  assert.equal(
    [offered(now), offered(knownBlocks(catalog, now, [{ name: 'a', text: typed }]))],
    ['', 'owner secret amount'],
  );
});

test('doc comments are the documentation of blocks and fields', () => {
  const text = `--- Where money is.
CREATE AGGREGATE A;
--- What is asked.
CREATE COMMAND C (
  --- Whose it is.
  id STRING
);
--- How dear.
CREATE FUNCTION fee (n INT) RETURNS INT AS n;
--- A colour.
CREATE ENUM Colour AS ('red');
--- All of them.
CREATE PROJECTION P AS SELECT aggregate_id FROM Reg."A$Agg";
`;
  const documented = createPartialCompiler().compile([{ name: 'a', text }]).catalog;
  const docOf = (statement: string, label: string): string | undefined => {
    const { choices } = completionsAt({ name: 'b', text: statement }, statement.length, documented);
    return choices
      .find((each) => each.label === label)
      ?.documentation?.split('\n')
      .at(-1);
  };
  assert.equal(
    [
      docOf('CREATE DECISION D FOR ', 'A'),
      docOf('CREATE DECISION D FOR A ON COMMAND ', 'C'),
      docOf('EXECUTE C (', 'id'),
      docOf('CREATE DECISION D FOR A ON COMMAND C EMIT AS SELECT EVENT E (x := :', 'id'),
      docOf('SELECT ', 'fee'),
      docOf('CREATE EVENT E (c ', 'Colour'),
      docOf('SELECT * FROM ', 'Reg.P'),
    ],
    ['Where money is.', 'What is asked.', 'Whose it is.', 'Whose it is.', 'How dear.', 'A colour.', 'All of them.'],
  );
});

test('an editor that can ask for the documentation of one choice gets none in the list', async () => {
  const resolving = await openClient({
    capabilities: {
      textDocument: { completion: { completionItem: { resolveSupport: { properties: ['documentation'] } } } },
    },
  });
  resolving.open('untitled:resolve', 'SELECT ');
  const { connection } = resolving;
  const place = { textDocument: { uri: 'untitled:resolve' }, position: { line: 0, character: 7 } };
  const { items } = (await connection.sendRequest(CompletionRequest.type, place)) as CompletionList;
  const sum = items.find(({ label }) => label === 'SUM') as CompletionItem;
  const resolved = await connection.sendRequest(CompletionResolveRequest.type, sum);
  assert.equal([items.some(({ documentation }) => documentation !== undefined), sum.documentation], [false, undefined]);
  assert.match(JSON.stringify(resolved.documentation), 'The exact sum');
  const stale = await connection.sendRequest(CompletionResolveRequest.type, { ...sum, data: [99, 0] });
  assert.is(stale.documentation, undefined);
  assert.is(await resolving.stop(), 0);
});

test.run();
