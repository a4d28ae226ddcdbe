/** Printed TypeScript passes the strictest compiler, over nullable and not nullable inputs, and has the type that the entry says. */
import ts from 'typescript';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canCast, printCastTypescript } from '../../compiler/functions/cast.ts';
import { functionThemes, lookupFunction } from '../../compiler/functions/catalogue.ts';
import type { PrintedArgument } from '../../compiler/functions/entry.ts';
import type { Type } from '../../language/values/type.ts';
import { printCall } from './engines.ts';
import { sampleTypes } from './samples.ts';

const held: Readonly<Record<Type['kind'], string>> = {
  STRING: 'string',
  UUID: 'string',
  JSON: 'string',
  INT: 'number',
  DATE: 'number',
  DOUBLE: 'number',
  BIGINT: 'bigint',
  DECIMAL: 'bigint',
  TIMESTAMP: 'bigint',
  BOOLEAN: 'boolean',
  LIST: 'readonly Value[]',
  STRUCT: 'ReadonlyMap<string, Value>',
  NULL: 'null',
};

/** One of each kind, and decimals of two scales. */
const triedTypes = sampleTypes.filter(
  ({ kind }, index) => index < 4 || sampleTypes.findIndex((other) => other.kind === kind) === index,
);

function source(
  text: string,
  types: readonly Type[],
  nullable: boolean,
  result: Type,
  resultNullable: boolean,
): string {
  const parameters = types.map((type, index) => `c${index}: ${held[type.kind]}${nullable ? ' | null' : ''}`);
  return `(${parameters.join(', ')}): ${held[result.kind]}${resultNullable ? ' | null' : ''} => ${text}`;
}

function problemsOf(functions: readonly string[]): readonly string[] {
  const file = new URL('./printed-expressions.ts', import.meta.url).pathname;
  const text = [
    "import { sql } from '../../language/values/sql.ts';",
    "import type { Value } from '../../language/values/type.ts';",
    'declare const context: { readonly now: bigint; random(): number; uuid(): string };',
    ...functions.map((each, index) => `export const f${index} = ${each};`),
  ].join('\n');
  const options = ts.convertCompilerOptionsFromJson(
    {
      strict: true,
      noEmit: true,
      target: 'ES2023',
      module: 'NodeNext',
      moduleResolution: 'NodeNext',
      allowImportingTsExtensions: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      types: ['node'],
      skipLibCheck: true,
    },
    '.',
  ).options;
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2023) : read(name, ...rest);
  host.fileExists = (name) => name === file || ts.sys.fileExists(name);
  const program = ts.createProgram([file], options, host);
  const own = program.getSourceFile(file);
  return ts
    .getPreEmitDiagnostics(program, own)
    .slice(0, 20)
    .map((diagnostic) => {
      const line = text.slice(0, diagnostic.start).split('\n').length;
      return `${text.split('\n')[line - 1] ?? ''}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, ' ')}`;
    });
}

test('every entry and cast', () => {
  const functions: string[] = [];
  for (const { entries } of functionThemes) {
    for (const entry of entries) {
      for (const types of [[], ...triedTypes.flatMap((a) => [[a], ...triedTypes.map((b) => [a, b])])]) {
        const resolution = entry.resolve(types.map((type) => ({ type, untyped: false })));
        if ('problem' in resolution) continue;
        for (const nullable of [true, false]) {
          const printed = printCall(entry, resolution, types, { nullable, simple: true });
          functions.push(
            source(
              printed.typescript,
              types,
              nullable,
              resolution.result,
              resolution.nullable(types.map(() => nullable)),
            ),
          );
        }
      }
    }
  }
  for (const from of triedTypes) {
    for (const to of triedTypes.filter((type) => canCast(from, type, 'explicit'))) {
      for (const nullable of [true, false]) {
        const text = printCastTypescript({ text: 'c0', type: from, nullable, simple: true }, to, 'assign', 'field');
        functions.push(source(text, [from], nullable, to, nullable));
      }
    }
  }
  assert.ok(functions.length > 1000);
  assert.equal(problemsOf(functions), []);
});

test('comparisons that can never or always hold', () => {
  const text: Type = { kind: 'STRING' };
  const column: PrintedArgument = { text: 'c0', type: text, nullable: false, simple: true };
  const literal = (value: string): PrintedArgument => ({
    text: `'${value}'`,
    type: text,
    nullable: false,
    simple: true,
  });
  const print = (name: string, ...given: readonly PrintedArgument[]): PrintedArgument => {
    const printed = lookupFunction(name)?.typescript({ arguments: given, result: { kind: 'BOOLEAN' } }) ?? '';
    return { text: printed, type: { kind: 'BOOLEAN' }, nullable: false, simple: false };
  };
  const [isA, isB] = [print('equal', column, literal('a')), print('equal', column, literal('b'))];
  const [notA, notB] = [print('not_equal', column, literal('a')), print('not_equal', column, literal('b'))];
  const guards = [
    print('equal', literal('a'), literal('b')),
    print('and', isA, isB),
    print('or', notA, notB),
    print('and', print('or', isA, isB), print('and', isA, notB)),
    print('not', print('and', isA, print('not', isA))),
  ].map((guard) => source(guard.text, [text], false, { kind: 'BOOLEAN' }, false));
  assert.equal(problemsOf(guards), []);
});

test.run();
