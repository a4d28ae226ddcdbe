import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { SqliteFunctionName } from '../../../language/sqlite/signatures.ts';
import { isSqliteInteger } from '../../../language/sqlite/value.ts';
import type { Type } from '../../../language/values/type.ts';
import { comparablePair } from '../comparable-pair.ts';
import { isKeyed } from '../comparison-key.ts';
import type { FunctionEntry, GivenArgument, PrintedCall, Resolution, Unresolvable } from '../entry.ts';
import { twoOperands } from '../operands.ts';
import { wrongCount } from '../signature.ts';
import { sqlCall } from '../typescript-text.ts';
import { BIGINT, commonTypeOf, comparedType, isComparable, isWide, namesOf } from '../typing.ts';

const allNullable: Resolution['nullable'] = (argumentsNullable) => !argumentsNullable.includes(false);

function alike(name: string, given: readonly GivenArgument[]): Type | Unresolvable {
  if (given.length === 0) return { problem: `${name} takes at least one argument` };
  return (
    commonTypeOf(given) ?? { problem: `${name} takes values of one type, not ${namesOf(given)}; CAST one of them` }
  );
}

/** The first argument that is not NULL; later ones are not evaluated. */
export const coalesce: FunctionEntry = {
  name: 'COALESCE',
  usage: ['COALESCE(x, …)'],
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

/** Arguments after one that is never NULL have no effect. */
function needed(call: PrintedCall): readonly string[] {
  const last = call.arguments.findIndex((argument) => !argument.nullable);
  return call.arguments.slice(0, last < 0 ? undefined : last + 1).map((argument) => argument.text);
}

export const nullIf: FunctionEntry = {
  name: 'NULLIF',
  usage: ['NULLIF(x, y)'],
  resolve: (given) => {
    if (given.length !== 2) return wrongCount('NULLIF', given.length, [2]);
    const pair = comparablePair('NULLIF', given);
    if ('problem' in pair) return pair;
    const result = alike('NULLIF', given);
    if ('problem' in result) return result;
    // Numbers whose common type would not hold them all keep their own types and are compared exactly.
    if (!isWide(comparedType(result, given))) return { parameters: [result, result], result, nullable: () => true };
    const [own, other] = pair.types.map((type) => (type.kind === 'INT' ? BIGINT : type));
    return { parameters: [own ?? result, other ?? result], result: own ?? result, nullable: () => true };
  },
  sqlite: (call) => {
    const [a, b] = twoOperands(call);
    const scales = apartScales(call);
    if (isKeyed(a.type)) return sqliteCall('nullIfInterval', a.text, b.text);
    return scales === undefined
      ? `NULLIF(${a.text}, ${b.text})`
      : sqliteCall('nullIfDecimal', a.text, b.text, ...scales);
  },
  typescript: (call) => {
    const [a, b] = twoOperands(call);
    const scales = apartScales(call);
    if (isKeyed(a.type)) return sqlCall('nullIfInterval', a.text, b.text);
    return scales === undefined
      ? sqlCall('nullIf', a.text, b.text)
      : sqlCall('nullIfDecimal', a.text, b.text, ...scales);
  },
};

/** The scales of operands that kept their own; undefined if both have one type. */
function apartScales(call: PrintedCall): readonly [string, string] | undefined {
  const [a, b] = twoOperands(call);
  if (a.type.kind !== 'DECIMAL' && b.type.kind !== 'DECIMAL') return undefined;
  const [left, right] = [a, b].map(({ type }) => (type.kind === 'DECIMAL' ? type.scale : 0));
  return left === right ? undefined : [String(left), String(right)];
}

function extreme(name: 'GREATEST' | 'LEAST', verb: 'greatest' | 'least', native: 'max' | 'min'): FunctionEntry {
  return {
    name,
    usage: [`${name}(x, …)`],
    resolve: (given) => {
      const result = alike(name, given);
      if ('problem' in result) return result;
      if (!isComparable(result)) return { problem: `${name} takes values that have an order, not ${namesOf(given)}` };
      return { parameters: given.map(() => result), result, nullable: allNullable };
    },
    sqlite: (call) => sqliteExtreme(verb, native, call),
    typescript: (call) => {
      const texts = call.arguments.map((argument) => argument.text);
      const named = isKeyed(call.result) ? (`${verb}Interval` as const) : verb;
      return texts.length === 1 ? (texts[0] ?? 'null') : sqlCall(named, ...texts);
    },
  };
}

/** SQLite's own returns NULL as soon as one argument is NULL. */
function sqliteExtreme(verb: 'greatest' | 'least', native: 'max' | 'min', call: PrintedCall): string {
  const texts = call.arguments.map((argument) => argument.text);
  if (texts.length > 1 && !isKeyed(call.result) && call.arguments.every((argument) => !argument.nullable))
    return `${native}(${texts.join(', ')})`;
  const name: SqliteFunctionName = `${verb}${crossing(call.result)}`;
  return texts.reduce((best, next) => sqliteCall(name, best, next));
}

function crossing(type: Type): 'Int' | 'Long' | 'Double' | 'Text' | 'Boolean' | 'Interval' {
  if (isKeyed(type)) return 'Interval';
  if (type.kind === 'INT' || type.kind === 'DATE') return 'Int';
  if (type.kind === 'BOOLEAN') return 'Boolean';
  if (type.kind === 'DOUBLE') return 'Double';
  return isSqliteInteger(type) ? 'Long' : 'Text';
}

export const greatest = extreme('GREATEST', 'greatest', 'max');
export const least = extreme('LEAST', 'least', 'min');
