/**
 * The processor time of each function and operator on the longest texts that a caller can send, chosen to be hard: none takes the product of two
 * lengths. `SHOW=1` prints the table of docs/performance/functions.md.
 */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { functionThemes } from '../../compiler/functions/catalogue.ts';
import type { FunctionEntry, GivenArgument } from '../../compiler/functions/entry.ts';
import { canCast, printCastTypescript } from '../../compiler/functions/cast.ts';
import { typeName, type Type, type Value } from '../../language/values/type.ts';
import { processorMilliseconds } from '../kit/processor-time.ts';
import { printCall, typescriptEvaluator } from './engines.ts';

const isShown = process.env['SHOW'] !== undefined;
/** The length of the texts that are tried, and of the longest text of a command. */
const [tried, longest] = [32_768, 1_048_576];

/** Texts of that length that are the same almost to their ends, and others that a pattern may read twice. */
function textsOf(length: number): readonly string[] {
  const half = length >> 1;
  return [
    'a'.repeat(length),
    `x${' '.repeat(length - 2)}x`,
    '😀'.repeat(half),
    '1'.repeat(length),
    `{"a":[${'1,'.repeat(half - 4)}1]}`,
  ];
}

/** Texts to seek in the first of those, and patterns. */
function needlesOf(length: number): readonly string[] {
  const half = length >> 1;
  return [
    `${'a'.repeat(half)}b`,
    `b${'a'.repeat(half)}`,
    `%${'a'.repeat(half)}b%`,
    `%${'a'.repeat(500)}_${'a'.repeat(400)}b%`,
    '%a'.repeat(half),
    'a',
  ];
}

const types: readonly Type[] = [{ kind: 'STRING' }, { kind: 'INT' }, { kind: 'JSON' }, { kind: 'STRING', bytes: true }];

function valuesOf(type: Type, texts: readonly string[], length: number): readonly Value[] {
  if (type.kind === 'INT') return [2, length];
  if (type.kind === 'JSON') return texts.filter((text) => text.startsWith('{') || text.startsWith('['));
  return type.kind === 'STRING' && type.bytes === true ? [`\\x${'ab'.repeat(length >> 1)}`] : texts;
}

function* combinations(arity: number): Iterable<readonly Type[]> {
  if (arity === 0) yield [];
  else
    for (const rest of combinations(arity - 1))
      for (const type of arity > 2 ? types.slice(0, 2) : types) yield [...rest, type];
}

interface Cost {
  readonly name: string;
  readonly milliseconds: number;
  readonly shape: string;
}

/** Other threads of the process, which compile and collect, are in the time: a call that seems to take long is made again. */
function steady(work: () => void): number {
  const first = processorMilliseconds(work);
  return first < 10 ? first : Math.min(first, processorMilliseconds(work), processorMilliseconds(work));
}

/** Cost of the arguments that take longest; with `SHOW` measured again with the longest texts of that form. */
function costOf(entry: FunctionEntry): Cost | undefined {
  let worst: (Cost & { readonly again: () => Cost }) | undefined;
  for (let arity = 1; arity <= 3; arity++)
    for (const chosen of combinations(arity)) {
      const resolution = entry.resolve(chosen.map((type): GivenArgument => ({ type, untyped: false })));
      if ('problem' in resolution) continue;
      const evaluate = typescriptEvaluator(
        printCall(entry, resolution, chosen, { nullable: true, simple: true }).typescript,
        arity,
      );
      const cost = (row: readonly Value[]): Cost => ({
        name: entry.name,
        milliseconds: steady(() => evaluate(row)),
        shape: row.map(shapeOf).join(', '),
      });
      for (const [at, row] of rowsOf(chosen, tried).entries()) {
        const found = cost(row);
        if (worst === undefined || found.milliseconds > worst.milliseconds)
          worst = { ...found, again: () => cost(rowsOf(chosen, longest)[at] ?? []) };
      }
    }
  return isShown ? worst?.again() : worst;
}

function rowsOf(chosen: readonly Type[], length: number): readonly (readonly Value[])[] {
  const [texts, needles] = [textsOf(length), needlesOf(length)];
  return chosen.reduce<readonly (readonly Value[])[]>(
    (rows, type, index) =>
      rows.flatMap((row) =>
        valuesOf(type, index === 0 ? texts : index === 1 ? needles : ['b'], length).map((value) => [...row, value]),
      ),
    [[]],
  );
}

function shapeOf(value: Value): string {
  if (typeof value !== 'string') return typeof value === 'number' ? String(value) : typeof value;
  return value.length < 8
    ? `'${value}'`
    : `'${value.slice(0, 4)}…${value.slice(-2)}' (${value.length.toLocaleString('en')})`;
}

test('no function or cast takes the product of two lengths', () => {
  const costs = functionThemes.flatMap(({ entries }) => entries.flatMap((entry) => costOf(entry) ?? []));
  const casts = (['INT', 'BIGINT', 'DOUBLE', 'BOOLEAN', 'TIMESTAMP', 'DATE', 'INTERVAL', 'JSON'] as const).map(
    (kind): Cost => {
      const to: Type = { kind };
      assert.ok(canCast({ kind: 'STRING' }, to, 'explicit'));
      const evaluate = typescriptEvaluator(
        printCastTypescript({ text: 'c0', type: { kind: 'STRING' }, nullable: true, simple: true }, to, 'explicit'),
        1,
      );
      return textsOf(isShown ? longest : tried)
        .map((text) => ({
          name: `CAST AS ${typeName(to)}`,
          milliseconds: steady(() => evaluate([text])),
          shape: shapeOf(text),
        }))
        .reduce((worst, cost) => (cost.milliseconds > worst.milliseconds ? cost : worst));
    },
  );
  const all = [...costs, ...casts].sort((a, b) => b.milliseconds - a.milliseconds);
  if (isShown)
    for (const { name, milliseconds, shape } of all) console.log(`| ${name} | ${milliseconds.toFixed(1)} | ${shape} |`);
  assert.equal(
    all.filter(({ milliseconds }) => milliseconds > (isShown ? 1_000 : 50)),
    [],
  );
});

test.run();
