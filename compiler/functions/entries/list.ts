import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { SqliteFunctionName } from '../../../language/sqlite/signatures.ts';
import { isSqliteInteger } from '../../../language/sqlite/value.ts';
import type { Type } from '../../../language/values/type.ts';
import { printType } from '../cast-typescript.ts';
import { comparablePair } from '../comparable-pair.ts';
import type { FunctionEntry, GivenArgument, PrintedCall, Resolution, Unresolvable } from '../entry.ts';
import { firstArgument, twoOperands } from '../operands.ts';
import { anyNullable, wrongCount } from '../signature.ts';
import { quoteSqlite } from '../sqlite-text.ts';
import { quoteTypescript, sqlCall } from '../typescript-text.ts';
import { BOOLEAN, INT, namesOf, sameType } from '../typing.ts';

const anyOperators = [
  ['any_equal', '='],
  ['any_not_equal', '<>'],
  ['any_less', '<'],
  ['any_less_equal', '<='],
  ['any_greater', '>'],
  ['any_greater_equal', '>='],
] as const;

/** `value = ANY(list)` and the other comparisons. */
export const anyComparisons: readonly FunctionEntry[] = anyOperators.map(([name, symbol]) => ({
  name,
  usage: [`x ${symbol} ANY(list)`],
  resolve: (given) => resolveAny(symbol, given),
  sqlite: (call) => sqliteAny(symbol, call),
  typescript: (call) => {
    const [value, list] = twoOperands(call);
    return sqlCall(
      'compareAny',
      quoteTypescript(symbol),
      value.text,
      printType(value.type),
      list.text,
      printType(elementOf(call)),
    );
  },
}));

function resolveAny(symbol: string, given: readonly GivenArgument[]): Resolution | Unresolvable {
  const [value, list] = given;
  if (value === undefined || given.length !== 2 || list?.type.kind !== 'LIST')
    return { problem: `ANY takes a list, such as tags, not ${namesOf(given.slice(1))}` };
  const pair = comparablePair(`${symbol} ANY`, [value, { type: list.type.of, untyped: false }]);
  if ('problem' in pair) return pair;
  const elementsStay =
    sameType(pair.types[1], list.type.of) || (pair.types[0].kind === 'DECIMAL' && list.type.of.kind === 'DECIMAL');
  if (!elementsStay)
    return {
      problem: `ANY compares with values of the list's own type; CAST the value to it, not ${namesOf([value])}`,
    };
  return { parameters: [pair.types[0], list.type], result: BOOLEAN, nullable: () => true };
}

function elementOf(call: PrintedCall): Type {
  const { type } = twoOperands(call)[1];
  return type.kind === 'LIST' ? type.of : type;
}

function sqliteAny(symbol: string, call: PrintedCall): string {
  const [value, list] = twoOperands(call);
  const name: SqliteFunctionName = `any${crossing(value.type)}`;
  const [type, elements] = [value.type, elementOf(call)].map((known) => quoteSqlite(JSON.stringify(known)));
  return sqliteCall(name, quoteSqlite(symbol), value.text, type ?? '', list.text, elements ?? '');
}

function crossing(type: Type): 'Int' | 'Long' | 'Double' | 'Text' | 'Boolean' {
  if (type.kind === 'INT' || type.kind === 'DATE') return 'Int';
  if (type.kind === 'BOOLEAN') return 'Boolean';
  if (type.kind === 'DOUBLE') return 'Double';
  return isSqliteInteger(type) ? 'Long' : 'Text';
}

export const cardinality: FunctionEntry = {
  name: 'CARDINALITY',
  usage: ['CARDINALITY(list)'],
  strict: true,
  resolve: (given) => {
    const [list] = given;
    if (given.length !== 1 || list === undefined) return wrongCount('CARDINALITY', given.length, [1]);
    if (list.type.kind !== 'LIST') return { problem: `CARDINALITY takes a list, not ${namesOf(given)}` };
    return { parameters: [list.type], result: INT, nullable: anyNullable };
  },
  sqlite: (call) => `json_array_length(${firstArgument(call).text})`,
  typescript: (call) => sqlCall('cardinality', firstArgument(call).text),
};
