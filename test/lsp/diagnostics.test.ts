import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { DidChangeWatchedFilesNotification, type Diagnostic } from 'vscode-languageserver-protocol/node';
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

/** `1:5-1:9 E0203`: as people count. */
function shown({ range: { start, end }, code }: Diagnostic): string {
  return `${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1} ${String(code)}`;
}

let count = 0;
/** A text of its own. */
async function diagnosticsOf(text: string): Promise<readonly Diagnostic[]> {
  const uri = `untitled:Untitled-${count++}`;
  client.open(uri, text);
  const found = await client.settled(uri);
  client.close(uri);
  return found;
}

const cases: readonly (readonly [what: string, text: string, ...expected: string[]])[] = [
  ['nothing', ''],
  ['a sound text', 'CREATE AGGREGATE A;', '1:18-1:19 E1003'],
  ['an unknown name', 'CREATE PROJECTION P AS SELECT x FROM Reg.Missing;', '1:42-1:49 E0206'],
  ['a character outside the basic plane', "SELECT '😀' AS a, b;", '1:1-1:20 E0912', '1:19-1:20 E0203'],
  ['a lone surrogate', "SELECT '\ud83d' AS a, b;", '1:1-1:19 E0912', '1:18-1:19 E0203'],
  ['a line that ends with CR LF', 'CREATE AGGREGATE A;\r\nCREATE EVENT E (a STRONG);', '2:19-2:25 E0301'],
  [
    'a broken statement between others',
    'CREATE EVENT E (a INT);\nCREATE DECISION\nCREATE EVENT F (a STRONG);',
    '3:1-3:7 E0101',
  ],
];
for (const [what, text, ...expected] of cases)
  test(`diagnostics of ${what}`, async () => assert.equal((await diagnosticsOf(text)).map(shown), expected));

test('a diagnostic has the code, the message, the source and the second range of check', async () => {
  const [first] = await diagnosticsOf('CREATE EVENT E (a INT, a INT);');
  assert.equal(
    [first?.code, first?.source, first?.severity, first?.relatedInformation?.map(({ message }) => message)],
    ['E0212', 'schemac', 1, ['first declared here']],
  );
});

test('a diagnostic links to the line of its code in the documentation', async () => {
  const found = (await diagnosticsOf('SELECT nothing;')).find(({ code }) => code === 'E0203');
  const [path, line] = (found?.codeDescription?.href ?? '').split('#L');
  const lines = readFileSync(fileURLToPath(path ?? ''), 'utf8').split('\n');
  assert.match(lines[Number(line) - 1] ?? '', /^### <a id="e0203"><\/a>E0203 /);
});

test('at most 100 in a text, and those of other texts too', async () => {
  const many = `SELECT ${Array.from({ length: 150 }, (_, index) => `x${index}`).join(', ')};`;
  assert.is((await diagnosticsOf(many)).length, 100);
});

const bank: Readonly<Record<string, string>> = {
  'schemac.config.json': '{ "schema": ["schema"], "tests": ["tests"] }',
  'schema/account.schema':
    'CREATE AGGREGATE Account;\nCREATE COMMAND Open (id STRING, owner STRING);\nCREATE EVENT Opened (owner STRING);\n',
  'schema/open.schema':
    'CREATE DECISION DoOpen FOR Account ON COMMAND Open EMIT AS SELECT EVENT Opened (owner := :owner);\n',
  'tests/open.schema': "EXECUTE Open(id := '1', owner := 'a');\n--= ok\nEXECUTE Open(id := '1');\n--= error E0903\n",
};

async function inBank(work: (folder: string, uri: (name: string) => string) => Promise<void>): Promise<void> {
  await withTempFolder(async (folder) => {
    writeFiles(folder, bank);
    await work(folder, (name) => uriOfPath(realPathOf(join(folder, name))));
  });
}

test('the files of a configuration are one compilation', () =>
  inBank(async (folder, uri) => {
    const account = uri('schema/account.schema');
    client.open(account, bank['schema/account.schema'] ?? '');
    assert.equal((await client.settled(account)).map(shown), []);
    const at = client.textOf(account).indexOf('Opened');
    client.edit(account, at, at + 6, 'Begun');
    assert.equal((await client.settled(account)).map(shown), []);
    const other = client.published.findLast((each) => each.uri === uri('schema/open.schema'));
    assert.equal(other?.diagnostics.map(shown), ['1:73-1:79 E0201']);
    assert.is(other?.version, undefined);
    client.close(account);
    assert.is(readFileSync(join(folder, 'schema/account.schema'), 'utf8'), bank['schema/account.schema']);
  }));

test('a script is checked on top of the blocks, as test runs it', () =>
  inBank(async (_, uri) => {
    const script = uri('tests/open.schema');
    client.open(script, bank['tests/open.schema'] ?? '');
    assert.equal((await client.settled(script)).map(shown), []);
    client.edit(script, 0, 0, 'CREATE EVENT Extra ();\nEXECUTE Opn();\n');
    assert.equal((await client.settled(script)).map(shown), ['2:9-2:12 E0201']);
    client.close(script);
  }));

test('what changes on disk is seen: a file, a new one, one that is gone, the configuration', () =>
  inBank(async (folder, uri) => {
    const account = uri('schema/account.schema');
    client.open(account, bank['schema/account.schema'] ?? '');
    await client.settled(account);
    const after = async (name: string): Promise<readonly string[] | undefined> => {
      await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
        changes: [{ uri: uri(name), type: 2 }],
      });
      await client.settled(account);
      return client.published.findLast((each) => each.uri === uri(name))?.diagnostics.map(shown);
    };
    writeFileSync(join(folder, 'schema/open.schema'), 'CREATE EVENT X (a STRONG);');
    assert.equal(await after('schema/open.schema'), ['1:19-1:25 E0301']);
    writeFileSync(join(folder, 'schema/new.schema'), 'CREATE EVENT Y (b STRONG);');
    assert.equal(await after('schema/new.schema'), ['1:19-1:25 E0301']);
    rmSync(join(folder, 'schema/new.schema'));
    assert.equal(await after('schema/new.schema'), []);
    writeFileSync(join(folder, 'schemac.config.json'), '{ "schem": [] }');
    const [problem] = (await after('schemac.config.json')) ?? [];
    assert.is(problem, '1:1-1:1 undefined');
    client.close(account);
  }));

test('a file that is no UTF-8 shows why it is not read, until it is mended or its text is open', () =>
  inBank(async (folder, uri) => {
    const account = uri('schema/account.schema');
    client.open(account, bank['schema/account.schema'] ?? '');
    const name = 'schema/broken.schema';
    const after = async (): Promise<readonly unknown[] | undefined> => {
      await client.connection.sendNotification(DidChangeWatchedFilesNotification.type, {
        changes: [{ uri: uri(name), type: 2 }],
      });
      await client.settled(account);
      return client.published.findLast((each) => each.uri === uri(name))?.diagnostics.map(({ message }) => message);
    };
    writeFileSync(join(folder, name), Buffer.from('CREATE EVENT X ();\n\ufffd', 'latin1'));
    const [problem = ''] = (await after()) ?? [];
    assert.match(String(problem), 'is not UTF-8');
    client.open(uri(name), 'CREATE EVENT X ();');
    assert.equal((await client.settled(uri(name))).map(shown), ['1:14-1:15 E1002']);
    client.close(uri(name));
    writeFileSync(join(folder, name), 'CREATE EVENT X (a STRONG);');
    assert.equal((await after())?.length, 1);
    assert.is.not((await after())?.[0], problem);
    rmSync(join(folder, name));
    assert.equal(await after(), []);
    client.close(account);
  }));

test('the nearest configuration counts', () =>
  inBank(async (folder, uri) => {
    mkdirSync(join(folder, 'inner'));
    writeFiles(folder, {
      'inner/schemac.config.json': '{ "schema": ["a.schema"] }',
      'inner/a.schema': 'CREATE EVENT Opened (other INT);',
    });
    const inner = uri('inner/a.schema');
    client.open(inner, 'CREATE EVENT Opened (other INT);');
    assert.equal((await client.settled(inner)).map(shown), ['1:14-1:20 E1002']);
    client.close(inner);
  }));

test('without a save the same is sent when the typing pauses', async () => {
  const uri = 'untitled:pause';
  client.open(uri, 'CREATE EVENT E (a INT);');
  client.edit(uri, 18, 21, 'STRONG');
  const last = (): readonly string[] | undefined =>
    client.published.findLast((each) => each.uri === uri && each.version === 2)?.diagnostics.map(shown);
  for (let waited = 0; last()?.length !== 1 && waited < 30_000; waited += 10)
    await new Promise((resolve) => setTimeout(resolve, 10));
  assert.equal(last(), ['1:19-1:25 E0301']);
  client.close(uri);
});

test('a text of another scheme is left alone', async () => {
  client.open('git:/a.schema', 'CREATE');
  assert.equal((await diagnosticsOf('CREATE AGGREGATE')).length, 1);
  assert.not.ok(client.published.some(({ uri }) => uri.startsWith('git:')));
});

test.run();
