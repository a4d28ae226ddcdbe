import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../language/diagnostics/diagnose.ts';
import { assertDiagnostics } from './diagnostics.ts';
import { marked, showSpan } from './marked.ts';

test('marks become ranges and leave the text', () => {
  const source = marked('a «b «c» d» «»e');
  assert.is(source.text, 'a b c d e');
  assert.equal(source.spans.map(showSpan), ['1:3-1:8 "b c d"', '1:5-1:6 "c"', '1:9-1:9 ""']);
});

test('a mark can span lines', () => {
  assert.equal(marked('a\n«b\nc»').spans.map(showSpan), ['2:1-3:2 "b\\nc"']);
});

test('marks that do not pair are refused', () => {
  assert.throws(() => marked('a «b'), /not closed/);
  assert.throws(() => marked('a» b'), /never opened/);
});

const source = marked('FOR «Tonk» ON');
const found = [diagnose('E0201', source.spans[0]!, { kind: 'aggregate', name: 'Tonk', nearest: ['Tank'] })];

/** `assert.throws` lets uvu's own failures through, so they are caught here. */
function fails(check: () => void): boolean {
  try {
    check();
    return false;
  } catch {
    return true;
  }
}

test('a list of findings is compared whole', () => {
  assertDiagnostics(found, source, ['E0201']);
  assertDiagnostics(found, source, ["E0201 there is no aggregate 'Tonk'; did you mean 'Tank'?"]);
  assert.ok(fails(() => assertDiagnostics(found, source, ['E0202'])));
  assert.ok(fails(() => assertDiagnostics(found, source, ["E0201 there is no aggregate 'Tonk'"])));
  assert.ok(fails(() => assertDiagnostics(found, source, [])));
  assert.ok(fails(() => assertDiagnostics([], source, ['E0201'])));
  assert.ok(fails(() => assertDiagnostics(found, marked('«FOR» Tonk ON'), ['E0201'])));
});

test.run();
