import { orHabit } from '../../syntax/habits/names.ts';
import type { FunctionEntry, PrintedCall } from '../entry.ts';
import { twoOperands } from '../operands.ts';
import { anyNullable, neverNullable } from '../signature.ts';
import { sqlCall } from '../typescript-text.ts';
import { isText, namesOf, STRING } from '../typing.ts';

/** `x || y`: text; next to a text any value becomes text. */
export const concat: FunctionEntry = {
  name: 'concat',
  usage: ['x || y'],
  strict: true,
  resolve: (given) => {
    if (given.length === 2 && given.every(({ untyped, type }) => !untyped && type.kind === 'BOOLEAN'))
      return { problem: orHabit };
    if (given.length !== 2 || !given.some((argument) => argument.untyped || isText(argument.type))) {
      return { problem: `'||' joins texts, not ${namesOf(given)}; write CAST(… AS STRING) around one of them` };
    }
    return { parameters: given.map(() => STRING), result: STRING, nullable: anyNullable };
  },
  sqlite: (call) => {
    const [a, b] = twoOperands(call);
    return `(${a.text} || ${b.text})`;
  },
  typescript: (call) => {
    const [a, b] = twoOperands(call);
    return a.nullable || b.nullable ? sqlCall('concat', a.text, b.text) : `(${a.text} + ${b.text})`;
  },
};

function notEmpty(name: string, least: number): FunctionEntry['resolve'] {
  return (given) => {
    if (given.length < least) return { problem: `${name} takes at least ${least} argument${least === 1 ? '' : 's'}` };
    if (name === 'CONCAT_WS' && given[0] !== undefined && !given[0].untyped && !isText(given[0].type)) {
      return { problem: `CONCAT_WS takes a STRING as separator, not ${namesOf(given.slice(0, 1))}` };
    }
    return {
      parameters: given.map(() => STRING),
      result: STRING,
      nullable: name === 'CONCAT' ? neverNullable : (nullable) => nullable[0] === true,
    };
  };
}

function texts(call: PrintedCall): readonly string[] {
  return call.arguments.map((argument) => argument.text);
}

/** Texts of all arguments, NULLs left out. */
export const concatenate: FunctionEntry = {
  name: 'CONCAT',
  usage: ['CONCAT(x, …)'],
  resolve: notEmpty('CONCAT', 1),
  sqlite: (call) =>
    `(${call.arguments.map(({ text, nullable }) => (nullable ? `COALESCE(${text}, '')` : text)).join(' || ')})`,
  typescript: (call) => sqlCall('concatenate', ...texts(call)),
};

/** CONCAT with a separator between. SQLite's own does the same. */
export const concatenateWith: FunctionEntry = {
  name: 'CONCAT_WS',
  usage: ['CONCAT_WS(separator, x, …)'],
  resolve: notEmpty('CONCAT_WS', 2),
  sqlite: (call) => `concat_ws(${texts(call).join(', ')})`,
  typescript: (call) => sqlCall('concatenateWith', ...texts(call)),
};
