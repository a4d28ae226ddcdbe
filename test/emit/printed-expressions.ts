import { canCast, printCastTypescript } from '../../compiler/functions/cast.ts';
import { functionThemes, lookupFunction } from '../../compiler/functions/catalogue.ts';
import type { PrintedArgument } from '../../compiler/functions/entry.ts';
import type { Type } from '../../language/values/type.ts';
import { printCall } from '../functions/engines.ts';
import { sampleTypes } from '../functions/samples.ts';

/**
 * A module with every function and every cast as TypeScript, over nullable and not nullable inputs: each has the type that its
 * entry says. A decision's code imports the same names.
 */
export function printedExpressions(): string {
  const functions = [...entries(), ...casts(), ...constantComparisons()];
  if (functions.length < 1000) throw new Error(`only ${functions.length} expressions were printed`);
  return [
    "import { sql, type Value } from 'schemac/runtime';",
    'declare const context: { readonly now: bigint; random(): number; uuid(): string };',
    'export const used = [sql, context];',
    ...functions.map((each, index) => `export const f${index} = ${each};`),
  ].join('\n');
}

const held: Readonly<Record<Type['kind'], string>> = {
  STRING: 'string',
  UUID: 'string',
  INTERVAL: 'string',
  JSON: 'string',
  INT: 'number',
  DATE: 'number',
  DOUBLE: 'number',
  BIGINT: 'bigint',
  DECIMAL: 'bigint',
  WALL: 'bigint',
  TIMESTAMP: 'bigint',
  BOOLEAN: 'boolean',
  LIST: 'readonly Value[]',
  STRUCT: 'ReadonlyMap<string, Value>',
  NULL: 'null',
};

/** A type of each kind, and decimals of two scales. */
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
  const read = types.map((_, index) => `void c${index}; `).join('');
  return `(${parameters.join(', ')}): ${held[result.kind]}${resultNullable ? ' | null' : ''} => { ${read}return ${text}; }`;
}

function* entries(): Iterable<string> {
  for (const entry of functionThemes.flatMap((theme) => theme.entries)) {
    for (const types of [[], ...triedTypes.flatMap((a) => [[a], ...triedTypes.map((b) => [a, b])])]) {
      const resolution = entry.resolve(types.map((type) => ({ type, untyped: false })));
      if ('problem' in resolution) continue;
      for (const nullable of [true, false]) {
        const { typescript } = printCall(entry, resolution, types, { nullable, simple: true });
        const isNullable = resolution.nullable(types.map(() => nullable));
        yield source(typescript, types, nullable, resolution.result, isNullable);
      }
    }
  }
}

function* casts(): Iterable<string> {
  for (const from of triedTypes) {
    for (const to of triedTypes.filter((type) => canCast(from, type, 'explicit'))) {
      for (const nullable of [true, false]) {
        const text = printCastTypescript({ text: 'c0', type: from, nullable, simple: true }, to, 'assign', 'field');
        yield source(text, [from], nullable, to, nullable);
      }
    }
  }
}

/** Comparisons that can never or always hold, which TypeScript would refuse as written. */
function constantComparisons(): readonly string[] {
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
  return [
    print('equal', literal('a'), literal('b')),
    print('and', isA, isB),
    print('or', notA, notB),
    print('and', print('or', isA, isB), print('and', isA, notB)),
    print('not', print('and', isA, print('not', isA))),
  ].map((guard) => source(guard.text, [text], false, { kind: 'BOOLEAN' }, false));
}
