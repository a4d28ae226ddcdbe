/** Every cast of the language in every mode, with edge and random values: SQL, TypeScript and `castValue` agree, failures included. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canCast, printCastSqlite, printCastTypescript, type CastMode } from '../../compiler/functions/cast.ts';
import { castValue } from '../../language/values/cast.ts';
import { Failure } from '../../language/failure/failure.ts';
import { typeName, type Type, type Value } from '../../language/values/type.ts';
import { columnText, shown, sqliteEvaluator, typescriptEvaluator, type Outcome } from './engines.ts';
import { createRandom, sampleTypes, sampleValues } from './samples.ts';

const seed = Number(process.env['SEED'] ?? '20260101');
const rounds = Number(process.env['ROUNDS'] ?? '8');

function direct(value: Value, from: Type, to: Type, mode: CastMode): Outcome {
  try {
    return { value: castValue(value, from, to, mode === 'assign' ? { field: 'amount' } : {}) };
  } catch (error) {
    if (error instanceof Failure) return { failure: error.code };
    throw error;
  }
}

for (const mode of ['explicit', 'assign', 'implicit'] as const) {
  test(`${mode} casts agree (seed ${seed})`, () => {
    const random = createRandom(seed);
    for (const from of sampleTypes) {
      for (const to of sampleTypes) {
        if (!canCast(from, to, mode)) continue;
        for (const nullable of [true, false]) {
          for (const simple of [true, false]) {
            const argument = (target: 'sqlite' | 'typescript') => ({
              text: columnText(target, 0, { nullable, simple }),
              type: from,
              nullable,
              simple,
            });
            const [inSql, inTs] = [
              printCastSqlite(argument('sqlite'), to, mode, 'amount'),
              printCastTypescript(argument('typescript'), to, mode, 'amount'),
            ];
            const sqlite = sqliteEvaluator(inSql, [from], to);
            const typescript = typescriptEvaluator(inTs, 1);
            for (const value of sampleValues(from, random, rounds)) {
              if (value === null && !nullable) continue;
              const results = [sqlite.evaluate([value]), typescript([value])].map((outcome) => shown(outcome, to));
              const what = `${typeName(from)} ${shown({ value }, { kind: 'NULL' })} as ${typeName(to)} (${mode})\n  ${inSql}\n  ${inTs}`;
              assert.is(results[0], results[1], what);
              if (mode !== 'implicit') assert.is(results[1], shown(direct(value, from, to, mode), to), what);
            }
            sqlite.free();
          }
        }
      }
    }
  });
}

test('literals are cast while printing', () => {
  const ts = (text: string, from: Type, to: Type): string =>
    printCastTypescript({ text, type: from, nullable: false, simple: true }, to, 'implicit');
  const sqlite = (text: string, from: Type, to: Type): string =>
    printCastSqlite({ text, type: from, nullable: false, simple: true }, to, 'implicit');
  const money: Type = { kind: 'DECIMAL', precision: 14, scale: 2 };
  assert.is(ts('5', { kind: 'INT' }, money), '500n');
  assert.is(ts('(-5)', { kind: 'INT' }, { kind: 'BIGINT' }), '(-5n)');
  assert.is(ts('15n', { kind: 'DECIMAL', precision: 2, scale: 1 }, money), '150n');
  assert.is(sqlite('5', { kind: 'INT' }, money), '500');
  assert.is(sqlite('(-15)', { kind: 'DECIMAL', precision: 2, scale: 1 }, money), '(-150)');
});

test('the casts between types', () => {
  const table: readonly (readonly [string, Type, Type, string])[] = [
    [
      'numbers widen implicitly',
      { kind: 'INT' },
      { kind: 'DECIMAL', precision: 5, scale: 2 },
      'implicit assign explicit',
    ],
    ['and narrow into fields', { kind: 'DOUBLE' }, { kind: 'INT' }, 'assign explicit'],
    ['text becomes a number by CAST alone', { kind: 'STRING' }, { kind: 'INT' }, 'explicit'],
    ['and a number text', { kind: 'INT' }, { kind: 'STRING' }, 'explicit'],
    ['identifiers are text', { kind: 'UUID' }, { kind: 'STRING' }, 'implicit assign explicit'],
    ['text is an identifier', { kind: 'STRING' }, { kind: 'UUID' }, 'implicit assign explicit'],
    ['a date is an instant', { kind: 'DATE' }, { kind: 'TIMESTAMP' }, 'implicit assign explicit'],
    ['an instant has a date', { kind: 'TIMESTAMP' }, { kind: 'DATE' }, 'assign explicit'],
    ['truth is no number but by CAST', { kind: 'BOOLEAN' }, { kind: 'INT' }, 'explicit'],
    ['and no long one', { kind: 'BOOLEAN' }, { kind: 'BIGINT' }, ''],
    ['lists are no numbers', { kind: 'LIST', of: { kind: 'INT' } }, { kind: 'INT' }, ''],
    ['NULL is anything', { kind: 'NULL' }, { kind: 'JSON' }, 'implicit assign explicit'],
  ];
  for (const [name, from, to, modes] of table) {
    const actual = (['implicit', 'assign', 'explicit'] as const).filter((mode) => canCast(from, to, mode)).join(' ');
    assert.is(actual, modes, name);
  }
});

test.run();
