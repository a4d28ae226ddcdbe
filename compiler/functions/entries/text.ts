import type { FunctionEntry } from '../entry.ts';
import { firstArgument } from '../operands.ts';
import { oneOf, type ParameterKind, type Signature } from '../signature.ts';
import { sharedCall } from '../shared-call.ts';
import { sqlCall } from '../typescript-text.ts';
import { BOOLEAN, INT, STRING } from '../typing.ts';
import type { Type } from '../../../language/values/type.ts';

type SharedName = Parameters<typeof sharedCall>[0];

function entry(
  name: string,
  usage: readonly string[],
  shared: SharedName,
  result: Type,
  parameters: readonly (readonly ParameterKind[])[],
  defaults: readonly (string | undefined)[] = [],
): FunctionEntry {
  const signatures: readonly Signature[] = parameters.map((kinds) => ({ parameters: kinds, result }));
  return {
    name,
    usage,
    strict: true,
    resolve: oneOf(name, signatures),
    ...sharedCall(shared, defaults),
  };
}

/** SQLite's own counts characters too. */
function length(name: string): FunctionEntry {
  return {
    name,
    usage: [`${name}(text)`],
    strict: true,
    resolve: oneOf(name, [{ parameters: ['text'], result: INT }]),
    sqlite: (call) => `length(${firstArgument(call).text})`,
    typescript: (call) => sqlCall('length', firstArgument(call).text),
  };
}

/** With two arguments to the end of the text, with three a number of characters. */
function substring(name: string): FunctionEntry {
  const to = sharedCall('substringFrom');
  const part = sharedCall('substring');
  return {
    name,
    usage: [`${name}(text, start)`, `${name}(text, start, count)`, `${name}(text FROM start FOR count)`],
    strict: true,
    resolve: oneOf(name, [
      { parameters: ['text', 'int'], result: STRING },
      { parameters: ['text', 'int', 'int'], result: STRING },
    ]),
    sqlite: (call) => (call.arguments.length === 2 ? to : part).sqlite(call),
    typescript: (call) => (call.arguments.length === 2 ? to : part).typescript(call),
  };
}

function trim(name: string, shared: 'trim' | 'trimLeft' | 'trimRight'): FunctionEntry {
  return entry(
    name,
    [`${name}(text)`, `${name}(text, characters)`],
    shared,
    STRING,
    [['text'], ['text', 'text']],
    [undefined, ' '],
  );
}

/** Functions from text; lengths and positions count characters from 1. */
export const textFunctions: readonly FunctionEntry[] = [
  entry('UPPER', ['UPPER(text)'], 'upper', STRING, [['text']]),
  entry('LOWER', ['LOWER(text)'], 'lower', STRING, [['text']]),
  entry('INITCAP', ['INITCAP(text)'], 'initcap', STRING, [['text']]),
  length('LENGTH'),
  length('CHAR_LENGTH'),
  length('CHARACTER_LENGTH'),
  substring('SUBSTRING'),
  substring('SUBSTR'),
  entry('LEFT', ['LEFT(text, count)'], 'left', STRING, [['text', 'int']]),
  entry('RIGHT', ['RIGHT(text, count)'], 'right', STRING, [['text', 'int']]),
  entry(
    'LPAD',
    ['LPAD(text, width)', 'LPAD(text, width, fill)'],
    'padLeft',
    STRING,
    [
      ['text', 'int'],
      ['text', 'int', 'text'],
    ],
    [undefined, undefined, ' '],
  ),
  entry(
    'RPAD',
    ['RPAD(text, width)', 'RPAD(text, width, fill)'],
    'padRight',
    STRING,
    [
      ['text', 'int'],
      ['text', 'int', 'text'],
    ],
    [undefined, undefined, ' '],
  ),
  trim('TRIM', 'trim'),
  trim('BTRIM', 'trim'),
  trim('LTRIM', 'trimLeft'),
  trim('RTRIM', 'trimRight'),
  entry('POSITION', ['POSITION(needle IN text)'], 'position', INT, [['text', 'text']]),
  entry('STARTS_WITH', ['STARTS_WITH(text, start)'], 'startsWith', BOOLEAN, [['text', 'text']]),
  entry('REPLACE', ['REPLACE(text, from, to)'], 'replaceAll', STRING, [['text', 'text', 'text']]),
  entry('SPLIT_PART', ['SPLIT_PART(text, delimiter, field)'], 'splitPart', STRING, [['text', 'text', 'int']]),
  entry('REVERSE', ['REVERSE(text)'], 'reverse', STRING, [['text']]),
  entry('REPEAT', ['REPEAT(text, times)'], 'repeat', STRING, [['text', 'int']]),
];

const position = sharedCall('position');

/** POSITION with its arguments in reverse order. */
export const strpos: FunctionEntry = {
  name: 'STRPOS',
  usage: ['STRPOS(text, needle)'],
  strict: true,
  resolve: oneOf('STRPOS', [{ parameters: ['text', 'text'], result: INT }]),
  sqlite: (call) => position.sqlite({ ...call, arguments: [...call.arguments].reverse() }),
  typescript: (call) => position.typescript({ ...call, arguments: [...call.arguments].reverse() }),
};
