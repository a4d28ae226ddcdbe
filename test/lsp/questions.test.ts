import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  CodeActionRequest,
  DefinitionRequest,
  DocumentHighlightRequest,
  DocumentSymbolRequest,
  FoldingRangeRequest,
  HoverRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  SelectionRangeRequest,
  SignatureHelpRequest,
  WorkspaceSymbolRequest,
  type DocumentSymbol,
  type Location,
  type MarkupContent,
  type Range,
  type TextDocumentEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { uriOfPath } from '../../cli/lsp/file-uri.ts';
import { realPathOf } from '../../cli/lsp/project-files.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { bank } from './bank.ts';
import { openClient, type Client } from './client.ts';

let client: Client;
const uri = 'untitled:bank';
test.before(async () => {
  client = await openClient();
  client.open(uri, bank);
});
test.after(async () => {
  assert.is(await client.stop(), 0);
  assert.is(client.said(), '');
});

/** `|` in a part of the bank that occurs once; the place is that of the bank. */
function at(marked: string): { textDocument: { uri: string }; position: { line: number; character: number } } {
  const start = bank.indexOf(marked.replace('|', ''));
  assert.ok(start >= 0, marked);
  return { textDocument: { uri }, position: client.positionOf(uri, start + marked.indexOf('|')) };
}

function textIn({ start, end }: Range): string {
  return client.textOf(uri).slice(client.offsetOf(uri, start), client.offsetOf(uri, end));
}

/** `4:14 Opened`: line and column as people count. */
function shownPlace({ range }: { range: Range }): string {
  return `${range.start.line + 1}:${range.start.character + 1} ${textIn(range)}`;
}

const names: readonly (readonly [marked: string, definition: string, references: string])[] = [
  [
    'FOR Acc|ount ON COMMAND Open',
    '1:18 Account',
    '6:28 Account, 7:27 Account, 8:46 Account, 10:72 Account, 11:83 Account',
  ],
  ['ON COMMAND Op|en', '2:16 Open', '6:47 Open'],
  ['|Opened (owner STRING', '4:14 Opened', '6:73 Opened'],
  ['SELECT EVENT Opened|', '4:14 Opened', '6:73 Opened'],
  ['owner := :own|er', '2:41 owner', '6:91 owner'],
  ['secret := :|secret', '2:55 secret', '6:109 secret'],
  ['(|owner := ', '4:22 owner', '6:81 owner'],
  ['WHERE pres|ent', '8:28 present', '9:53 present'],
  [
    'FROM Reg."Acco|unt$Agg" WHERE',
    '1:18 Account',
    '6:28 Account, 7:27 Account, 8:46 Account, 10:72 Account, 11:83 Account',
  ],
  ['SUM(data.amo|unt) AS total', '5:20 amount', '9:28 amount, 1:108 amount, 11:56 amount'],
  ['AGGREGATE {{Ent|ity}}', '12:20 Entity', '12:59 Entity'],
];
for (const [marked, definition, references] of names)
  test(`definition and references of ${marked}`, async () => {
    const found = (await client.connection.sendRequest(DefinitionRequest.type, at(marked))) as Location[];
    assert.is(found.map(shownPlace).join(', '), definition);
    const context = { includeDeclaration: false };
    const used = (await client.connection.sendRequest(ReferencesRequest.type, { ...at(marked), context })) ?? [];
    assert.equal(used.map(shownPlace).sort(), references.split(', ').sort());
    const highlights = (await client.connection.sendRequest(DocumentHighlightRequest.type, at(marked))) ?? [];
    assert.equal(highlights.map(shownPlace).sort(), [definition, ...references.split(', ')].sort());
  });

const hovers: readonly (readonly [marked: string, ...parts: string[]])[] = [
  ['CREATE EVENT Open|ed', 'CREATE EVENT Opened (owner STRING, secret STRING SENSITIVE);', '- **emitted by**: DoOpen'],
  ['CREATE EVENT Pa|id', '- **emitted by**: DoPay', '- **read by**: Account, Totals'],
  [
    'DECISION DoPa|y',
    'CREATE DECISION DoPay',
    '- state: **fold** Account$Events by stream_id',
    '- writes: **Paid** stream of Account',
  ],
  ['PROJECTION Tot|als', 'CREATE PROJECTION Totals', '- Totals: **fold** Account$Events by stream_id'],
  ['(owner := :own|er', 'owner STRING', 'field of command Open'],
  ['secret := :sec|ret', 'secret STRING SENSITIVE NULL', 'field of command Open'],
  ['WHERE pres|ent', 'present DECIMAL(12,2) NOT NULL', 'column of the STATE of decision DoPay'],
  ['SUM(data.amo|unt) AS total', 'amount DECIMAL(12,2)'],
  ['SU|M(data.amount) AS total', 'The exact sum, without NULLs'],
  ['AGGREGATE {{Ent|ity}}', 'parameter of template T'],
  ['FROM Reg."Account$Ev|ents"', 'seq BIGINT', 'data.owner STRING', 'data.secret STRING SENSITIVE'],
];
for (const [marked, ...parts] of hovers)
  test(`hover over ${marked}`, async () => {
    const found = await client.connection.sendRequest(HoverRequest.type, at(marked));
    const { value } = found?.contents as MarkupContent;
    for (const part of parts) assert.ok(value.includes(part), value);
  });

test('no hover over a keyword, a comment or nothing', async () => {
  assert.is(await client.connection.sendRequest(HoverRequest.type, at('CREATE AGG|REGATE Account')), null);
});

test('hover shows the doc comments of a block and of its fields', async () => {
  const documented = 'untitled:documented';
  const text =
    '--- Taken back.\nCREATE EVENT Reversed (\n  --- In euros, never negative.\n  amount DECIMAL(12,2)\n);\n';
  client.open(documented, text);
  const shown = async (word: string): Promise<string> => {
    const position = client.positionOf(documented, text.indexOf(word));
    const found = await client.connection.sendRequest(HoverRequest.type, {
      textDocument: { uri: documented },
      position,
    });
    return (found?.contents as MarkupContent).value;
  };
  assert.match(await shown('Reversed'), 'CREATE EVENT Reversed (amount DECIMAL(12,2));\n```\n\nTaken back.\n');
  assert.match(await shown('amount'), 'field of event Reversed\n\nIn euros, never negative.');
});

const signatures: readonly (readonly [text: string, label: string, active: number])[] = [
  ['SELECT ROUND(1, |', 'ROUND(x, places)', 1],
  ['EXECUTE Pay(|', 'Pay(account_id STRING, amount DECIMAL(12,2))', 0],
  ["EXECUTE Pay(account_id := UPPER('a'), |", 'Pay(account_id STRING, amount DECIMAL(12,2))', 1],
  [
    'CREATE DECISION D FOR Account ON COMMAND Pay AS SELECT EVENT Opened (owner := 1, |)',
    'Opened(owner STRING, secret STRING SENSITIVE)',
    1,
  ],
];
for (const [text, label, active] of signatures)
  test(`signature in ${text}`, async () => {
    const start = bank.length;
    client.edit(uri, start, start, text.replace('|', ''));
    const position = client.positionOf(uri, start + text.indexOf('|'));
    const found = await client.connection.sendRequest(SignatureHelpRequest.type, { textDocument: { uri }, position });
    client.edit(uri, start, client.textOf(uri).length, '');
    assert.equal(
      [found?.signatures.map((each) => each.label).includes(label), found?.activeParameter],
      [true, active],
      JSON.stringify(found),
    );
  });

/** The changed texts of an answer, by the name of the file. */
function applied(edit: WorkspaceEdit, texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const changed: Record<string, string> = {};
  for (const { textDocument, edits } of (edit.documentChanges ?? []) as TextDocumentEdit[]) {
    const name = Object.keys(texts).find((each) => textDocument.uri.endsWith(each)) ?? '';
    const document = TextDocument.create(textDocument.uri, 'schemac', 1, texts[name] ?? '');
    changed[name] = TextDocument.applyEdits(document, edits as { range: Range; newText: string }[]);
  }
  return changed;
}

const renames: readonly (readonly [marked: string, name: string, from: RegExp, to: string])[] = [
  ['FOR Acc|ount ON COMMAND Open', 'Konto', /Account/g, 'Konto'],
  ['WHERE pres|ent', 'now', /present/g, 'now'],
  ['ON COMMAND P|ay', 'Settle', /(?<=COMMAND )Pay/g, 'Settle'],
  ['AGGREGATE {{Ent|ity}}', 'Thing', /Entity/g, 'Thing'],
  ['PROJECTION Own|ers', 'order', /Owners/g, '"order"'],
];
for (const [marked, newName, from, to] of renames)
  test(`rename at ${marked} to ${newName}`, async () => {
    const edit = await client.connection.sendRequest(RenameRequest.type, { ...at(marked), newName });
    assert.is(applied(edit ?? {}, { bank })['bank'], bank.replace(from, to));
    assert.is(edit?.changeAnnotations, undefined);
  });

const refusals: readonly (readonly [marked: string, name: string, reason: string])[] = [
  ['ON COMMAND P|ay', 'a b', "'a b' is no name: a letter or _, then at most 62 letters, digits or _"],
  ['ON COMMAND P|ay', 'open', "there is already command 'Open'"],
  ['(own|er := ', 'secret', "event 'Opened' already has 'secret'"],
  ['CREATE AGG|REGATE Account', 'x', 'there is no name here that is declared in the text'],
];
for (const [marked, newName, reason] of refusals)
  test(`no rename at ${marked} to ${newName}`, async () => {
    try {
      await client.connection.sendRequest(RenameRequest.type, { ...at(marked), newName });
      assert.unreachable();
    } catch (error) {
      assert.is((error as Error).message, reason);
    }
  });

test('a rename is prepared with the name as written', async () => {
  const found = await client.connection.sendRequest(PrepareRenameRequest.type, at('"Acco|unt$Agg" WHERE'));
  assert.equal((found as { placeholder: string }).placeholder, 'Account');
});

test('an event is renamed over files, after a confirmation that says what it means', () =>
  withTempFolder(async (folder) => {
    const texts = {
      'schemac.config.json': '{ "schema": ["schema"], "tests": ["tests"] }',
      'schema/a.schema': 'CREATE AGGREGATE A;\nCREATE COMMAND C (id STRING);\nCREATE EVENT Done (what STRING);\n',
      'schema/b.schema': `CREATE DECISION D FOR A ON COMMAND C
STATE AS SELECT COUNT(*) AS n FROM Reg."A$Events" WHERE 'Done' = event_type AND stream_id = 'Done'
EMIT AS SELECT EVENT Done (what := 'Done') WHERE n = 0;
CREATE PROJECTION P AS SELECT CASE event_type WHEN 'Done' THEN 1 WHEN 'done' THEN 2 END AS k,
  event_type IN ('Other', 'Done') AS known FROM Reg."A$Events";
`,
      'tests/a.schema': `EXECUTE C(id := '1');
--= emitted [{"event_type": "Done", "seq": 1,
--=   "data": {"what": "Done"}}]
EXECUTE C(id := '1');
--= rejected [{"decision": "D", "state": {"n": 1}}]
SELECT 'Done' AS event, event_type FROM Reg."A$Events";
--= rows [["Done", "Done"]]
`,
    };
    writeFiles(folder, texts);
    const file = uriOfPath(realPathOf(join(folder, 'schema/a.schema')));
    client.open(file, texts['schema/a.schema']);
    const position = client.positionOf(file, texts['schema/a.schema'].indexOf('Done'));
    const edit = await client.connection.sendRequest(RenameRequest.type, {
      textDocument: { uri: file },
      position,
      newName: 'Finished',
    });
    const inScript = { textDocument: { uri: file }, position, context: { includeDeclaration: false } };
    const uses = (await client.connection.sendRequest(ReferencesRequest.type, inScript)) ?? [];
    client.close(file);
    assert.equal(applied(edit ?? {}, texts), {
      'schema/a.schema': texts['schema/a.schema'].replace('Done', 'Finished'),
      'schema/b.schema': texts['schema/b.schema']
        .replace("'Done' = event_type", "'Finished' = event_type")
        .replace('EVENT Done', 'EVENT Finished')
        .replace("WHEN 'Done'", "WHEN 'Finished'")
        .replace("'Other', 'Done'", "'Other', 'Finished'"),
      'tests/a.schema': texts['tests/a.schema']
        .replace('"event_type": "Done"', '"event_type": "Finished"')
        .replace('"Done"]]', '"Finished"]]'),
    });
    assert.is(uses.length, 6);
    const [annotation] = Object.values(edit?.changeAnnotations ?? {});
    assert.equal(
      [annotation?.needsConfirmation, annotation?.description],
      [true, 'Events that are stored as Done keep that name, and are no longer read as the renamed event.'],
    );
  }));

test('fields, decisions, aggregates and blocks in expectations are references', () =>
  withTempFolder(async (folder) => {
    const texts = {
      'schemac.config.json': '{ "schema": ["schema"], "tests": ["tests"] }',
      'schema/a.schema': `CREATE AGGREGATE A; CREATE COMMAND C (id STRING); CREATE EVENT E (n INT);
CREATE DECISION D FOR A ON COMMAND C STATE AS SELECT COUNT(*) AS k FROM Reg."A$Events" EMIT AS SELECT EVENT E (n := 1) WHERE k = 0;`,
      'tests/a.schema': `EXECUTE C(id := '1');
--= emitted [{"event_type": "E", "stream_type": "A", "data": {"n": 1, "m": {"n": 2}}}]
EXECUTE C(id := '1');
--= rejected [{"decision":"D","state":{"k":1}}]
DROP DECISION D;
--= created [{"block":"decision","name":"D"}, {"block":"no kind","name":"D"}, {"block":"event"
`,
    };
    writeFiles(folder, texts);
    const file = uriOfPath(realPathOf(join(folder, 'schema/a.schema')));
    const script = uriOfPath(realPathOf(join(folder, 'tests/a.schema')));
    client.open(file, texts['schema/a.schema']);
    const usesOf = async (marked: string): Promise<readonly string[]> => {
      const position = client.positionOf(file, texts['schema/a.schema'].indexOf(marked) + marked.length - 1);
      const about = { textDocument: { uri: file }, position, context: { includeDeclaration: false } };
      const found = (await client.connection.sendRequest(ReferencesRequest.type, about)) ?? [];
      return found
        .filter((each) => each.uri === script)
        .map(({ range: { start, end } }) => `${start.line + 1}:${start.character + 1}-${end.character + 1}`);
    };
    assert.equal(await usesOf('(n'), ['2:64-65']);
    assert.equal(await usesOf('AS k'), ['4:41-42']);
    assert.equal(await usesOf('DECISION D'), ['5:15-16', '4:28-29', '6:42-43']);
    assert.equal(await usesOf('AGGREGATE A'), ['2:50-51']);
    client.close(file);
  }));

/** Changes of a text of the bank, and the definitions then found at places. */
const broken: readonly (readonly [from: string, to: string, definitions: Readonly<Record<string, string>>])[] = [
  [
    'Paid (amount DECIMAL(12,2));',
    'Paid (amount DECIMAL(12,2))',
    {
      'SELECT EVENT Pai|d (': '5:14 Paid',
      'SELECT EVENT Open|ed': '4:14 Opened',
      'DoOpen FOR Acc|ount': '1:18 Account',
      'ON COMMAND P|ay': '3:16 Pay',
    },
  ],
  [
    'Paid (amount DECIMAL(12,2));',
    'Paid (amount DECIMAL(12,2), "x);',
    { 'SELECT EVENT Pai|d (': '5:14 Paid', 'ON COMMAND Op|en': '2:16 Open', 'owner := :own|er': '' },
  ],
  [
    'WHERE present >= 0;',
    'WHERE present >= ;',
    {
      'SELECT EVENT Pai|d (': '5:14 Paid',
      'Reg."Account$A|gg" WHERE account_id': '1:18 Account',
      'WHERE pres|ent': '',
    },
  ],
  ['CREATE EVENT Paid', '/* CREATE EVENT Paid', { 'ON COMMAND P|ay': '' }],
];
for (const [from, to, definitions] of broken)
  test(`definitions while there is ${to}`, async () => {
    const text = bank.replace(from, to);
    const other = 'untitled:broken';
    client.open(other, text);
    const found: Record<string, string> = {};
    for (const marked of Object.keys(definitions)) {
      const start = text.indexOf(marked.replace('|', ''));
      assert.ok(start >= 0, marked);
      const position = client.positionOf(other, start + marked.indexOf('|'));
      const places = (await client.connection.sendRequest(DefinitionRequest.type, {
        textDocument: { uri: other },
        position,
      })) as Location[];
      found[marked] = places
        .map(({ range: { start: first, end } }) => {
          const name = text.slice(client.offsetOf(other, first), client.offsetOf(other, end));
          return `${first.line + 1}:${first.character + 1} ${name}`;
        })
        .join(', ');
    }
    client.close(other);
    assert.equal(found, definitions);
  });

test('what a template makes is defined in the template and where that is applied', () => {
  const text = `CREATE TEMPLATE T (Entity) AS (CREATE EVENT {{Entity}}Gone (););
APPLY TEMPLATE T WITH (Entity = 'Car');
SELECT 1 FROM Reg."A$Events" WHERE event_type = 'CarGone';`;
  client.open('untitled:made', text);
  const position = client.positionOf('untitled:made', text.indexOf('CarGone'));
  return client.connection
    .sendRequest(DefinitionRequest.type, { textDocument: { uri: 'untitled:made' }, position })
    .then((found) => {
      client.close('untitled:made');
      assert.equal(
        (found as Location[]).map(({ range }) => [range.start.line, range.start.character]),
        [
          [0, 44],
          [1, 0],
        ],
      );
    });
});

test('a name that a template makes for each application is not renamed to one for all', async () => {
  const text = `CREATE TEMPLATE T (Entity) AS (CREATE EVENT {{Entity}}Gone (););
APPLY TEMPLATE T WITH (Entity = 'Car'); APPLY TEMPLATE T WITH (Entity = 'Bus');`;
  client.open('untitled:made', text);
  const position = client.positionOf('untitled:made', text.indexOf('Gone'));
  const asked = client.connection.sendRequest(RenameRequest.type, {
    textDocument: { uri: 'untitled:made' },
    position,
    newName: 'Left',
  });
  const refused = await asked.then(
    () => 'renamed',
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  client.close('untitled:made');
  assert.is(refused, "'{{Entity}}Gone' is named by each application of its template: change the text of the template");
});

test('the symbols of a text and of all texts', async () => {
  const symbols = (await client.connection.sendRequest(DocumentSymbolRequest.type, {
    textDocument: { uri },
  })) as DocumentSymbol[];
  assert.equal(
    symbols.map(({ name, children = [] }) => [name, ...children.map((child) => child.name)].join(' ')),
    [
      'Account account_id owner balance',
      'Open account_id owner secret',
      'Pay account_id amount',
      'Opened owner secret',
      'Paid amount',
      'DoOpen',
      'DoPay present',
      'Owners id owner',
      'Totals stream_id total',
      'T Entity Fields',
    ],
  );
  const found = (await client.connection.sendRequest(WorkspaceSymbolRequest.type, { query: 'own' })) ?? [];
  assert.equal(
    found.map(({ name }) => name),
    ['Owners'],
  );
});

test('what can be folded, and what a selection grows to', async () => {
  const folds = await client.connection.sendRequest(FoldingRangeRequest.type, { textDocument: { uri } });
  assert.equal(folds, [{ startLine: 6, endLine: 8 }]);
  const { textDocument, position } = at('"Acco|unt$Agg" WHERE');
  const [first] =
    (await client.connection.sendRequest(SelectionRangeRequest.type, { textDocument, positions: [position] })) ?? [];
  const texts: string[] = [];
  for (let range = first; range !== undefined; range = range.parent) texts.push(textIn(range.range).slice(0, 22));
  assert.equal(texts.slice(0, 3), ['"Account$Agg"', 'Reg."Account$Agg"', 'SELECT balance AS pres']);
});

const fixes: readonly (readonly [from: string, to: string, title: string])[] = [
  ['(amount := :amount)', '(amont := :amount)', "write 'amount'"],
  ['(amount := :amount)', '(amount := :amont)', "write ':amount'"],
  ['CREATE EVENT Paid (amount DECIMAL', 'CREATE EVENT Paid (amount DECIMA', "write 'DECIMAL'"],
  ['FOR Account ON COMMAND Pay', 'FOR Acount ON COMMAND Pay', "write 'Account'"],
  ['WHERE present >= 0', 'WHERE presnt >= 0', "write 'present'"],
  ['SELECT balance AS present', 'SELECT balanc AS present', "write 'balance'"],
  ['WHERE present >= 0', "WHERE UPPER('1') = 1 AND present >= 0", 'cast to INT'],
];
for (const [from, to, title] of fixes)
  test(`a fix of ${to}`, async () => {
    const start = bank.indexOf(from);
    client.edit(uri, start, start + from.length, to);
    const range = { start: client.positionOf(uri, start), end: client.positionOf(uri, start + to.length) };
    const actions = await client.connection.sendRequest(CodeActionRequest.type, {
      textDocument: { uri },
      range,
      context: { diagnostics: [] },
    });
    client.edit(uri, start, start + to.length, from);
    const repairs = (actions ?? []).filter((action) => 'isPreferred' in action);
    assert.equal(
      repairs.map((action) => action.title.includes(title)),
      [true],
      JSON.stringify(actions),
    );
  });

test.run();
