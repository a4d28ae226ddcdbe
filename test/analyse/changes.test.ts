import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { changeRegistry } from '../../compiler/analyse/incremental/change-registry.ts';
import { emptyRegistry, openRegistry } from '../../compiler/analyse/incremental/open-registry.ts';
import {
  noHistory,
  type ChangeResult,
  type Registry,
  type StoredHistory,
} from '../../compiler/analyse/environment/registry.ts';
import { findBlock, type Catalog } from '../../language/catalog/catalog.ts';
import type { BlockKind } from '../../language/contract/block-kind.ts';
import { blocksOf, compile, messagesOf, put, showChanges } from './language.ts';

const bike = `
CREATE AGGREGATE Bike;
CREATE COMMAND Rent (bike_id STRING, rider STRING);
CREATE COMMAND Return (bike_id STRING, km INT);
CREATE EVENT Rented (rider STRING);
CREATE EVENT Returned (km INT);
CREATE DECISION RentIt FOR Bike ON COMMAND Rent EMIT AS SELECT EVENT Rented (rider := :rider);
CREATE DECISION ReturnIt FOR Bike ON COMMAND Return
STATE AS SELECT LAST(event_type) AS last FROM Reg."Bike$Events" WHERE stream_id = :bike_id
EMIT AS SELECT EVENT Returned (km := :km) WHERE last = 'Rented';
CREATE PROJECTION Kilometres AS SELECT stream_id AS bike, SUM(data.km) AS km FROM Reg."Bike$Events" GROUP BY stream_id;
CREATE PROJECTION Far AS SELECT bike FROM Reg."Kilometres" WHERE km > 100;
`;

function drop(registry: Registry, kind: BlockKind, name: string): ChangeResult {
  return changeRegistry(registry, { put: [], drop: [{ kind, name }], mode: 'script', forward: [], history: noHistory });
}

/** The typed blocks that a change replaced; all others are the same objects. */
function retyped(before: Catalog, after: Catalog): readonly string[] {
  return Object.values(after.blocks)
    .flat()
    .filter((block) => findBlock(before, block.kind, block.name) !== block)
    .map((block) => `${block.kind} ${block.name}`);
}

/** Runs a text statement by statement; each one knows the statements after it. */
function runScript(text: string): { readonly lines: readonly string[]; readonly registry: Registry } {
  const statements = blocksOf(text);
  let registry = emptyRegistry;
  const lines = statements.map((statement, index) => {
    const change = {
      put: [statement],
      drop: [],
      mode: 'script',
      forward: statements.slice(index + 1),
      history: noHistory,
    } as const;
    const result = changeRegistry(registry, change);
    registry = result.registry;
    const completed = (result.completed ?? []).map(({ name }) => `; ${name} is complete`).join('');
    return [...showChanges(result), ...messagesOf(result)].join(', ') + completed;
  });
  return { lines, registry };
}

test('a taken name is refused; the same definition in another layout is unchanged', () => {
  const registry = compile(bike);
  const taken = put(registry, 'CREATE EVENT Rented (rider STRING, at DATE);');
  assert.equal(messagesOf(taken), [
    "E0208 event 'Rented' exists with another definition; CREATE OR REPLACE replaces it",
  ]);
  assert.equal(
    taken.diagnostics[0]?.related.map((related) => related.message),
    ['first declared here'],
  );
  assert.is(taken.registry, registry);
  assert.equal(showChanges(put(registry, 'create event Rented(rider TEXT -- the same\n);')), [
    'unchanged event Rented',
  ]);
  assert.equal(showChanges(put(registry, 'create event Rented( rider   STRING );')), ['unchanged event Rented']);
  assert.equal(showChanges(put(registry, 'CREATE OR REPLACE EVENT Rented (rider STRING);')), [
    'unchanged event Rented',
  ]);
});

test('two definitions of one block in one change are checked in order', () => {
  assert.equal(
    showChanges(put(emptyRegistry, 'CREATE EVENT E (); CREATE EVENT E (); CREATE OR REPLACE EVENT E (a INT);')),
    ['created event E', 'unchanged event E', 'replaced event E'],
  );
});

test('a change compiles the blocks it touches and their dependents again, and no others', () => {
  const { catalog } = compile(bike);
  const registry = openRegistry(catalog);
  const wider = put(registry, 'CREATE OR REPLACE EVENT Returned (km BIGINT);');
  assert.equal(messagesOf(wider), []);
  assert.equal(retyped(catalog, wider.registry.catalog), [
    'aggregate Bike',
    'event Returned',
    'decision ReturnIt',
    'projection Kilometres',
  ]);
  const alone = put(registry, 'CREATE COMMAND Other (id STRING);');
  assert.equal(retyped(catalog, alone.registry.catalog), ['command Other']);
  const guard = put(
    registry,
    'CREATE OR REPLACE DECISION RentIt FOR Bike ON COMMAND Rent EMIT AS SELECT EVENT Rented (rider := :rider) WHERE TRUE;',
  );
  assert.equal(retyped(catalog, guard.registry.catalog), ['decision RentIt']);
});

test('a registry opened from its catalog is the same registry', () => {
  const { catalog } = compile(bike);
  const opened = openRegistry(JSON.parse(JSON.stringify(catalog)) as Catalog);
  assert.equal(opened.catalog, catalog);
  assert.equal(opened.tree('projection', 'far')?.name.text, 'Far');
  const again = put(opened, bike);
  assert.equal(new Set(again.changes.map((change) => change.change)), new Set(['unchanged']));
});

test('a change that would break blocks is refused with their names', () => {
  const registry = compile(bike);
  const broken = put(registry, 'CREATE OR REPLACE EVENT Returned (miles INT);');
  assert.equal(messagesOf(broken), [
    "E0419 decision 'ReturnIt' would no longer compile: event 'Returned' has no field 'km'; there is miles",
    "E0419 projection 'Kilometres' would no longer compile: no event of 'Bike' carries a field 'km'; there is data.rider, data.miles",
  ]);
  assert.is(broken.registry, registry);
  const together = put(
    registry,
    `CREATE OR REPLACE EVENT Returned (miles INT);
CREATE OR REPLACE DECISION ReturnIt FOR Bike ON COMMAND Return EMIT AS SELECT EVENT Returned (miles := :km);
CREATE OR REPLACE PROJECTION Kilometres AS SELECT stream_id AS bike, SUM(data.miles) AS km FROM Reg."Bike$Events" GROUP BY stream_id;`,
  );
  assert.equal(messagesOf(together), []);
});

test('a refused DROP lists the blocks that refer to the dropped one', () => {
  const registry = compile(bike);
  assert.equal(messagesOf(drop(registry, 'aggregate', 'Bike')), [
    "E0420 aggregate 'Bike' is used by decision 'RentIt', decision 'ReturnIt', projection 'Kilometres'",
  ]);
  assert.equal(messagesOf(drop(registry, 'projection', 'Kilometres')), [
    "E0420 projection 'Kilometres' is used by projection 'Far'",
  ]);
  assert.equal(messagesOf(drop(registry, 'event', 'Rentd')), [
    "E0201 there is no event 'Rentd'; did you mean 'Rented'?",
  ]);
  assert.equal(showChanges(drop(registry, 'projection', 'far')), ['dropped projection Far']);
  assert.equal(messagesOf(drop(registry, 'decision', 'ReturnIt')), [
    "E0419 projection 'Kilometres' would no longer compile: no decision for 'Bike' emits an event with 'km' yet; event 'Returned' has it",
  ]);
});

test('an event that would clash with another event of its aggregate is refused', () => {
  const registry = compile(bike);
  assert.equal(messagesOf(put(registry, 'CREATE OR REPLACE EVENT Rented (rider STRING, km BOOLEAN);')), [
    "E0419 aggregate 'Bike' would no longer compile: events 'Rented' and 'Returned' of 'Bike' give 'km' types with no common supertype (BOOLEAN, INT)",
  ]);
});

test('the events of an aggregate come from decisions, TO, and history', () => {
  const registry = compile(`${bike}
CREATE AGGREGATE Log;
CREATE COMMAND Note (log_id STRING, text STRING);
CREATE EVENT Noted (text VARCHAR(10));
CREATE EVENT Old (text STRING SENSITIVE, km BIGINT);
CREATE DECISION NoteIt FOR Log ON COMMAND Note EMIT AS SELECT EVENT Noted (text := :text) TO Bike('b'), SELECT EVENT Noted (text := :text);`);
  const events = ({ catalog }: Registry): unknown =>
    catalog.blocks.aggregate.map(({ name, events: landed, payload }) => [
      name,
      landed,
      payload.map((field) => field.name),
    ]);
  assert.equal(events(registry), [
    ['Bike', ['Noted', 'Rented', 'Returned'], ['text', 'rider', 'km']],
    ['Log', ['Noted'], ['text']],
  ]);
  const history: StoredHistory = {
    ...noHistory,
    landed: [
      { aggregate: 'Bike', event: 'Old' },
      { aggregate: 'Bike', event: 'Gone' },
    ],
  };
  const change = put(
    registry,
    'CREATE OR REPLACE DECISION NoteIt FOR Log ON COMMAND Note EMIT AS SELECT EVENT Noted (text := :text);',
    { history },
  );
  assert.equal(events(change.registry), [
    ['Bike', ['Old', 'Rented', 'Returned'], ['text', 'km', 'rider']],
    ['Log', ['Noted'], ['text']],
  ]);
  const text = change.registry.catalog.blocks.aggregate[0]?.payload.map(({ type, sensitive }) => [
    type.kind,
    sensitive,
  ]);
  assert.equal(text, [
    ['STRING', true],
    ['BIGINT', false],
    ['STRING', false],
  ]);
});

test('blocks may be named before they are created', () => {
  const { lines, registry } = runScript(`
CREATE DECISION Pour FOR Cask ON COMMAND Draw STATE AS SELECT left_ FROM Reg."Level" WHERE cask = :cask_id EMIT AS SELECT EVENT Drawn (litres := :litres) WHERE left_ >= :litres;
CREATE AGGREGATE Cask (cask_id STRING KEY, level INT DEFAULT 0 AS SUM(CASE event_type WHEN 'Topped' THEN data.litres END));
CREATE COMMAND Draw (cask_id STRING, litres INT);
CREATE EVENT Drawn (litres INT);
CREATE PROJECTION Level AS SELECT stream_id AS cask, SUM(data.litres) AS left_ FROM Reg."Cask$Events" GROUP BY stream_id;
CREATE DECISION Bad FOR Barrel ON COMMAND Draw EMIT AS SELECT EVENT Drawn (litres := 1);
CREATE DECISION Worse FOR Cask ON COMMAND Draw EMIT AS SELECT EVENT Drawn (litre := 1);`);
  assert.equal(lines, [
    'created decision Pour waits',
    'created aggregate Cask waits',
    'created command Draw',
    'created event Drawn',
    'created projection Level; Pour is complete; Cask is complete',
    "E0410 command 'Draw' is already decided by 'Pour', E0201 there is no aggregate 'Barrel'; there is Cask"
      .split(', ')
      .reverse()
      .join(', '),
    "E0410 command 'Draw' is already decided by 'Pour', E0202 event 'Drawn' has no field 'litre'; did you mean 'litres'?",
  ]);
  assert.equal(registry.waiting, []);
});

test('a waiting block has a tree and a name, and is not in the catalog', () => {
  const [first, second] = blocksOf(
    'CREATE PROJECTION A AS SELECT * FROM Reg."B"; CREATE PROJECTION B AS SELECT 1 AS n;',
  );
  assert.ok(first !== undefined && second !== undefined);
  const change = { put: [first], drop: [], mode: 'script', forward: [second], history: noHistory } as const;
  const waits = changeRegistry(emptyRegistry, change);
  assert.equal(waits.registry.catalog.blocks.projection, []);
  assert.equal(
    waits.registry.waiting.map(({ block, waitsFor }) => [block.name, waitsFor]),
    [['A', ["projection 'B'"]]],
  );
  assert.equal(waits.registry.tree('projection', 'A')?.kind, 'CreateProjection');
  assert.equal(showChanges(changeRegistry(waits.registry, change)), ['unchanged projection A waits']);
  const refused = put(waits.registry, 'CREATE PROJECTION C AS SELECT n FROM Reg."A";');
  assert.equal(messagesOf(refused).length, 1);
});

test('a later block with errors does not make earlier blocks fail', () => {
  const { lines } = runScript(`
CREATE AGGREGATE Cask;
CREATE COMMAND Draw (cask_id STRING, litres INT);
CREATE EVENT Drawn (litres INT);
CREATE PROJECTION Level AS SELECT SUM(data.litres) AS left_ FROM Reg."Cask$Events";
CREATE DECISION Bad FOR Cask ON COMMAND Draw EMIT AS SELECT EVENT Nowhere (litres := 1);
CREATE DECISION Good FOR Cask ON COMMAND Draw EMIT AS SELECT EVENT Drawn (litres := 1);`);
  assert.equal(lines, [
    'created aggregate Cask',
    'created command Draw',
    'created event Drawn',
    'created projection Level waits',
    "E0201 there is no event 'Nowhere'; there is Drawn",
    'created decision Good; Level is complete',
  ]);
});

test('a script with its blocks in any order gives the same catalog as the files', () => {
  const { catalog } = compile(bike);
  const statements = blocksOf(bike);
  for (let shift = 0; shift < statements.length; shift++) {
    const turned = [...statements.slice(shift), ...statements.slice(0, shift)].reverse();
    let registry = emptyRegistry;
    for (const [index, statement] of turned.entries()) {
      registry = changeRegistry(registry, {
        put: [statement],
        drop: [],
        mode: 'script',
        forward: turned.slice(index + 1),
        history: noHistory,
      }).registry;
    }
    assert.is(JSON.stringify(registry.catalog) === JSON.stringify(catalog), true, `turned by ${shift}`);
  }
});

test('blocks that are not in the files are dropped', () => {
  const registry = compile(bike);
  const result = changeRegistry(registry, {
    put: blocksOf('CREATE AGGREGATE Bike; CREATE EVENT Rented (rider STRING, at DATE);'),
    drop: [],
    mode: 'files',
    forward: [],
    history: { ...noHistory, versions: [{ event: 'Rented', version: 1, text: 'CREATE EVENT Rented (rider STRING);' }] },
  });
  assert.equal(showChanges(result).slice(0, 3), [
    'unchanged aggregate Bike',
    'replaced event Rented',
    'dropped command Rent',
  ]);
  assert.equal(
    result.registry.catalog.blocks.event.map(({ name, version }) => [name, version]),
    [['Rented', 2]],
  );
});

test('the catalog keeps the instances of templates with their names', () => {
  const registry = compile('CREATE TEMPLATE T (N) AS ( CREATE EVENT {{N}} (); );');
  const [event] = blocksOf('CREATE EVENT Made ();');
  assert.ok(event !== undefined);
  const stamped = { ...event, stamp: { template: 'T', instance: 'Made' } };
  const change = { put: [stamped], drop: [], mode: 'script', forward: [], history: noHistory } as const;
  const told = changeRegistry(registry, {
    ...change,
    instances: [{ template: 'T', name: 'Made', parameters: "N = 'Made'" }],
  });
  assert.equal(told.registry.catalog.blocks.template[0]?.instances, [{ name: 'Made', parameters: "N = 'Made'" }]);
  const later = put(told.registry, 'CREATE OR REPLACE TEMPLATE T (N) AS ( CREATE EVENT {{N}} (a INT); );');
  assert.equal(later.registry.catalog.blocks.template[0]?.instances, [{ name: 'Made', parameters: "N = 'Made'" }]);
  assert.equal(changeRegistry(registry, change).registry.catalog.blocks.template[0]?.instances, [
    { name: 'Made', parameters: '' },
  ]);
});

test.run();
