import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  compileFiles,
  createPartialCompiler,
  parseScript,
  placeOf,
  writtenSpan,
  type Catalog,
  type Diagnostic,
  type SourceFile,
  type Span,
  type SymbolTarget,
} from '../../compiler/index.ts';
import { createChance, type Chance } from '../crash/chance.ts';
import { root } from '../kit/tool.ts';

const seed = Number(process.env['SCHEMAC_SEED'] ?? Date.now() % 2 ** 31);
const runs = Number(process.env['SCHEMAC_RUNS'] ?? 2);
/** The number of compared texts with errors. */
let compared = 0;

function namesIn(catalog: Catalog): string {
  return Object.values(catalog.blocks)
    .flatMap((blocks: readonly { readonly name: string }[]) => blocks.map(({ name }) => name))
    .join(' ');
}

/** Each block as text, so that a difference shows which. */
function plain(catalog: Catalog): readonly string[] {
  return Object.values(catalog.blocks).flatMap((blocks: readonly object[]) =>
    blocks.map((block) => JSON.stringify(block)),
  );
}

function compile(text: string) {
  return createPartialCompiler().compile([{ name: 'a.schema', text }]);
}

const bank = `
  CREATE AGGREGATE Account (owner STRING AS LAST(data.owner));
  CREATE EVENT Opened (owner STRING);
  CREATE COMMAND Open (id STRING, owner STRING);
  CREATE DECISION DoOpen FOR Account ON COMMAND Open EMIT AS SELECT EVENT Opened (owner := :owner);
  CREATE PROJECTION Owners AS SELECT aggregate_id, owner FROM Reg."Account$Agg";
  CREATE PROJECTION Count AS SELECT COUNT(*) AS n FROM Reg.Owners;
  CREATE EVENT Other (n INT);`;

/** The bank with one change: the remaining blocks, and the codes. */
const broken: readonly (readonly [what: string, from: string, to: string, left: string, said: string])[] = [
  ['nothing', '', '', 'Account Open Opened Other DoOpen Count Owners', ''],
  ['a statement', 'PROJECTION Count AS', 'PROJECTION Count', 'Account Open Opened Other DoOpen Owners', 'E0101'],
  ['a name in a query', 'COUNT(*)', 'COUNT(x)', 'Account Open Opened Other DoOpen Owners', 'E0203'],
  ['a projection that another reads', 'owner FROM', 'nobody FROM', 'Account Open Opened Other DoOpen', 'E0203'],
  ['the same as text', 'owner FROM', ', FROM', 'Account Open Opened Other DoOpen', 'E0101'],
  ['a command', 'id STRING', 'id STRONG', 'Opened Other', 'E0301'],
  ['a decision, without which nothing lands', ':owner', ':nobody', 'Open Opened Other', 'E0204'],
  ['an event', 'Opened (owner STRING)', 'Opened (owner STRONG)', 'Open Other', 'E0301'],
  ['the aggregate', 'Account (owner', 'Account (owner owner', 'Open Opened Other', 'E0101'],
  [
    'a comment without an end',
    'CREATE EVENT Other',
    '/* CREATE EVENT Other',
    'Account Open Opened DoOpen Count Owners',
    'E0107',
  ],
  ['two blocks', 'n INT', 'n INN', 'Account Open Opened DoOpen Count Owners', 'E0301'],
];

for (const [what, from, to, left, said] of broken)
  test(`the catalog without the broken blocks: ${what}`, () => {
    const { catalog, diagnostics } = compile(bank.replace(from, to));
    assert.equal([namesIn(catalog), diagnostics.map(({ code }) => code).join(' ')], [left, said]);
  });

/** `|` marks the position of the request. */
const symbols: readonly (readonly [text: string, target: string, declared: string, used: string])[] = [
  ['ON COMMAND |Open', 'command Open', '4:18', '5:49'],
  ['CREATE COMMAND |Open', 'command Open', '4:18', '5:49'],
  [':own|er', 'command Open.owner', '4:35', '5:93'],
  ['EVENT |Opened (owner :=', 'event Opened', '3:16', '5:75'],
  ['(owner| :=', 'event Opened.owner', '3:24', '2:55 5:83'],
  ['LAST(data.|owner)', 'aggregate Account.data.owner', '3:24', '2:55 5:83'],
  ['FOR |Account', 'aggregate Account', '2:20', '5:30 6:68'],
  ['Reg."Acc|ount$Agg"', 'aggregate Account', '2:20', '5:30 6:68'],
  [', |owner FROM', 'aggregate Account.owner', '2:29', '6:52'],
  ['FROM Reg.Own|ers', 'projection Owners', '6:21', '7:60'],
  ['CREATE |EVENT', '', '', ''],
];

function shown(spans: readonly Span[]): string {
  return spans
    .map(({ file, start }) => placeOf(file, start))
    .map(({ line, column }) => `${line}:${column}`)
    .sort()
    .join(' ');
}

function shownTarget(target: SymbolTarget | undefined): string {
  if (target === undefined) return '';
  return `${target.kind} ${target.name}${target.part === undefined ? '' : `.${target.part}`}`;
}

/** A template, an event store, a STATE, and statements of a script. */
const shop = `
  CREATE EVENTSTORE Archive WITH (durable.type = 'memory');
  CREATE TEMPLATE Counted WITH (Name TEXT, Start INT) AS
    CREATE AGGREGATE {{Name}};
    CREATE EVENT {{Name}}Counted (n INT);
    CREATE COMMAND Count{{Name}} (id STRING, n INT);
    CREATE DECISION Do{{Name}} FOR {{Name}} ON COMMAND Count{{Name}}
      STATE AS SELECT COUNT(*) AS so_far FROM Reg."{{Name}}$Events" WHERE aggregate_id = :id
      EMIT AS SELECT EVENT {{Name}}Counted (n := :n) WHERE so_far < {{start}};
  END TEMPLATE;
  APPLY TEMPLATE Counted WITH (Name = 'Sale', Start = 3);
  CREATE PROJECTION "Order" AS SELECT aggregate_id FROM Reg."Sale$Events";
  EXECUTE CountSale(id := 'a', n := 1);
  SELECT aggregate_id FROM Archive."Order";
  INSPECT DECISION DoSale FROM given INTO done USING EVENTSTORE Archive;
  DESCRIBE PROJECTION "Order";
  EXPLAIN DECISION DoSale;`;

const shopSymbols: typeof symbols = [
  ['CREATE EVENTSTORE Arch|ive', 'eventstore Archive', '2:21', '14:28 15:65'],
  ['CREATE TEMPLATE Coun|ted', 'template Counted', '3:19', '11:18'],
  ['WITH (Na|me TEXT', 'template Counted.Name', '3:33', namePlaces()],
  ['WITH (Na|me =', 'template Counted.Name', '3:33', namePlaces()],
  ['{{st|art}}', 'template Counted.Start', '3:44', '11:47 9:71'],
  ['WHERE so_|far', 'decision DoSale.so_far', '8:35', '9:60'],
  ['AS so_|far', 'decision DoSale.so_far', '8:35', '9:60'],
  ['EXECUTE Count|Sale', 'command CountSale', '6:20', '13:11 7:56'],
  [', n| := 1', 'command CountSale.n', '6:46', '13:32 9:51'],
  ['CREATE PROJECTION "Ord|er"', 'projection Order', '12:22', '14:37 16:24'],
  ['DECISION Do|Sale FROM', 'decision DoSale', '7:21', '15:20 17:20'],
];

/** The placeholders of `Name`, and its argument. */
function namePlaces(): string {
  return '11:32 4:24 5:20 6:27 7:25 7:38 7:63 8:54 9:30';
}

for (const [text, rows] of [
  [bank, symbols],
  [shop, shopSymbols],
] as const)
  for (const [marked, wanted, declared, used] of rows)
    test(`refers to: ${marked}`, () => {
      const { symbols: found } = compile(text);
      const offset = text.indexOf(marked.replace('|', '')) + marked.indexOf('|');
      const target = found.at('a.schema', offset)?.target;
      assert.is(shownTarget(target), wanted);
      if (target === undefined) return;
      assert.equal([shown(found.definitions(target)), shown(found.references(target))], [declared, used]);
    });

test('names are found next to broken blocks, and in blocks that depend on them', () => {
  const { symbols: found } = compile(bank.replace(':owner', ':nobody'));
  const owners = { kind: 'projection', name: 'Owners' } as const;
  assert.equal([shown(found.definitions(owners)), shown(found.references(owners))], ['6:21', '7:60']);
});

const examples = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => ({ name, text: schemaOf(join(root, 'examples', name, 'schema')) }));

function schemaOf(folder: string): string {
  const names = readdirSync(folder).filter((name) => name.endsWith('.schema'));
  return names.map((name) => readFileSync(join(folder, name), 'utf8')).join('\n');
}

/** The text with a word left out, doubled or exchanged somewhere between two places. */
function damaged(text: string, from: number, to: number, chance: Chance): string {
  const words = [...text.slice(from, to).matchAll(/[\w$."]+|[^\s\w]/g)].slice(2);
  const word = words[chance.below(words.length)];
  if (word === undefined) return text;
  const start = from + word.index;
  const end = start + word[0].length;
  const instead = ['', `${word[0]} ${word[0]}`, 'nonsense', '('][chance.below(4)] ?? '';
  return text.slice(0, start) + instead + text.slice(end);
}

function errorsOf(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}

/**
 * The catalog of the text without a statement, without the statements that fail then, and so on; undefined when one of
 * them is an application.
 */
function catalogWithout(text: string, index: number): Catalog | undefined {
  const statements = parseScript({ name: 'all', text }).statements;
  let left = statements.filter((_, at) => at !== index);
  for (;;) {
    let rest = ' '.repeat(text.length);
    for (const { textSpan: at } of left)
      rest = rest.slice(0, at.start) + text.slice(at.start, at.end) + rest.slice(at.end);
    const { catalog, diagnostics } = compileFiles([{ name: 'rest', text: rest }]);
    const places = errorsOf(diagnostics).map(({ span }) => writtenSpan(span).start);
    if (places.length === 0) return catalog;
    const isHeld = ({ textSpan: at }: (typeof left)[number]): boolean =>
      places.some((place) => place >= at.start && place < at.end);
    if (left.filter(isHeld).some(({ statement }) => statement?.kind === 'ApplyTemplate')) return undefined;
    left = left.filter((statement) => !isHeld(statement));
  }
}

for (const { name, text } of examples)
  test(`${name} with a broken block is ${name} without it and its dependents (seed ${seed})`, () => {
    const chance = createChance(seed);
    const statements = parseScript({ name, text }).statements;
    for (let run = 0; run < runs; run++) {
      const index = chance.below(statements.length);
      const { textSpan } = statements[index] ?? { textSpan: { start: 0, end: 0 } };
      const broken = damaged(text, textSpan.start, textSpan.end - 1, chance);
      const after = parseScript({ name, text: broken }).statements;
      const { diagnostics } = compileFiles([{ name, text: broken }]);
      const { start, end } = after[index]?.textSpan ?? textSpan;
      const places = errorsOf(diagnostics).map(({ span }) => writtenSpan(span).start);
      // If the damage joined it with other statements, or left it valid under another name, the case is different.
      if (after.length !== statements.length || !places.some((place) => place >= start && place < end)) continue;
      const wanted = catalogWithout(text, index);
      if (wanted === undefined) continue;
      compared += 1;
      assert.equal(plain(compile(broken).catalog), plain(wanted), broken.slice(textSpan.start, textSpan.end + 20));
    }
  });

test('some of the compared texts had broken blocks', () => {
  assert.ok(compared > 0);
});

test('a block that an edit does not concern stays the same object, with errors or without', () => {
  const session = createPartialCompiler();
  const blocksOf = (text: string) => session.compile([{ name: 'a.schema', text }]).catalog.blocks;
  const whole = blocksOf(bank);
  const broken = blocksOf(bank.replace('COUNT(*)', 'COUNT(x)'));
  const mended = blocksOf(bank);
  for (const kind of ['aggregate', 'event', 'command', 'decision'] as const)
    for (const later of [broken, mended]) assert.ok(whole[kind].every((block, at) => block === later[kind][at]));
  assert.is(whole.projection[1], mended.projection[1]);
});

test(`successive edits give the result of a whole compilation (seed ${seed})`, () => {
  const chance = createChance(seed);
  for (const { name, text: whole } of examples) {
    const session = createPartialCompiler();
    let text = whole;
    for (let run = 0; run < 2 * runs; run++) {
      const at = chance.below(text.length);
      text = chance.below(4) === 0 ? whole : damaged(text, at, Math.min(text.length, at + 200), chance);
      const files: readonly SourceFile[] = [{ name: 'a.schema', text }];
      const { catalog, diagnostics } = session.compile(files);
      assert.equal(diagnostics.map(told), compileFiles(files).diagnostics.map(told), `${name}:\n${text}`);
      assert.equal(plain(catalog), plain(compile(text).catalog), `${name}:\n${text}`);
    }
  }
});

test('a statement at the end of a text, whose last sign only looks like its end, goes on behind it', () => {
  const first = 'CREATE EVENT E (a INT) -- not here;';
  const longer = `${first}\nUPCAST FROM (b INT) AS (a := b); SELECT 1;`;
  const session = createPartialCompiler();
  session.compile([{ name: 'a.schema', text: first }]);
  const files = [{ name: 'a.schema', text: longer }];
  assert.equal(session.compile(files).diagnostics.map(told), compileFiles(files).diagnostics.map(told));
});

function told({ code, message, span }: Diagnostic): string {
  const { line, column } = placeOf(writtenSpan(span).file, writtenSpan(span).start);
  return `${line}:${column} ${code} ${message}`;
}

test.run();
