/** Casts in TypeScript: plain code where the types prove that the cast cannot fail and the argument is not NULL, else calls of `sql`. */
import { hasDigits } from '../../language/values/decimal.ts';
import type { EnumType, Type } from '../../language/values/type.ts';
import type { CastMode } from './can-cast.ts';
import type { PrintedArgument } from './entry.ts';
import { bigintLiteral, isNumberLiteral, quoteTypescript, sqlCall, timesPowerOfTenTs } from './typescript-text.ts';
import { wholeDigits, type DecimalType } from './typing.ts';

/** The argument as a value of type `to`; `field` is the field named by a failure. The argument's text is printed once. */
export function printCastTypescript(argument: PrintedArgument, to: Type, mode: CastMode, field = ''): string {
  const { text, type: from } = argument;
  if (from.kind === 'NULL' || text === 'null') return text;
  const where = field === '' ? undefined : quoteTypescript(field);
  switch (to.kind) {
    case 'STRING':
      if (to.enum !== undefined) return toEnum(argument, to.enum, field);
      return limited(toText(argument), from, to.length, mode, field);
    case 'UUID':
      return toText(argument);
    case 'INT':
      return toInt(argument, where);
    case 'BIGINT':
      return toBigint(argument, where);
    case 'DECIMAL':
      return toDecimal(argument, to, where);
    case 'DOUBLE':
      return toDouble(argument, where);
    case 'BOOLEAN':
      if (from.kind === 'BOOLEAN') return text;
      return sqlCall(from.kind === 'INT' ? 'intToBoolean' : 'textToBoolean', text);
    case 'TIMESTAMP':
      if (from.kind === 'TIMESTAMP') return text;
      return sqlCall(from.kind === 'DATE' ? 'dateToTimestamp' : 'textToTimestamp', text);
    case 'DATE':
      if (from.kind === 'DATE') return text;
      return sqlCall(from.kind === 'TIMESTAMP' || from.kind === 'WALL' ? 'timestampToDate' : 'textToDate', text);
    case 'INTERVAL':
      return from.kind === 'INTERVAL' ? text : sqlCall('textToInterval', text);
    case 'JSON':
      if (from.kind === 'JSON') return text;
      return isNested(from) ? sqlCall('toJson', text, printType(from)) : sqlCall('textToJson', text);
    default:
      return text;
  }
}

function isNested(type: Type): boolean {
  return type.kind === 'LIST' || type.kind === 'STRUCT';
}

/** A type as source. Names in it are safe identifiers; any other text is escaped all the same. */
export function printType(type: Type): string {
  return JSON.stringify(type).replace(
    /[^ -~]|[<`$*]/gu,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );
}

function toText({ text, type, nullable }: PrintedArgument): string {
  switch (type.kind) {
    case 'INT':
      return nullable ? sqlCall('intToText', text) : `String(${text})`;
    case 'BIGINT':
      return nullable ? sqlCall('bigintToText', text) : `String(${text})`;
    case 'DECIMAL':
      return sqlCall(type.bare === true ? 'bareDecimalToText' : 'decimalToText', text, String(type.scale));
    case 'DOUBLE':
      return sqlCall('doubleToText', text);
    case 'BOOLEAN':
      return nullable ? sqlCall('booleanToText', text) : `String(${text})`;
    case 'TIMESTAMP':
      return sqlCall('timestampToText', text);
    case 'WALL':
      return sqlCall('wallTimeToText', text);
    case 'DATE':
      return sqlCall('dateToText', text);
    case 'LIST':
    case 'STRUCT':
      return sqlCall('toJson', text, printType(type));
    default:
      return text;
  }
}

/** Only text that is not of the ENUM already is checked. The values are one argument, so that nothing depends on their number. */
function toEnum(argument: PrintedArgument, to: EnumType, field: string): string {
  const { type: from } = argument;
  if (from.kind === 'STRING' && from.enum !== undefined && JSON.stringify(from.enum) === JSON.stringify(to))
    return argument.text;
  return sqlCall(
    'fitEnum',
    toText(argument),
    quoteTypescript(to.name),
    quoteTypescript(JSON.stringify(to.values)),
    quoteTypescript(field),
  );
}

function limited(text: string, from: Type, limit: number | undefined, mode: CastMode, field: string): string {
  if (limit === undefined || mode === 'implicit' || (from.kind === 'STRING' && (from.length ?? Infinity) <= limit))
    return text;
  return mode === 'assign'
    ? sqlCall('fitText', text, String(limit), quoteTypescript(field))
    : sqlCall('cutText', text, String(limit));
}

function toInt({ text, type }: PrintedArgument, where: string | undefined): string {
  switch (type.kind) {
    case 'INT':
      return text;
    case 'BOOLEAN':
      return sqlCall('booleanToInt', text);
    case 'BIGINT':
      return sqlCall('bigintToInt', text, where);
    case 'DECIMAL':
      return sqlCall('decimalToInt', text, String(type.scale), where);
    case 'DOUBLE':
      return sqlCall('doubleToInt', text, where);
    default:
      return sqlCall('textToInt', text, where);
  }
}

function toBigint({ text, type, nullable }: PrintedArgument, where: string | undefined): string {
  switch (type.kind) {
    case 'INT':
      if (isNumberLiteral(text)) return bigintLiteral(literalValue(text));
      return nullable ? sqlCall('intToBigint', text) : `BigInt(${text})`;
    case 'BIGINT':
      return text;
    case 'DECIMAL':
      return type.scale === 0 ? text : sqlCall('decimalToBigint', text, String(type.scale), where);
    case 'DOUBLE':
      return sqlCall('doubleToBigint', text, where);
    default:
      return sqlCall('textToBigint', text, where);
  }
}

/** Reads `5`, `(-5)`, `5n` or `(-5n)`. */
function literalValue(text: string): bigint {
  return BigInt(text.replace(/[()n]/g, ''));
}

function toDecimal(argument: PrintedArgument, to: DecimalType, where: string | undefined): string {
  const { text, type, nullable } = argument;
  const [precision, scale] = [String(to.precision), String(to.scale)];
  switch (type.kind) {
    case 'INT':
    case 'BIGINT': {
      const literal = isNumberLiteral(text) ? literalValue(text) * 10n ** BigInt(to.scale) : undefined;
      if (literal !== undefined && hasDigits(literal, to.precision)) return bigintLiteral(literal);
      const safe = !nullable && type.kind === 'INT' && 10 + to.scale <= to.precision;
      if (safe) return timesPowerOfTenTs(`BigInt(${text})`, to.scale);
      return sqlCall(type.kind === 'INT' ? 'intToDecimal' : 'bigintToDecimal', text, precision, scale, where);
    }
    case 'DECIMAL': {
      const raised = to.scale - type.scale;
      const fits = raised >= 0 && wholeDigits(type) <= wholeDigits(to);
      if (fits && (raised === 0 || !nullable)) return timesPowerOfTenTs(text, raised);
      return sqlCall('decimalToDecimal', text, String(type.scale), precision, scale, where);
    }
    case 'DOUBLE':
      return sqlCall('doubleToDecimal', text, precision, scale, where);
    default:
      return sqlCall('textToDecimal', text, precision, scale, where);
  }
}

function toDouble({ text, type, nullable }: PrintedArgument, where: string | undefined): string {
  switch (type.kind) {
    case 'INT':
    case 'DOUBLE':
      return text;
    case 'BIGINT':
      return nullable ? sqlCall('bigintToDouble', text) : `Number(${text})`;
    case 'DECIMAL':
      return sqlCall('decimalToDouble', text, String(type.scale));
    default:
      return sqlCall('textToDouble', text, where);
  }
}
