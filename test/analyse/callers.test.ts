/** CLAIM, ALLOW, VISIBLE and CLEAR among the other blocks: circles, changes, drops, and definitions without them. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { changeRegistry } from '../../compiler/analyse/incremental/change-registry.ts';
import { textWithoutClauses } from '../../compiler/analyse/incremental/definition-text.ts';
import { emptyRegistry, openRegistry } from '../../compiler/analyse/incremental/open-registry.ts';
import { noHistory, type ChangeResult, type Registry } from '../../compiler/analyse/environment/registry.ts';
import { describeBlock, describeKind } from '../../compiler/describe/describe.ts';
import { hoverAt } from '../../compiler/editor/hover.ts';
import { createReadModelDefinition } from '../../compiler/emit/read-model.ts';
import type { RowClauses } from '../../language/catalog/block.ts';
import { createCatalog, findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import { exportOrder, exportRegistry } from '../../language/catalog/export-order.ts';
import type { BlockKind } from '../../language/contract/block-kind.ts';
import { compileFiles, createPartialCompiler, type SymbolTarget } from '../../compiler/index.ts';
import type { Failure } from '../../language/failure/failure.ts';
import { compileBlocks } from '../../server/registry/from-log/compile-blocks.ts';
import { blocksOf, checkFiles, compile, messagesOf, put, showChanges } from './language.ts';

const clinic = `
CREATE CLAIM patient UUID;
CREATE CLAIM teams STRING[];
CREATE AGGREGATE Booking (booking_id UUID KEY, patient_id UUID, team STRING, email STRING)
  VISIBLE WHERE patient_id = CLAIM(patient) OR team IN (SELECT m.team FROM Reg."Member$Agg" m WHERE m.member = CURRENT_USER)
             OR team = ANY (CLAIM(teams))
  CLEAR WHERE patient_id = CLAIM(patient);
CREATE AGGREGATE Member (member STRING KEY, team STRING)
  VISIBLE WHERE EXISTS (SELECT 1 FROM Reg."Teams" t WHERE t.team = 'all') OR member = CURRENT_USER;
CREATE COMMAND Book (booking_id UUID, patient_id UUID DEFAULT CLAIM(patient), team STRING, email STRING SENSITIVE)
  ALLOW WHERE HAS_ROLE('reception') OR patient_id = CLAIM(patient) MESSAGE 'only your own bookings';
CREATE COMMAND Join_ (member STRING, team STRING);
CREATE EVENT Booked (patient_id UUID, team STRING, email STRING SENSITIVE);
CREATE EVENT Joined (team STRING);
CREATE DECISION BookIt FOR Booking ON COMMAND Book
  EMIT AS SELECT EVENT Booked (patient_id := :patient_id, team := :team, email := :email);
CREATE DECISION JoinIt FOR Member ON COMMAND Join_ EMIT AS SELECT EVENT Joined (team := :team);
CREATE PROJECTION Teams VISIBLE WHERE team IN (SELECT team FROM Reg."Booking$Agg") OR HAS_ROLE('reception')
  AS SELECT DISTINCT team FROM Reg."Member$Agg";
`;

function drop(registry: Registry, kind: BlockKind, name: string): ChangeResult {
  return changeRegistry(registry, { put: [], drop: [{ kind, name }], mode: 'script', forward: [], history: noHistory });
}

/** Each clause of the relations, as it is written. */
function clauses({ blocks }: Catalog): readonly string[] {
  const text = (clause: RowClauses['visible']): string => (clause === 'all' ? 'all' : (clause?.text ?? ''));
  return [...blocks.aggregate, ...blocks.projection].map(
    ({ name, visible, clear }) => `${name}: ${text(visible)} / ${text(clear)}`,
  );
}

function runScript(text: string): { readonly lines: readonly string[]; readonly registry: Registry } {
  const statements = blocksOf(text);
  let registry = emptyRegistry;
  const lines = statements.map((statement, index) => {
    const forward = statements.slice(index + 1);
    const result = changeRegistry(registry, {
      put: [statement],
      drop: [],
      mode: 'script',
      forward,
      history: noHistory,
    });
    registry = result.registry;
    const completed = (result.completed ?? []).map(({ name }) => `; ${name} is complete`).join('');
    return [...showChanges(result), ...messagesOf(result)].join(', ') + completed;
  });
  return { lines, registry };
}

test('relations name each other in a circle, and each clause is bound', () => {
  const { catalog } = compile(clinic);
  assert.equal(clauses(catalog), [
    `Booking: patient_id = CLAIM(patient) OR team IN (SELECT m.team FROM Reg."Member$Agg" AS m WHERE m.member = CURRENT_USER) OR team = ANY(CLAIM(teams)) / patient_id = CLAIM(patient)`,
    `Member: EXISTS (SELECT 1 FROM Reg.Teams AS t WHERE t.team = 'all') OR member = CURRENT_USER / `,
    `Teams: team IN (SELECT team FROM Reg."Booking$Agg") OR HAS_ROLE('reception') / `,
  ]);
  const named = [...catalog.blocks.aggregate, ...catalog.blocks.projection].map(
    ({ name, references, clauseReferences }) => [name, references, clauseReferences],
  );
  assert.equal(named, [
    ['Booking', [], ['aggregate:Member', 'claim:patient', 'claim:teams']],
    ['Member', [], ['aggregate:Member', 'projection:Teams']],
    ['Teams', ['aggregate:Member'], ['aggregate:Booking']],
  ]);
});

test('the order of the text, and a catalog that is opened again, give the same blocks', () => {
  const { catalog } = compile(clinic);
  const statements = clinic.trim().split(/;\n(?=CREATE)/);
  for (let at = 1; at < statements.length; at++) {
    const turned = [...statements.slice(at), ...statements.slice(0, at)].map((one) => one.replace(/;$/, ''));
    assert.equal(compile(`${turned.join(';\n')};`).catalog, catalog);
  }
  const reopened = openRegistry(createCatalog(exportOrder(catalog)));
  const same = put(reopened, 'CREATE OR REPLACE COMMAND Join_ (member STRING, team STRING, since DATE NULL);');
  assert.equal(messagesOf(same), []);
  assert.equal(clauses(same.registry.catalog), clauses(catalog));
  for (const kind of ['aggregate', 'projection'] as const)
    for (const block of catalog.blocks[kind]) assert.is(findBlock(same.registry.catalog, kind, block.name), block);
});

test('as a script the blocks of a circle wait for each other, and EXPORT gives such a script', () => {
  const script = runScript(clinic);
  assert.equal(script.registry.catalog, compile(clinic).catalog);
  assert.equal(script.registry.waiting, []);
  assert.match(script.lines[2] ?? '', 'created aggregate Booking waits');
  const exported = runScript(exportRegistry(script.registry.catalog));
  assert.equal(exported.registry.catalog, script.registry.catalog);
});

test('a clause that names what the text never creates is refused with its block', () => {
  const { lines, registry } =
    runScript(`CREATE AGGREGATE Tank VISIBLE WHERE aggregate_id IN (SELECT tank FROM Reg."Owned");
    CREATE AGGREGATE Pump VISIBLE WHERE aggregate_id = CLAIM(pump);`);
  assert.equal(lines, [
    "E0206 there is no relation 'Owned'; there is Tank$Events, Tank$Agg, Pump$Events, Pump$Agg",
    "E0201 there is no claim 'pump'",
  ]);
  assert.equal([...registry.catalog.blocks.aggregate, ...registry.waiting], []);
});

test('a changed definition checks the clauses that read it again', () => {
  const registry = compile(clinic);
  const retyped = put(
    registry,
    'CREATE OR REPLACE AGGREGATE Member (member STRING KEY, team INT AS COUNT(*)) VISIBLE TO ALL;',
  );
  assert.equal(messagesOf(retyped), [
    "E0419 aggregate 'Booking' would no longer compile: IN: STRING and INT have no common type",
    "E0419 projection 'Teams' would no longer compile: IN: INT and STRING have no common type",
  ]);
  const claim = put(registry, 'CREATE OR REPLACE CLAIM patient BIGINT;');
  assert.ok(messagesOf(claim).length > 0);
  const clause = put(registry, 'CREATE OR REPLACE AGGREGATE Member (member STRING KEY, team STRING) VISIBLE TO ALL;');
  assert.equal(messagesOf(clause), []);
  const { aggregate, projection } = clause.registry.catalog.blocks;
  assert.is(findBlock(registry.catalog, 'aggregate', 'Booking'), aggregate[0]);
  assert.is(findBlock(registry.catalog, 'projection', 'Teams'), projection[0]);
  assert.is(aggregate[1]?.visible, 'all');
});

test('a relation, a claim and a function that a clause names cannot be dropped', () => {
  const registry = compile(`${clinic}CREATE FUNCTION known (t STRING) RETURNS BOOLEAN AS t <> '';
    CREATE PROJECTION Names VISIBLE WHERE known(team) AS SELECT team FROM Reg."Member$Agg";`);
  const refused = (kind: BlockKind, name: string): readonly string[] => messagesOf(drop(registry, kind, name));
  assert.equal(refused('claim', 'teams'), ["E0420 claim 'teams' is used by aggregate 'Booking'"]);
  assert.equal(refused('claim', 'patient'), ["E0420 claim 'patient' is used by aggregate 'Booking', command 'Book'"]);
  assert.equal(refused('function', 'known'), ["E0420 function 'known' is used by projection 'Names'"]);
  assert.equal(refused('projection', 'Teams'), ["E0420 projection 'Teams' is used by aggregate 'Member'"]);
  const alone = compile(
    'CREATE AGGREGATE Tank VISIBLE WHERE aggregate_id IN (SELECT aggregate_id FROM Reg."Tank$Agg");',
  );
  assert.equal(showChanges(drop(alone, 'aggregate', 'Tank')), ['dropped aggregate Tank']);
});

test('clauses have no part in tables and folds, which only keep indexes for them', () => {
  const { catalog } = compile(clinic);
  const bare = compile(exportOrder(catalog).map(textWithoutClauses).join('\n'));
  assert.equal(clauses(bare.catalog), ['Booking:  / ', 'Member:  / ', 'Teams:  / ']);
  const built = (from: typeof catalog): unknown => {
    const { meta: _, ...tables } = createReadModelDefinition(from);
    return JSON.parse(JSON.stringify(tables, (key, value: unknown) => (key === 'indexes' ? undefined : value)));
  };
  assert.equal(built(catalog), built(bare.catalog));
});

test('a clause is checked again when a definition behind its relations can fail, or changes with the time', () => {
  const behind = `${clinic}CREATE PROJECTION Late AS SELECT stream_id AS id FROM Reg."Stock$Events";
    CREATE PROJECTION Later AS SELECT id FROM Reg."Late"; CREATE AGGREGATE Stock;
    CREATE AGGREGATE Shelf VISIBLE WHERE aggregate_id IN (SELECT id FROM Reg."Later");`;
  const late = (condition: string): string =>
    `CREATE OR REPLACE PROJECTION Late AS SELECT stream_id AS id FROM Reg."Stock$Events" WHERE ${condition};`;
  const compiled = compile(behind);
  for (const registry of [compiled, openRegistry(compiled.catalog)]) {
    const shelf = "E0419 aggregate 'Shelf' would no longer compile: VISIBLE takes nothing that";
    assert.equal(messagesOf(put(registry, late('timestamp < CURRENT_TIMESTAMP'))), [
      `${shelf} changes with the time: Reg."Later"`,
    ]);
    assert.equal(messagesOf(put(registry, late('1 / seq = 1'))), [`${shelf} can fail: Reg."Later"`]);
    assert.equal(messagesOf(put(registry, late('seq > 1'))), []);
  }
});

test('functions named as words of the caller are refused, also in a log', () => {
  const text = 'CREATE FUNCTION claim (n INT) RETURNS INT AS n; CREATE FUNCTION Has_Role (n INT) RETURNS INT AS n;';
  const ending = 'before a parenthesis belongs to the language';
  assert.equal(messagesOf(checkFiles(text)), [
    `E0432 'claim' ${ending}; a function needs another name`,
    `E0432 'Has_Role' ${ending}; a function needs another name`,
  ]);
  const renamed = (name: string): string =>
    `E0432 '${name}' ${ending} since this version; rename function '${name}' with the version before, then start this one`;
  assert.equal(messagesOf(checkFiles(text, { accepted: true })), [renamed('claim'), renamed('Has_Role')]);
  const stored = { kind: 'function', name: 'claim', text: 'CREATE FUNCTION claim (n INT) RETURNS INT AS n;' } as const;
  assert.throws(
    () => compileBlocks([stored], noHistory),
    ({ code, message }: Failure) =>
      code === 'R0503' && message.includes("rename function 'claim' with the version before"),
  );
});

test('a SENSITIVE claim flows into SENSITIVE fields only, and clauses may read SENSITIVE columns', () => {
  const secret = `CREATE CLAIM ssn STRING SENSITIVE;
    CREATE COMMAND Enrol (id STRING, ssn STRING SENSITIVE DEFAULT CLAIM(ssn)) ALLOW WHERE ssn = CLAIM(ssn);
    CREATE EVENT Enrolled (open STRING, closed STRING SENSITIVE);
    CREATE AGGREGATE Person (closed STRING) VISIBLE WHERE closed = CLAIM(ssn) CLEAR WHERE closed = CLAIM(ssn);`;
  const decision = (field: string): string =>
    `CREATE DECISION E FOR Person ON COMMAND Enrol EMIT AS SELECT EVENT Enrolled (${field} := CLAIM(ssn));`;
  assert.equal(messagesOf(checkFiles(secret + decision('closed'))), []);
  assert.equal(messagesOf(checkFiles(secret + decision('open'))), [
    "E0701 field 'open' is not SENSITIVE and cannot take a value that derives from CLAIM(ssn)",
  ]);
  assert.equal(
    messagesOf(checkFiles('CREATE CLAIM a STRING SENSITIVE; CREATE COMMAND C (id STRING DEFAULT CLAIM(a));')),
    ["E0701 field 'id' is not SENSITIVE and cannot take a value that derives from a claim"],
  );
});

test('in ALLOW and clauses CURRENT_USER is the caller, elsewhere a column of that name comes first', () => {
  const { catalog } = compile(`CREATE COMMAND Rent (id STRING, current_user STRING) ALLOW WHERE current_user = 'ada';
    CREATE EVENT Rented (current_user STRING);
    CREATE DECISION RentIt FOR Bike ON COMMAND Rent
      STATE AS SELECT LAST(data.current_user) AS current_user FROM Reg."Bike$Events" WHERE stream_id = :id
      EMIT AS SELECT EVENT Rented (current_user := current_user) WHERE current_user = 'ada';
    CREATE AGGREGATE Bike (current_user STRING) VISIBLE WHERE current_user = "current_user";`);
  const kinds = (condition: unknown): readonly string[] =>
    Array.from(JSON.stringify(condition).matchAll(/"kind":"(caller|column|state|argument)"/g), ([, kind = '']) => kind);
  assert.equal(kinds(catalog.blocks.command[0]?.allow?.condition), ['caller']);
  assert.equal(kinds(catalog.blocks.decision[0]?.branches), ['state', 'state']);
  const visible = catalog.blocks.aggregate[0]?.visible;
  assert.equal(kinds(visible), ['caller', 'column']);
  assert.equal(visible === 'all' ? visible : visible?.text, 'current_user = "current_user"');
  assert.equal(compile(exportRegistry(catalog)).catalog, catalog);
});

test('ALLOW takes no query, aggregate or random value, and the current time', () => {
  const said = (condition: string): readonly string[] =>
    messagesOf(checkFiles(`CREATE COMMAND Rent (id STRING, due TIMESTAMP) ALLOW WHERE ${condition};`));
  assert.equal(said("due > CURRENT_TIMESTAMP AND CURRENT_USER = 'ada' AND 1 / LENGTH(id) = 1"), []);
  assert.equal(said('COUNT(*) > 1'), ['E0602 COUNT is not allowed in ALLOW']);
  assert.equal(said('id IN (SELECT name FROM Reg.meta_commands)'), [
    'E0412 a query is not allowed in IN (SELECT …); it reads only what is given to it',
  ]);
  assert.equal(said('RANDOM() < 0.5'), [
    'E0416 RANDOM is not allowed in ALLOW: it would give another value each time it is computed',
  ]);
});

test('a template fills in claims and clauses', () => {
  const { catalog, diagnostics } = compileFiles([
    {
      name: 'template.schema',
      text: `CREATE TEMPLATE Owned (Name, Of, Type, Role, First, Text, Fields) AS (
        CREATE CLAIM {{Of}} {{Type}} FROM {{First}}, '{{Of}}';
        CREATE AGGREGATE {{Name}} ({{Of}} {{Type}}, {{Fields}}) VISIBLE WHERE "{{Of}}" = CLAIM({{Of}}) OR HAS_ROLE({{Role}})
          CLEAR WHERE "{{Of}}" = CLAIM({{Of}});
        CREATE COMMAND Make{{Name}} (id STRING, {{Of}} {{Type}} DEFAULT CLAIM({{Of}}))
          ALLOW WHERE HAS_ROLE({{Role}}) MESSAGE '{{Text}} only';
        CREATE PROJECTION {{Name}}s VISIBLE WHERE HAS_ROLE({{Role}}) AS SELECT "{{Of}}" FROM Reg."{{Name}}$Agg";
      );
      APPLY TEMPLATE Owned WITH (Name = 'Ward', Of = 'clinic', Type = 'STRING', Role = 'nurse', First = 'org', Text = 'nurses', Fields = (beds INT));`,
    },
  ]);
  assert.equal(
    diagnostics.map(({ message }) => message),
    [],
  );
  assert.equal(
    exportOrder(catalog)
      .filter(({ kind }) => kind !== 'template')
      .map(({ text }) => text),
    [
      "CREATE CLAIM clinic STRING FROM 'org', 'clinic';",
      "CREATE AGGREGATE Ward (clinic STRING, beds INT)\n  VISIBLE WHERE clinic = CLAIM(clinic) OR HAS_ROLE('nurse')\n  CLEAR WHERE clinic = CLAIM(clinic);",
      "CREATE COMMAND MakeWard (id STRING, clinic STRING DEFAULT CLAIM(clinic))\n  ALLOW WHERE HAS_ROLE('nurse') MESSAGE 'nurses only';",
      `CREATE PROJECTION Wards\n  VISIBLE WHERE HAS_ROLE('nurse')\nAS\nSELECT clinic FROM Reg."Ward$Agg";`,
    ],
  );
});

test('DESCRIBE shows claims with their users, and clauses with the blocks that have them', () => {
  const { catalog } = compile(clinic);
  const described = (kind: 'claim' | 'aggregate' | 'command', name: string): readonly (readonly string[])[] => {
    const block = findBlock(catalog, kind, name);
    assert.ok(block);
    const shown = ['type', 'members', 'used by', 'visible', 'in the clear', 'allowed'];
    return describeBlock(catalog, block).rows.filter(([property = '']) => shown.includes(property));
  };
  assert.equal(described('claim', 'patient'), [
    ['type', 'UUID'],
    ['members', 'patient'],
    ['used by', 'aggregate Booking, command Book'],
  ]);
  assert.equal(described('aggregate', 'Member'), [
    ['visible', `where EXISTS (SELECT 1 FROM Reg.Teams AS t WHERE t.team = 'all') OR member = CURRENT_USER`],
  ]);
  assert.equal(described('command', 'Book'), [
    ['allowed', "where HAS_ROLE('reception') OR patient_id = CLAIM(patient)"],
  ]);
  assert.equal(describeKind(catalog, 'claim').rows, [
    ['patient', 'UUID'],
    ['teams', 'STRING[]'],
  ]);
});

test('a hover explains the words for the caller where it is known', () => {
  const text = `SELECT CURRENT_USER, HAS_ROLE('a'); CREATE PROJECTION P AS SELECT has_role FROM Reg."Member$Agg";`;
  const file = { name: 'a.schema', text };
  const { catalog, symbols } = createPartialCompiler().compile([{ name: 'clinic.schema', text: clinic }]);
  const said = (word: string): string | undefined => hoverAt(file, text.indexOf(word) + 1, symbols, catalog)?.text;
  assert.match(said('CURRENT_USER') ?? '', 'The subject of the caller');
  assert.match(said('HAS_ROLE') ?? '', 'Whether the caller has the role');
  assert.is(said('has_role'), undefined);
});

test('an editor finds the names in clauses', () => {
  const { symbols } = createPartialCompiler().compile([{ name: 'clinic.schema', text: clinic }]);
  const placesOf = (target: SymbolTarget): readonly string[] =>
    symbols.references(target).map(({ file, start, end }) => {
      const line = file.text.slice(0, start).split('\n').length;
      return `${line} ${file.text.slice(start, end)}`;
    });
  assert.equal(placesOf({ kind: 'claim', name: 'patient' }), ['5 patient', '7 patient', '10 patient', '11 patient']);
  assert.equal(placesOf({ kind: 'aggregate', name: 'Member' }), ['5 Member', '17 Member', '19 Member']);
  assert.equal(placesOf({ kind: 'projection', name: 'Teams' }), ['9 Teams']);
  assert.equal(placesOf({ kind: 'aggregate', name: 'Member', part: 'team' }), ['5 team', '19 team']);
  assert.equal(placesOf({ kind: 'aggregate', name: 'Booking', part: 'patient_id' }), ['5 patient_id', '7 patient_id']);
  assert.equal(placesOf({ kind: 'command', name: 'Book', part: 'patient_id' }), ['11 patient_id', '16 patient_id']);
});

test.run();
