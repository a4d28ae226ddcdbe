import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import { formatScript } from '../../compiler/syntax/format/format-script.ts';
import { parseQuery } from '../../compiler/syntax/parse-query.ts';
import { parseExpression, parseScript } from '../../compiler/syntax/parse.ts';
import { printStatement } from '../../compiler/syntax/print.ts';
import { keyword } from '../../compiler/syntax/tokens/vocabulary.ts';
import { normalise } from './normalise.ts';
import { sampleScripts } from './sample-scripts.ts';

const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000_000);
const settings = { seed, numRuns: Number(process.env['SCHEMAC_PARSER_RUNS'] ?? 1_500) };

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

/** For any text: no throw, a place in the text for each diagnostic, an error for each statement that does not parse, print and read again. */
function assertHolds(text: string): void {
  const file = { name: 'x', text };
  const { statements, diagnostics } = parseScript(file);
  for (const { span, severity, code } of diagnostics) {
    assert.ok(span.file === file && span.start >= 0 && span.start <= span.end && span.end <= text.length, code);
    // The one thing that a parser can only suspect is where a template was meant to end.
    assert.is(severity, code === 'E0515' ? 'warning' : 'error');
  }
  let end = 0;
  for (const { span, textSpan, statement, diagnostics: own } of statements) {
    assert.ok(end <= span.start && span.start < span.end && span.end <= textSpan.end, 'statements in order');
    assert.is(statement === undefined, own.some(isError));
    end = textSpan.end;
    if (statement === undefined) continue;
    const again = parseScript({ name: 'printed', text: printStatement(statement) }).statements;
    assert.equal(
      again.map((found) => normalise(found.statement)),
      [normalise(statement)],
    );
  }
  assert.is(formatScript(file).text === undefined, diagnostics.some(isError));
  parseQuery(file);
  parseExpression(file);
}

const words = [
  ...Object.keys(keyword),
  'a',
  'b',
  'data',
  'Reg',
  '"Bike$Events"',
  'STRING',
  'INT',
  "'x'",
  '7',
  '7.50',
  ':p',
];
const signs = [
  '(',
  ')',
  '(',
  ')',
  ',',
  ',',
  ';',
  '.',
  '=',
  '<>',
  '<',
  '+',
  '-',
  '*',
  '/',
  '||',
  '->>',
  '::',
  ':=',
  '--\n',
  '/* */',
];
const pieces = [
  ...signs,
  '{{',
  '}}',
  '{{A}}',
  "'",
  '"',
  '/*',
  '--',
  '\0',
  '\ud800',
  '\ufeff',
  '\n',
  '@',
  '$',
  ':',
  '1e',
  '_',
  'é',
];

test(`any characters (seed ${seed})`, () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), assertHolds), settings);
});

test(`any words of the language (seed ${seed})`, () => {
  const soup = fc.array(fc.constantFrom(...words, ...words, ...pieces), { maxLength: 40 });
  fc.assert(
    fc.property(soup, (parts) => assertHolds(parts.join(' '))),
    settings,
  );
});

test(`scripts with a piece removed or inserted (seed ${seed})`, () => {
  const statements = sampleScripts().flatMap((file) =>
    parseScript(file).statements.map(({ textSpan }) => file.text.slice(textSpan.start, textSpan.end)),
  );
  const change = fc.record({
    text: fc.constantFrom(...statements),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat({ max: 12 }),
    put: fc.constantFrom('', ...words, ...pieces),
  });
  fc.assert(
    fc.property(change, ({ text, at, cut, put }) => {
      const place = Math.floor(at * text.length);
      assertHolds(`${text.slice(0, place)}${put}${text.slice(place + cut)}\nSELECT 1;`);
    }),
    settings,
  );
});

const codes = (diagnostics: readonly Diagnostic[]): readonly string[] => diagnostics.map(({ code }) => code);

/** Ways to nest, around a `1`. */
const nests: readonly (readonly [string, string])[] = [
  ['(', ')'],
  ['f(', ')'],
  ['1 + (', ')'],
  ['(SELECT ', ')'],
  ['(SELECT a FROM t WHERE b = ', ')'],
  ['EXISTS (SELECT 1 FROM t JOIN u ON ', ')'],
  ['CASE WHEN a THEN ', ' END'],
  ['NOT ', ''],
  ['- ', ''],
  ['a IN (', ')'],
  ['CAST(', ' AS INT)'],
];
for (const [open, close] of nests) {
  test(`190 levels of ${open} parse`, () => {
    const text = `SELECT ${open.repeat(190)}1${close.repeat(190)};`;
    assert.equal(codes(parseScript({ name: 'x', text }).diagnostics), []);
    assertHolds(text);
  });
  test(`201 and more levels of ${open} are refused`, () => {
    for (const times of [201, open.length < 5 ? 100_000 : 20_000]) {
      const { diagnostics } = parseScript({
        name: 'x',
        text: `SELECT ${open.repeat(times)}1${close.repeat(times)};\nSELECT +;`,
      });
      assert.equal(codes(diagnostics), ['E0112', 'E0101']);
    }
  });
}

test('long chains of operators parse up to their limit', () => {
  for (const link of [' + 1', ' OR a', ' || a', '::INT', ' IS NULL', "->>'a'"]) {
    assertHolds(`SELECT a${link.repeat(1000)};`);
    for (const times of [2_000, 20_000]) {
      assert.equal(
        codes(parseScript({ name: 'x', text: `SELECT a${link.repeat(times)};` }).diagnostics),
        ['E0112'],
        link,
      );
    }
  }
  assertHolds(`SELECT 1${' UNION ALL SELECT 1'.repeat(1000)};`);
  assertHolds(`SELECT 1 FROM t${' CROSS JOIN t'.repeat(1000)};`);
  assert.equal(codes(parseScript({ name: 'x', text: `SELECT 1${' UNION SELECT 1'.repeat(20_000)};` }).diagnostics), [
    'E0112',
  ]);
});

test('wide statements do not count as deep', () => {
  assertHolds(`SELECT ${'1, '.repeat(3_000)}1;`);
  assertHolds(`CREATE TABLE t AS VALUES ${"(1, 'a'), ".repeat(1_500)}(1, 'a');`);
  const { diagnostics } = parseScript({ name: 'x', text: `SELECT ${'1, '.repeat(300_000)}1;` });
  assert.equal(codes(diagnostics), ['E0113']);
});

test('large texts parse in limited time', () => {
  const megabyte = 'x'.repeat(1024 * 1024);
  for (const text of [
    `SELECT '${megabyte}'`,
    `SELECT '${megabyte}`,
    `SELECT "${megabyte}"`,
    `-- ${megabyte}`,
    `/*${megabyte}`,
    megabyte,
  ]) {
    assertHolds(text);
  }
  const quotes = { name: 'x', text: `SELECT ${'"a" AS '.repeat(100_000)}` };
  assert.equal(codes(parseScript(quotes).diagnostics), ['E0101']);
  const signs = { name: 'x', text: ';'.repeat(10 * 1024 * 1024) };
  assert.equal(parseScript(signs), { statements: [], diagnostics: [] });
  const tooLarge = { name: 'x', text: `SELECT 1;${' '.repeat(10 * 1024 * 1024)}` };
  assert.equal(codes(parseScript(tooLarge).diagnostics), ['E0111']);
  const tooLargeInBytes = { name: 'x', text: `-- ${'é'.repeat(6 * 1024 * 1024)}` };
  assert.equal(codes(parseScript(tooLargeInBytes).diagnostics), ['E0111']);
});

test('a byte order mark is skipped only at the start of a text', () => {
  assert.equal(codes(parseScript({ name: 'x', text: '\ufeffSELECT 1;' }).diagnostics), []);
  assert.equal(codes(parseScript({ name: 'x', text: 'SELECT \ufeff1;' }).diagnostics), ['E0104']);
});

const values = JSON.parse(readFileSync(new URL('hostile-values.json', import.meta.url), 'utf8')) as readonly {
  readonly id: string;
  readonly value: string | { readonly length: number };
}[];

for (const { id, value } of values) {
  const text = typeof value === 'string' ? value : 'x'.repeat(value.length);
  test(`hostile value ${id} in every position`, () => {
    const string = `'${text.replaceAll("'", "''")}'`;
    const name = `"${text.replaceAll('"', '""')}"`;
    const places = [
      `SELECT ${string} AS a;`,
      `SELECT 1 AS ${name};`,
      `SELECT ${name}.${name}(${name}) FROM ${name} WHERE :${name} = ${string};`,
      `CREATE EVENT ${name} (${name} INT);`,
      `CREATE DECISION D FOR A ON COMMAND C AS BRANCH ${name} SELECT EVENT E (${name} := ${string}) WHERE a = ${string};`,
      `CREATE EVENTSTORE s WITH (durable.path = ${string}, a.${name} = ENV(${string}));`,
      `CREATE TEMPLATE T (A) AS (CREATE PROJECTION P AS SELECT ${string}, ${name};);`,
      `APPLY TEMPLATE T WITH (A = ${string});`,
      `SELECT 1 /* ${text} */ -- ${text}\n;`,
      `SELECT ${text};`,
      `CREATE AGGREGATE ${text};`,
      text,
    ];
    for (const place of places) assertHolds(place);
    const [statement] = parseScript({ name: 'x', text: places[0] ?? '' }).statements;
    const refused = /\0|\p{Surrogate}/u.test(text);
    assert.is(statement?.statement === undefined, refused);
  });
}

test.run();
