import { sqliteCall, type SqliteFunctionName } from '../../../runtime/values/sqlite-functions.ts';
import { isSqliteInteger } from '../../../runtime/values/sqlite-value.ts';
import type { Type } from '../../../runtime/values/type.ts';
import { comparablePair } from '../comparable-pair.ts';
import type { FunctionEntry, GivenArgument, PrintedCall, Resolution, Unresolvable } from '../entry.ts';
import { twoOperands } from '../operands.ts';
import { wrongCount } from '../signature.ts';
import { sqlCall } from '../typescript-text.ts';
import { commonTypeOf, isComparable, namesOf } from '../typing.ts';

const allNullable: Resolution['nullable'] = (argumentsNullable) => !argumentsNullable.includes(false);

function alike(name: string, given: readonly GivenArgument[]): Type | Unresolvable {
  if (given.length === 0) return { problem: `${name} takes at least one argument` };
  return (
    commonTypeOf(given) ?? { problem: `${name} takes values of one type, not ${namesOf(given)}; CAST one of them` }
  );
}

/** The first argument that is not NULL; those behind it are not evaluated. */
export const coalesce: FunctionEntry = {
  name: 'COALESCE',
  usage: ['COALESCE(x, …)'],
  volatility: 'immutable',
  resolve: (given) => {
    const result = alike('COALESCE', given);
    return 'problem' in result ? result : { parameters: given.map(() => result), result, nullable: allNullable };
  },
  sqlite: (call) => {
    const used = needed(call);
    return used.length === 1 ? (used[0] ?? 'NULL') : `COALESCE(${used.join(', ')})`;
  },
  typescript: (call) => {
    const used = needed(call);
    return used.length === 1 ? (used[0] ?? 'null') : `(${used.join(' ?? ')})`;
  },
};

/** Arguments behind one that is never NULL play no part. */
function needed(call: PrintedCall): readonly string[] {
  const last = call.arguments.findIndex((argument) => !argument.nullable);
  return call.arguments.slice(0, last < 0 ? undefined : last + 1).map((argument) => argument.text);
}

export const nullIf: FunctionEntry = {
  name: 'NULLIF',
  usage: ['NULLIF(x, y)'],
  volatility: 'immutable',
  resolve: (given) => {
    if (given.length !== 2) return wrongCount('NULLIF', given.length, [2]);
    const pair = comparablePair('NULLIF', given);
    if ('problem' in pair) return pair;
    const result = alike('NULLIF', given);
    return 'problem' in result ? result : { parameters: [result, result], result, nullable: () => true };
  },
  sqlite: (call) => `NULLIF(${call.arguments.map((argument) => argument.text).join(', ')})`,
  typescript: (call) => {
    const [a, b] = twoOperands(call);
    return sqlCall('nullIf', a.text, b.text);
  },
};

function extreme(name: 'GREATEST' | 'LEAST', verb: 'greatest' | 'least', native: 'max' | 'min'): FunctionEntry {
  return {
    name,
    usage: [`${name}(x, …)`],
    volatility: 'immutable',
    resolve: (given) => {
      const result = alike(name, given);
      if ('problem' in result) return result;
      if (!isComparable(result)) return { problem: `${name} takes values that have an order, not ${namesOf(given)}` };
      return { parameters: given.map(() => result), result, nullable: allNullable };
    },
    sqlite: (call) => sqliteExtreme(verb, native, call),
    typescript: (call) => {
      const texts = call.arguments.map((argument) => argument.text);
      return texts.length === 1 ? (texts[0] ?? 'null') : sqlCall(verb, ...texts);
    },
  };
}

/** SQLite's own answers NULL as soon as one argument is. */
function sqliteExtreme(verb: 'greatest' | 'least', native: 'max' | 'min', call: PrintedCall): string {
  const texts = call.arguments.map((argument) => argument.text);
  if (texts.length > 1 && call.arguments.every((argument) => !argument.nullable))
    return `${native}(${texts.join(', ')})`;
  const name: SqliteFunctionName = `${verb}${crossing(call.result)}`;
  return texts.reduce((best, next) => sqliteCall(name, best, next));
}

function crossing(type: Type): 'Int' | 'Long' | 'Double' | 'Text' | 'Boolean' {
  if (type.kind === 'INT' || type.kind === 'DATE') return 'Int';
  if (type.kind === 'BOOLEAN') return 'Boolean';
  if (type.kind === 'DOUBLE') return 'Double';
  return isSqliteInteger(type) ? 'Long' : 'Text';
}

export const greatest = extreme('GREATEST', 'greatest', 'max');
export const least = extreme('LEAST', 'least', 'min');
