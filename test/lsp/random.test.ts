import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { CompletionRequest, HoverRequest, type Diagnostic } from 'vscode-languageserver-protocol/node';
import { compileFiles, crossCheck, hasErrors, noHistory, placeOf, type SourceFile } from '../../compiler/index.ts';
import { shownDiagnostic } from '../../cli/lsp/diagnostic.ts';
import { uriOfPath } from '../../cli/lsp/file-uri.ts';
import { realPathOf } from '../../cli/lsp/project-files.ts';
import { createWorkspace } from '../../cli/lsp/workspace.ts';
import { sortedDiagnostics } from '../../language/diagnostics/sort.ts';
import { createChance } from '../crash/chance.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { runToolHere } from '../kit/tool-here.ts';
import { root } from '../kit/tool.ts';
import { bank } from './bank.ts';
import { openClient, type Client } from './client.ts';
import { editRandomly } from './random-edits.ts';

const seed = Number(process.env['SCHEMAC_SEED'] ?? Date.now() % 2 ** 31);
/** Number of bursts, of ten edits each. */
const bursts = Number(process.env['SCHEMAC_EDIT_BURSTS'] ?? 25);

/** Findings of `check --max-diagnostics 0` about the text, as the editor shows them. */
function checked(uri: string, text: string): readonly Diagnostic[] {
  const file: SourceFile = { name: uri, text: text.replace(/\p{Surrogate}/gu, '\ufffd') };
  const { diagnostics, registry } = compileFiles([file], noHistory, Infinity);
  const all = hasErrors(diagnostics)
    ? diagnostics
    : sortedDiagnostics([...diagnostics, ...crossCheck(registry)], [file], Infinity);
  return all.slice(0, 100).map((each) => shownDiagnostic(each, (name) => name));
}

test(`after bursts of random edits the diagnostics are those of check (SCHEMAC_SEED=${seed})`, async () => {
  const client = await openClient();
  const chance = createChance(seed);
  const uri = 'untitled:random';
  client.open(uri, bank);
  for (let burst = 0; burst < bursts; burst++) {
    for (let edit = 0; edit < 10; edit++) editRandomly(client, uri, chance, bank);
    const position = client.positionOf(uri, chance.below(client.textOf(uri).length + 1));
    await client.connection.sendRequest(CompletionRequest.type, { textDocument: { uri }, position });
    await client.connection.sendRequest(HoverRequest.type, { textDocument: { uri }, position });
    const text = client.textOf(uri);
    assert.equal(await client.settled(uri), checked(uri, text), `burst ${burst}: ${JSON.stringify(text)}`);
  }
  assert.equal([await client.stop(), client.said()], [0, '']);
});

/** Texts in which a statement alone reads otherwise than in its text. */
const inTheirText: Readonly<Record<string, string>> = {
  'a byte order mark before a later statement': 'CREATE AGGREGATE A;\ufeffCREATE EVENT E (x INT);',
  'a byte order mark before the first statement': '\ufeffCREATE EVENT E (x INT);\nCREATE AGGREGATE A;',
  'a forbidden character in a comment behind a statement': 'CREATE AGGREGATE A; -- \0\nCREATE EVENT E (x INT);',
  'a forbidden character in the last comment': 'CREATE AGGREGATE A; -- \0',
  'a doc comment behind a statement': 'CREATE AGGREGATE A; --- \n--- E\nCREATE EVENT E (x INT);',
};
for (const [what, text] of Object.entries(inTheirText))
  test(`the diagnostics are those of check with ${what}`, async () => {
    const client = await openClient();
    const uri = 'untitled:in-its-text';
    client.open(uri, text);
    assert.equal(await client.settled(uri), checked(uri, text));
    // A byte order mark that was at the start of the text no longer is, and the statements are known.
    client.edit(uri, 0, 0, "CREATE ENUM X AS ('x');\n");
    assert.equal(await client.settled(uri), checked(uri, client.textOf(uri)));
    await client.stop();
  });

test('names are suggested in the order of the text after two blocks changed places', async () => {
  const client = await openClient();
  const uri = 'untitled:order';
  const [first, second] = ['P', 'Q'].map(
    (name) => `CREATE PROJECTION ${name} AS SELECT stream_id FROM Reg."A$Events";\n`,
  );
  const text = `${first}${second}CREATE AGGREGATE A;\nCREATE PROJECTION R AS SELECT * FROM Reg.Nothing;\n`;
  client.open(uri, text);
  const before = await client.settled(uri);
  client.edit(uri, 0, `${first}${second}`.length, `${second}${first}`);
  const after = await client.settled(uri);
  assert.equal(after, checked(uri, client.textOf(uri)));
  assert.not.equal(after, before);
  await client.stop();
});

const bikes = join(root, 'examples/bike-rental');
const texts: Readonly<Record<string, string>> = {
  'schema/bike.schema': readFileSync(join(bikes, 'schema/bike.schema'), 'utf8'),
  'schema/more.schema': `CREATE ENUM Light AS ('on', 'off');
CREATE TEMPLATE Thing WITH (Entity) AS CREATE EVENT {{Entity}}Lit (light Light); END TEMPLATE;
APPLY TEMPLATE Thing WITH (Entity = 'Bike');
CREATE PROJECTION Lit AS SELECT COUNT(*) AS n FROM Reg."Bike$Events" WHERE event_type = 'BikeRented';
`,
  'schema/read-models.schema': readFileSync(join(bikes, 'schema/read-models.schema'), 'utf8'),
  'tests/rental.schema': readFileSync(join(bikes, 'tests/rental.schema'), 'utf8'),
};
const names = Object.keys(texts);

/** In the form of `check --json`, with lines and columns as that counts them. */
function asChecked(client: Client, uriOf: (name: string) => string): readonly unknown[] {
  const fileOf = new Map(names.map((name) => [uriOf(name), name]));
  const ranged = (uri: string, { start, end }: Diagnostic['range']): object => {
    const file: SourceFile = { name: fileOf.get(uri) ?? uri, text: client.textOf(uri) };
    const [from, to] = [start, end].map((each) => placeOf(file, client.offsetOf(uri, each)));
    return { file: file.name, line: from?.line, column: from?.column, end_line: to?.line, end_column: to?.column };
  };
  return names
    .filter((name) => name.startsWith('schema/'))
    .flatMap((name) =>
      shownOf(client, uriOf(name)).map(({ code, severity, message, range, relatedInformation = [] }) => ({
        code,
        severity: severity === 1 ? 'error' : 'warning',
        message,
        ...ranged(uriOf(name), range),
        related: relatedInformation.map((second) => ({
          message: second.message,
          ...ranged(second.location.uri, second.location.range),
        })),
      })),
    );
}

function shownOf({ published }: Client, uri: string): readonly Diagnostic[] {
  return published.findLast((each) => each.uri === uri)?.diagnostics ?? [];
}

/** Findings of the command about the texts on disk, at most 100 of each file. */
async function byCommand(client: Client, uriOf: (name: string) => string): Promise<readonly unknown[]> {
  return withTempFolder(async (folder) => {
    writeFiles(folder, Object.fromEntries(names.map((name) => [name, client.textOf(uriOf(name))])));
    const words = ['check', 'schema', '--json', '--max-diagnostics', '0'];
    const { diagnostics } = JSON.parse((await runToolHere(words, { cwd: folder })).stdout) as {
      readonly diagnostics: readonly {
        readonly file: string;
        readonly related?: readonly object[];
        readonly fix?: object;
        readonly other_fixes?: object;
      }[];
    };
    return names.flatMap((name) =>
      diagnostics
        .filter(({ file }) => file === name)
        .slice(0, 100)
        .map(({ fix: _fix, other_fixes: _others, related = [], ...found }) => ({ ...found, related })),
    );
  });
}

/** Findings of a server that has not seen the edits, only their result. */
function freshly(client: Client, uris: readonly string[]): Readonly<Record<string, readonly Diagnostic[]>> {
  const workspace = createWorkspace();
  const opened = uris.map((uri) => workspace.open(uri, 1, client.textOf(uri)));
  const project = workspace.projectOf(opened[0]?.file.name ?? '');
  return Object.fromEntries(
    uris.map((uri, index) => [
      uri,
      project
        .diagnostics()
        .filter(({ span }) => span.file.name === opened[index]?.file.name)
        .slice(0, 100)
        .map((each) => shownDiagnostic(each, workspace.uriOf)),
    ]),
  );
}

test('so they are over the files and scripts of a project, and as the command says them', () =>
  withTempFolder(async (folder) => {
    writeFiles(folder, { 'schemac.config.json': '{ "schema": ["schema"], "tests": ["tests"] }', ...texts });
    const uriOf = (name: string): string => uriOfPath(realPathOf(join(folder, name)));
    const uris = names.map(uriOf);
    const client = await openClient();
    const chance = createChance(seed);
    for (const name of names) client.open(uriOf(name), texts[name] ?? '');
    for (let burst = 0; burst * 3 < bursts; burst++) {
      const edited = Array.from({ length: 1 + chance.below(3) }, () => names[chance.below(names.length)] ?? '');
      for (const name of edited)
        for (let edit = 0; edit < 4; edit++) editRandomly(client, uriOf(name), chance, texts[name] ?? '');
      await client.settled(uriOf(edited[0] ?? ''));
      const said = `burst ${burst}: ${JSON.stringify(uris.map(client.textOf))}`;
      assert.equal(Object.fromEntries(uris.map((uri) => [uri, shownOf(client, uri)])), freshly(client, uris), said);
      if (burst % 4 === 0) assert.equal(asChecked(client, uriOf), await byCommand(client, uriOf), said);
      // Errors in each file leave little to compare.
      if (burst % 5 === 4)
        for (const uri of uris)
          client.edit(uri, 0, client.textOf(uri).length, texts[names[uris.indexOf(uri)] ?? ''] ?? '');
    }
    assert.equal([await client.stop(), client.said()], [0, '']);
  }));

test.run();
