import { createToken, getLookaheadPaths, Lexer, type LookaheadProductionType } from 'chevrotain';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { describeLookahead } from '../../compiler/syntax/grammar/describe-lookahead.ts';
import { createValidatedGrammar } from '../../compiler/syntax/grammar/parser.ts';
import { PreparedGrammar } from '../../compiler/syntax/grammar/prepared-grammar.ts';
import type { Grammar } from '../../compiler/syntax/grammar/statements.ts';
import { createScanner } from '../../compiler/syntax/scan/scanner.ts';
import { nextStatement } from '../../compiler/syntax/scan/split.ts';
import { createTokenAt, type Token } from '../../compiler/syntax/tokens/token.ts';
import { vocabulary } from '../../compiler/syntax/tokens/vocabulary.ts';
import { sampleScripts } from './sample-scripts.ts';

let validated: Grammar | undefined;
function validatedGrammar(): Grammar {
  return (validated ??= createValidatedGrammar());
}

test('the grammar is unambiguous with one token of lookahead', () => {
  assert.not.throws(validatedGrammar);
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
  const rules = validatedGrammar().getGAstProductions();
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

const Foreign = createToken({ name: 'Foreign', pattern: Lexer.NA });

/** Beginnings of statements, each with a token behind it that no rule has. */
function refusedTexts(): readonly (readonly Token[])[] {
  const found = new Map<string, readonly Token[]>();
  for (const file of sampleScripts().filter(({ name }) => /bike|money|saga|subscription/.test(name))) {
    const spanAt = (start: number, end: number) => ({ file, start, end });
    const scanner = createScanner({ text: file.text, start: 0, end: file.text.length, spanAt });
    for (let each = nextStatement(scanner, spanAt); each !== undefined; each = nextStatement(scanner, spanAt))
      for (const [at, { startOffset }] of each.tokens.entries()) {
        const before = each.tokens.slice(0, at);
        const beginning = before.map(({ tokenType }) => tokenType.name).join(' ');
        found.set(beginning, [...before, createTokenAt(Foreign, '', startOffset, startOffset)]);
      }
  }
  return [...found.values()];
}

/** Tokens that a parser expected where it refused a text, and the rules that were open there. */
function refusal(parser: Grammar, tokens: readonly Token[]): readonly unknown[] {
  parser.input = [...tokens];
  parser.statement();
  return parser.errors.map(({ name, message, token, context }) => [
    name,
    message,
    token.startOffset,
    context.ruleStack,
  ]);
}

test('a text is refused as chevrotain refuses it, from the table alone', () => {
  const prepared = new PreparedGrammar();
  const texts = refusedTexts();
  assert.ok(texts.length > 500, `${texts.length} texts`);
  for (const tokens of texts)
    assert.equal(
      refusal(prepared, tokens),
      refusal(validatedGrammar(), tokens),
      tokens.map(({ image }) => image).join(' '),
    );
  // chevrotain's analysis, which takes a fifth of the time of a short script, was not made.
  assert.equal(Object.keys(prepared.getGAstProductions()), []);
});

test.run();
