import { sqliteCall } from '../../../language/sqlite/call.ts';
import type { FunctionEntry } from '../entry.ts';
import { notNumbers } from '../number-pair.ts';
import { firstArgument } from '../operands.ts';
import { anyNullable } from '../signature.ts';
import { checkedBigint, checkedInt } from '../sqlite-text.ts';
import { sqlCall } from '../typescript-text.ts';
import { INT, INTERVAL, isNumeric } from '../typing.ts';

/** `-x`. */
export const negate: FunctionEntry = {
  name: 'negate',
  usage: ['-x'],
  strict: true,
  resolve: (given) => {
    const [operand] = given;
    if (operand?.type.kind === 'INTERVAL' && given.length === 1)
      return { parameters: [INTERVAL], result: INTERVAL, nullable: anyNullable };
    if (operand === undefined || given.length !== 1 || (!isNumeric(operand.type) && operand.literal !== null))
      return notNumbers('-', given);
    const result = isNumeric(operand.type) ? operand.type : INT;
    return { parameters: [result], result, nullable: anyNullable };
  },
  sqlite: (call) => {
    const { text, simple } = firstArgument(call);
    if (call.result.kind === 'INTERVAL') return sqliteCall('negateInterval', text);
    const negated = `(-${text})`;
    if (/^\d+(?:\.\d+)?$/.test(text)) return negated;
    if (call.result.kind === 'INT') return checkedInt({ text: negated, simple });
    return call.result.kind === 'BIGINT' ? checkedBigint({ text: negated, simple }) : negated;
  },
  typescript: (call) => {
    const { text, nullable } = firstArgument(call);
    if (/^\d+(?:\.\d+)?n?$/.test(text) && !/^0(?:\.0+)?$/.test(text)) return `(-${text})`;
    switch (call.result.kind) {
      case 'INT':
        return sqlCall('negateInt', text);
      case 'BIGINT':
        return sqlCall('negateBigint', text);
      case 'INTERVAL':
        return sqlCall('negateInterval', text);
      case 'DECIMAL':
        return nullable ? sqlCall('negateDecimal', text) : `(-${text})`;
      default:
        return sqlCall('negateDouble', text);
    }
  },
};
