import { mayFail, sqliteCall } from '../../../language/sqlite/call.ts';
import { isSqliteInteger } from '../../../language/sqlite/value.ts';
import { keySqlite, keyTypescript } from '../comparison-key.ts';
import type { FunctionEntry, GivenArgument, PrintedArgument, PrintedCall, Resolution, Unresolvable } from '../entry.ts';
import { anyNullable } from '../signature.ts';
import { sqlCall } from '../typescript-text.ts';
import { BOOLEAN, commonTypeOf, comparedType, isComparable, isWide, namesOf } from '../typing.ts';

/**
 * `x BETWEEN low AND high` with an x that must be evaluated once, such as random(), or is large. Any other is written as two comparisons,
 * which the planner can read.
 */
export const between: FunctionEntry = {
  name: 'between',
  usage: ['x BETWEEN low AND high'],
  resolve: compareThree,
  sqlite: (call) => {
    const [x, low, high] = threeOperands(call, keySqlite);
    if (!mayFail(high.text) && !isWide(x.type)) return `(${x.text} BETWEEN ${low.text} AND ${high.text})`;
    const crossing = crossingOf(x);
    const start = sqliteCall(`startBetween${crossing}`, x.text, low.text);
    // The kept start is read before the end is evaluated, which may contain another BETWEEN.
    return `(CASE ${start} WHEN 0 THEN 0 ELSE ${sqliteCall(`endBetween${crossing}`, sqliteCall('keptStart'), high.text)} END)`;
  },
  typescript: (call) => {
    const [x, low, high] = threeOperands(call, keyTypescript);
    return sqlCall('between', x.text, low.text, high.text.includes('sql.') ? `() => ${high.text}` : high.text);
  },
};

/**
 * `x BETWEEN SYMMETRIC a AND b`. The answer depends on both ends, so all operands are always evaluated, once each, and a NULL among them
 * makes it NULL.
 */
export const betweenSymmetric: FunctionEntry = {
  name: 'between_symmetric',
  usage: ['x BETWEEN SYMMETRIC a AND b'],
  strict: true,
  resolve: compareThree,
  sqlite: (call) => {
    const [x, a, b] = threeOperands(call, keySqlite);
    if (a.simple && b.simple && !isWide(x.type))
      return `(${x.text} BETWEEN min(${a.text}, ${b.text}) AND max(${a.text}, ${b.text}))`;
    return sqliteCall(`betweenSymmetric${crossingOf(x)}`, x.text, a.text, b.text);
  },
  typescript: (call) => sqlCall('betweenSymmetric', ...threeOperands(call, keyTypescript).map(({ text }) => text)),
};

function compareThree(given: readonly GivenArgument[]): Resolution | Unresolvable {
  const common = given.length === 3 ? commonTypeOf(given) : undefined;
  if (common === undefined || !isComparable(common))
    return { problem: `BETWEEN cannot compare ${namesOf(given)}; CAST them to one type` };
  const type = comparedType(common, given);
  return { parameters: [type, type, type], result: BOOLEAN, nullable: anyNullable };
}

function crossingOf({ type }: PrintedArgument): 'Double' | 'Long' | 'Text' {
  if (type.kind === 'DOUBLE') return 'Double';
  return isSqliteInteger(type) ? 'Long' : 'Text';
}

function threeOperands(
  call: PrintedCall,
  compared: (argument: PrintedArgument) => PrintedArgument,
): readonly [PrintedArgument, PrintedArgument, PrintedArgument] {
  const [x, low, high] = call.arguments.map(compared);
  if (x === undefined || low === undefined || high === undefined) throw new TypeError('BETWEEN takes three operands');
  return [x, low, high];
}
