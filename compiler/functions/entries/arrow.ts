import type { Type } from '../../../language/values/type.ts';
import { canCast } from '../can-cast.ts';
import { printCastSqlite } from '../cast-sqlite.ts';
import { printCastTypescript } from '../cast-typescript.ts';
import type { FunctionEntry } from '../entry.ts';
import { firstArgument } from '../operands.ts';
import { anyNullable, wrongCount } from '../signature.ts';
import { BIGINT, BOOLEAN, DATE, DOUBLE, INT, maximumPrecision, namesOf, STRING, TIMESTAMP } from '../typing.ts';

const arrowTypes: Readonly<Record<string, Type>> = {
  utf8: STRING,
  largeutf8: STRING,
  int32: INT,
  int64: BIGINT,
  float64: DOUBLE,
  boolean: BOOLEAN,
  date32: DATE,
};

/** The type for the name of an Arrow type; undefined for Arrow types that no type of the language is sent as. */
function typeOfArrow(name: string): Type | undefined {
  const plain = name.replace(/\s/g, '').toLowerCase();
  if (Object.hasOwn(arrowTypes, plain)) return arrowTypes[plain];
  if (/^timestamp\((?:microsecond|us|µs)(?:,[^)]*)?\)$/.test(plain)) return TIMESTAMP;
  const decimal = /^decimal128\((\d{1,2}),(\d{1,2})\)$/.exec(plain);
  const [precision, scale] = [Number(decimal?.[1]), Number(decimal?.[2])];
  const valid = precision >= 1 && precision <= maximumPrecision && scale <= precision;
  return valid ? { kind: 'DECIMAL', precision, scale } : undefined;
}

/** A CAST with an Arrow type's name as its target. */
export const arrowCast: FunctionEntry = {
  name: 'ARROW_CAST',
  usage: ["ARROW_CAST(x, 'Utf8')"],
  strict: true,
  resolve: (given) => {
    const [value, name] = given;
    if (given.length !== 2 || value === undefined || name === undefined)
      return wrongCount('ARROW_CAST', given.length, [2]);
    const result = typeof name.literal === 'string' ? typeOfArrow(name.literal) : undefined;
    if (result === undefined) {
      return {
        problem:
          "ARROW_CAST takes as second argument 'Utf8', 'Int32', 'Int64', 'Float64', 'Boolean', 'Date32', 'Timestamp(Microsecond, UTC)' or 'Decimal128(p, s)'",
      };
    }
    const type = value.untyped ? STRING : value.type;
    if (!canCast(type, result, 'explicit'))
      return { problem: `ARROW_CAST cannot make '${String(name.literal)}' of ${namesOf([value])}` };
    return { parameters: [type, STRING], result, nullable: anyNullable };
  },
  sqlite: (call) => printCastSqlite(firstArgument(call), call.result, 'explicit'),
  typescript: (call) => printCastTypescript(firstArgument(call), call.result, 'explicit'),
};
