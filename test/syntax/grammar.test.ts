import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createValidatedGrammar } from '../../compiler/syntax/grammar/parser.ts';
import { cstTypes } from './cst-types.ts';

const path = new URL('../../compiler/syntax/grammar/cst.ts', import.meta.url);

test('the grammar is unambiguous with one token of lookahead', () => {
  assert.not.throws(() => createValidatedGrammar());
});

test('the types of the concrete tree equal those of the grammar', () => {
  const wanted = cstTypes();
  if (process.env['UPDATE'] === '1') writeFileSync(path, wanted);
  assert.is(readFileSync(path, 'utf8'), wanted);
});

test.run();
