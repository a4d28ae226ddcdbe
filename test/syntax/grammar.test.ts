import { readFileSync, writeFileSync } from 'node:fs';
import { getLookaheadPaths, type LookaheadProductionType } from 'chevrotain';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createValidatedGrammar } from '../../compiler/syntax/grammar/parser.ts';
import { describeLookahead } from '../../compiler/syntax/grammar/describe-lookahead.ts';
import { vocabulary } from '../../compiler/syntax/tokens/vocabulary.ts';
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

const kinds: Readonly<Record<string, LookaheadProductionType>> = {
  OR: 'Alternation',
  OPTION: 'Option',
  MANY: 'Repetition',
  AT_LEAST_ONE: 'RepetitionMandatory',
  MANY_SEP: 'RepetitionWithSeparator',
  AT_LEAST_ONE_SEP: 'RepetitionMandatoryWithSeparator',
};

test('each choice begins with the tokens that chevrotain finds', () => {
  const types = new Map(vocabulary.map((type) => [type.name, type]));
  const names = new Map(vocabulary.map((type) => [type.tokenTypeIdx, type.name]));
  /** With the types of categories. */
  const all = (given: readonly string[]): readonly string[] =>
    [
      ...new Set(
        given.flatMap((name) => [
          name,
          ...(types.get(name)?.categoryMatches ?? []).map((each) => names.get(each) ?? ''),
        ]),
      ),
    ].sort();
  const rules = createValidatedGrammar().getGAstProductions();
  const lines = describeLookahead().split('\n');
  assert.ok(lines.length > 150);
  for (const line of lines) {
    const [choice = '', first = ''] = line.split(': ');
    const [name = '', kind = '', occurrence] = choice.split(' ');
    const rule = rules[name];
    const prodType = kinds[kind];
    if (rule === undefined || prodType === undefined) throw new Error(line);
    const paths = getLookaheadPaths({ occurrence: Number(occurrence), rule, prodType, maxLookahead: 1 });
    const found = (kind === 'OR' ? paths : paths.slice(0, 1)).map((each) => each.map(([type]) => type?.name ?? '*'));
    assert.equal(
      first.split(' | ').map((each) => all(each.split(' '))),
      found.map(all),
      line,
    );
  }
});

test.run();
