/** The values of an ENUM as names: over files, in scripts and in their expectations. */
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  DefinitionRequest,
  DocumentSymbolRequest,
  HoverRequest,
  PrepareRenameRequest,
  ReferencesRequest,
  RenameRequest,
  type DocumentSymbol,
  type Location,
  type MarkupContent,
  type TextDocumentEdit,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver-protocol/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { uriOfPath } from '../../cli/lsp/file-uri.ts';
import { realPathOf } from '../../cli/lsp/project-files.ts';
import { withTempFolder, writeFiles } from '../kit/temp-folder.ts';
import { openClient, type Client } from './client.ts';

/** `«…»` is the value in each place where it is one. */
const marked: Readonly<Record<string, string>> = {
  'schema/a.schema': `CREATE ENUM Light AS ('«green»', 'amber', 'Green', 'don''t');
CREATE AGGREGATE Crossing (light Light DEFAULT '«green»' AS LAST(data.light), note STRING DEFAULT 'green');
CREATE COMMAND Switch (crossing STRING, light Light DEFAULT '«green»' CHECK (light <> '«green»' OR light = 'Green'));
CREATE EVENT Switched (light Light, note STRING);
`,
  'schema/b.schema': `CREATE FUNCTION go (l Light) RETURNS BOOLEAN AS l = '«green»';
CREATE DECISION SwitchIt FOR Crossing ON COMMAND Switch
STATE AS SELECT light AS was, note FROM Reg."Crossing$Agg" WHERE aggregate_id = :crossing AND note <> 'green'
EMIT AS SELECT EVENT Switched (light := '«green»', note := 'green') WHERE was NOT IN ('amber', '«green»') AND NOT go('«green»');
CREATE PROJECTION P AS SELECT stream_id, data.light AS light, CASE data.light WHEN '«green»' THEN 'green' ELSE data.note END AS word,
  CAST('«green»' AS Light) AS best, '«green»' = data.light AS is_best FROM Reg."Crossing$Events";
`,
  'tests/a.schema': `EXECUTE Switch(crossing := 'green', light := '«green»');
--= emitted [{"event_type": "Switched", "data": {"light": "«green»", "note": "green"}}]
EXECUTE Switch(crossing := 'green', light := 'don''t');
--= rejected [{"decision": "SwitchIt", "state": {"was": "«green»"}}]
SELECT aggregate_id, light FROM Reg."Crossing$Agg" WHERE light = '«green»' AND note = 'green';
--= rows [["green", "«green»"]]
SELECT * FROM Reg.P;
--= rows [["green", "«green»", "green", "«green»", true]]
`,
};

const texts = Object.fromEntries(Object.entries(marked).map(([name, text]) => [name, text.replace(/[«»]/g, '')]));

interface Opened {
  readonly client: Client;
  readonly uri: (name: string) => string;
  /** The place of a part of a text, at `|` in it. */
  readonly at: (name: string, part: string) => { textDocument: { uri: string }; position: Position };
}
type Position = ReturnType<Client['positionOf']>;

async function inProject(work: (opened: Opened) => Promise<void>): Promise<void> {
  await withTempFolder(async (folder) => {
    writeFiles(folder, { 'schemac.config.json': '{ "schema": ["schema"], "tests": ["tests"] }', ...texts });
    const client = await openClient();
    const uri = (name: string): string => uriOfPath(realPathOf(join(folder, name)));
    for (const [name, text] of Object.entries(texts)) client.open(uri(name), text);
    for (const name of Object.keys(texts)) assert.equal(await client.settled(uri(name)), []);
    const at: Opened['at'] = (name, part) => {
      const start = (texts[name] ?? '').indexOf(part.replace('|', ''));
      assert.ok(start >= 0, part);
      return { textDocument: { uri: uri(name) }, position: client.positionOf(uri(name), start + part.indexOf('|')) };
    };
    try {
      await work({ client, uri, at });
    } finally {
      assert.equal([await client.stop(), client.said()], [0, '']);
    }
  });
}

/** `name:line:column`, from 1. */
function placesIn(found: readonly Location[], { uri }: Opened): readonly string[] {
  const names = new Map(Object.keys(texts).map((name) => [uri(name), name]));
  return found.map(({ uri: own, range }) => `${names.get(own)}:${range.start.line + 1}:${range.start.character + 1}`);
}

/** The places of `«`. */
const uses = Object.entries(marked).flatMap(([name, text]) =>
  text.split('\n').flatMap((line, index) =>
    Array.from(line.matchAll(/«/g), (mark) => {
      const before = line.slice(0, mark.index);
      return `${name}:${index + 1}:${before.replace(/[«»]/g, '').length + 1}`;
    }),
  ),
);

/** The texts after a rename. */
function applied(edit: WorkspaceEdit | null, { uri }: Opened): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => {
      const own = ((edit?.documentChanges ?? []) as TextDocumentEdit[]).filter(
        ({ textDocument }) => textDocument.uri === uri(name),
      );
      const edits = own.flatMap((each) => each.edits as TextEdit[]);
      return [name, TextDocument.applyEdits(TextDocument.create(name, '', 1, text), edits)];
    }),
  );
}

test('definition, references and hover of a value', () =>
  inProject(async (opened) => {
    const { client, at } = opened;
    const [declared, ...used] = uses;
    for (const place of [
      at('schema/b.schema', "was NOT IN ('amber', 'gr|een'"),
      at('tests/a.schema', "light := 'gr|een'"),
      at('tests/a.schema', '"light": "gr|een"'),
    ]) {
      const definition = (await client.connection.sendRequest(DefinitionRequest.type, place)) as Location[];
      assert.equal(placesIn(definition, opened), [declared]);
      const about = { ...place, context: { includeDeclaration: false } };
      const references = (await client.connection.sendRequest(ReferencesRequest.type, about)) ?? [];
      assert.equal([...placesIn(references, opened)].sort(), [...used].sort());
      const hover = await client.connection.sendRequest(HoverRequest.type, place);
      const { value } = hover?.contents as MarkupContent;
      assert.is(value, "```schemac\n'green'\n```\nvalue 1 of 4 of enum Light");
    }
    const text = at('schema/b.schema', "note <> 'gr|een'");
    assert.is(await client.connection.sendRequest(HoverRequest.type, text), null);
  }));

test('a value is renamed in all places, after a word about stored events', () =>
  inProject(async (opened) => {
    const { client, at } = opened;
    const place = at('schema/a.schema', "AS ('gr|een'");
    const edit = await client.connection.sendRequest(RenameRequest.type, { ...place, newName: `it's "go"` });
    const renamed = Object.entries(marked).map(([name, text]) => [
      name,
      text.replace(/(['"])«green»/g, (_, quote) => (quote === "'" ? `'it''s "go"` : `"it's \\"go\\"`)),
    ]);
    assert.equal(applied(edit, opened), Object.fromEntries(renamed));
    const [annotation] = Object.values(edit?.changeAnnotations ?? {});
    assert.equal(
      [annotation?.needsConfirmation, annotation?.description],
      [
        true,
        "Stored events keep 'green': a log that has events with a field of Light refuses the definition without that value.",
      ],
    );
  }));

test('a value with quotes in it is renamed as it is meant', () =>
  inProject(async (opened) => {
    const { client, at } = opened;
    const place = at('tests/a.schema', "light := 'don|''t'");
    const prepared = await client.connection.sendRequest(PrepareRenameRequest.type, place);
    assert.is((prepared as { placeholder: string }).placeholder, "don't");
    const edit = await client.connection.sendRequest(RenameRequest.type, { ...place, newName: 'stop' });
    const renamed = Object.entries(texts).map(([name, text]) => [name, text.replace("'don''t'", "'stop'")]);
    assert.equal(applied(edit, opened), Object.fromEntries(renamed));
  }));

const refusals: readonly (readonly [name: string, reason: string])[] = [
  ['amber', "enum 'Light' already has 'amber'"],
  ['', 'a value is empty'],
  ['a\0b', 'a value has a NUL or half a surrogate pair'],
  ['x'.repeat(201), 'a value has more than 200 characters'],
];
for (const [newName, reason] of refusals)
  test(`no rename of a value to ${JSON.stringify(newName.slice(0, 10))}`, () =>
    inProject(async ({ client, at }) => {
      const place = at('schema/a.schema', "AS ('gr|een'");
      const answer = await client.connection.sendRequest(RenameRequest.type, { ...place, newName }).then(
        () => 'renamed',
        (error: unknown) => (error as Error).message,
      );
      assert.is(answer, reason);
    }));

test('the name of an enum is renamed where fields, parameters and casts name it', () =>
  inProject(async (opened) => {
    const { client, at } = opened;
    const place = at('schema/a.schema', 'ENUM Lig|ht');
    const edit = await client.connection.sendRequest(RenameRequest.type, { ...place, newName: 'Colour' });
    const renamed = Object.entries(texts).map(([name, text]) => [name, text.replace(/\bLight\b/g, 'Colour')]);
    assert.equal(applied(edit, opened), Object.fromEntries(renamed));
  }));

test('values are parts of their enum among the symbols of a text', () =>
  inProject(async ({ client, uri }) => {
    const [first] = (await client.connection.sendRequest(DocumentSymbolRequest.type, {
      textDocument: { uri: uri('schema/a.schema') },
    })) as DocumentSymbol[];
    assert.equal(
      [first?.name, ...(first?.children ?? []).map(({ name }) => name)],
      ['Light', 'green', 'amber', 'Green', "don't"],
    );
  }));

test.run();
