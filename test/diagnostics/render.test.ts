import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { processorMilliseconds } from '../kit/processor-time.ts';
import type { Diagnostic } from '../../language/diagnostics/diagnostic.ts';
import { diagnosticJson } from '../../language/diagnostics/json.ts';
import { countDiagnostics, renderDiagnostic } from '../../language/diagnostics/render.ts';
import type { Span } from '../../language/source/span.ts';
import { marked } from '../kit/marked.ts';

type More = Partial<Pick<Diagnostic, 'severity' | 'message' | 'related' | 'fix'>>;
const finding = (span: Span, more: More = {}): Diagnostic => ({
  code: 'E0999',
  severity: 'error',
  message: 'wrong',
  related: [],
  span,
  ...more,
});

/** Renders one finding at the first mark; further marks are related ranges, `second`, `third`, …. */
function rendered(source: string, more: More = {}, width = 80): string {
  const { spans } = marked(source);
  const names = ['second', 'third', 'fourth'];
  const related = spans.slice(1).map((span, index) => ({ message: `${names[index]} place`, span }));
  return `\n${renderDiagnostic(finding(spans[0]!, { related, ...more }), { colour: false, width })}\n`;
}

const table: [name: string, actual: string, expected: string][] = [
  [
    'a range on one line',
    rendered('CREATE DECISION D FOR «Tonk» ON'),
    `
test.schema:1:23 error[E0999]: wrong
 1 | CREATE DECISION D FOR Tonk ON
   |                       ^^^^
`,
  ],
  [
    'an empty range, an end of line, a windows line end',
    rendered('SELECT 1 +«»\r\nSELECT'),
    `
test.schema:1:11 error[E0999]: wrong
 1 | SELECT 1 +
   |           ^
`,
  ],
  [
    'the end of a text',
    rendered('SELECT\n«»'),
    `
test.schema:2:1 error[E0999]: wrong
 2 |
   | ^
`,
  ],
  [
    'a range that ends with its line',
    rendered('a\n«bc\n»d'),
    `
test.schema:2:1 error[E0999]: wrong
 2 | bc
   | ^^
`,
  ],
  [
    'a range over several lines',
    rendered('a «b\n  cd\ne» f'),
    `
test.schema:1:3 error[E0999]: wrong
 1 | a b
   |   ^
 2 |   cd
   |   ^^
 3 | e f
   | ^
`,
  ],
  [
    'a long range is cut in its middle',
    rendered('«a\nb\nc\nd\ne\nf»'),
    `
test.schema:1:1 error[E0999]: wrong
 1 | a
   | ^
 2 | b
   | ^
 ...
 6 | f
   | ^
`,
  ],
  [
    'a second range on another line, a fix',
    rendered('a\n\n\n\n\n\n\n\nbc «d»\ne «f» g', {
      severity: 'warning',
      fix: { title: "write 'x'", span: marked('«»').spans[0]!, replacement: 'x' },
    }),
    `
test.schema:9:4 warning[E0999]: wrong
  9 | bc d
    |    ^
 10 | e f g
    |   - second place
  fix: write 'x'
`,
  ],
  [
    'several ranges on one line, far from another',
    rendered('first (a «b», «c»)\n\n\nlast «d»'),
    `
test.schema:1:10 error[E0999]: wrong
 1 | first (a b, c)
   |          ^
   |             - second place
 ...
 4 | last d
   |      - third place
`,
  ],
  [
    'tabs stand for cells up to the next stop',
    rendered('\ta\t«b»\tc'),
    `
test.schema:1:4 error[E0999]: wrong
 1 |     a   b   c
   |         ^
`,
  ],
  [
    'a marked tab',
    rendered('a«\t»b'),
    `
test.schema:1:2 error[E0999]: wrong
 1 | a   b
   |  ^^^
`,
  ],
  [
    'wide characters, combined characters, a flag',
    rendered("'日本' 'e\u0301' '🇨🇭' «x»"),
    `
test.schema:1:18 error[E0999]: wrong
 1 | '日本' 'e\u0301' '🇨🇭' x
   |                 ^
`,
  ],
  [
    'a range inside a combined character marks the whole',
    rendered('a 日«日» b'),
    `
test.schema:1:4 error[E0999]: wrong
 1 | a 日日 b
   |     ^^
`,
  ],
  [
    'controls, directions and lone surrogates are shown by name',
    rendered('\u001b[31m\u202e \u0000 \ud800 \u2028 \u200b \u0085 «x»', { message: 'no \u001b[2J\nhere \u202e' }),
    `
test.schema:1:18 error[E0999]: no ␛[2J␊here <U+202E>
 1 | ␛[31m<U+202E> ␀ <U+D800> <U+2028> <U+200B> <U+0085> x
   |                                                     ^
`,
  ],
  [
    'a long line is cropped round its range',
    rendered(`${'a'.repeat(100)}«bcd»${'e'.repeat(100)}`, {}, 40),
    `
test.schema:1:101 error[E0999]: wrong
 1 | …aaaaaaaaaaaaaaaabcdeeeeeeeeeeeeee…
   |                  ^^^
`,
  ],
  [
    'a long line with its range at the start',
    rendered(`«ab»${'e'.repeat(100)}`, {}, 40),
    `
test.schema:1:1 error[E0999]: wrong
 1 | abeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee…
   | ^^
`,
  ],
  [
    'a long line with its range at the end',
    rendered(`${'e'.repeat(100)}«ab»`, {}, 40),
    `
test.schema:1:101 error[E0999]: wrong
 1 | …eeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeab
   |                                  ^^
`,
  ],
  [
    'a range longer than the width',
    rendered(`x «${'e'.repeat(100)}»`, {}, 40),
    `
test.schema:1:3 error[E0999]: wrong
 1 | x eeeeeeeeeeeeeeeeeeeeeeeeeeeeeee…
   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
`,
  ],
];

for (const [name, actual, expected] of table) test(name, () => assert.fixture(actual, expected));

test('a second range in another file is shown as a note', () => {
  const { spans } = marked('CREATE «A»', 'b.schema');
  const first = marked('\n  CREATE «A»', 'a\u202e.schema').spans[0]!;
  const diagnostic = finding(spans[0]!, { related: [{ message: 'first declared here', span: first }] });
  assert.fixture(
    renderDiagnostic(diagnostic, { colour: false, width: 80 }),
    `b.schema:1:8 error[E0999]: wrong
 1 | CREATE A
   |        ^
a<U+202E>.schema:2:10 note: first declared here
 2 |   CREATE A
   |          -`,
  );
});

test('colours can be turned on', () => {
  const text = renderDiagnostic(finding(marked('«a»').spans[0]!), { colour: true, width: 80 });
  assert.is(
    text,
    '\u001b[1mtest.schema:1:1\u001b[22m \u001b[31merror[E0999]\u001b[39m: wrong\n' +
      '\u001b[2m 1 |\u001b[22m a\n\u001b[2m   |\u001b[22m \u001b[31m^\u001b[39m',
  );
});

test('a line of ten million characters takes no time', () => {
  const text = 'x'.repeat(10_000_000);
  const file = { name: 'big.schema', text };
  let shown = '';
  const took = processorMilliseconds(() => {
    shown = renderDiagnostic(finding({ file, start: 5_000_000, end: 9_000_000 }), { colour: false, width: 80 });
  });
  assert.ok(took < 500);
  assert.ok(shown.length < 400);
});

test('the numbers of errors and warnings', () => {
  const span = marked('«a»').spans[0]!;
  const of = (...severities: Diagnostic['severity'][]): string =>
    countDiagnostics(severities.map((severity) => finding(span, { severity })));
  assert.is(of(), '');
  assert.is(of('error'), '1 error');
  assert.is(of('warning', 'error', 'error'), '2 errors, 1 warning');
  assert.is(of('info', 'info'), '2 info');
});

test('a finding as JSON', () => {
  const { spans } = marked('a\nb «c»\n«d»');
  const diagnostic = finding(spans[0]!, {
    related: [{ message: 'here', span: spans[1]! }],
    fix: { title: "write 'e'", span: spans[0]!, replacement: 'e' },
  });
  const range = { file: 'test.schema', line: 2, column: 3, end_line: 2, end_column: 4 };
  assert.equal(diagnosticJson(diagnostic), {
    code: 'E0999',
    severity: 'error',
    message: 'wrong',
    ...range,
    related: [{ message: 'here', file: 'test.schema', line: 3, column: 1, end_line: 3, end_column: 2 }],
    fix: { title: "write 'e'", replacement: 'e', ...range },
  });
  assert.equal(Object.keys(diagnosticJson(finding(spans[0]!))).includes('fix'), false);
});

test.run();
