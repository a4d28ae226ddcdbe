import type { LiteralShape } from '../language/catalog/expression.ts';
import { parseDate } from '../language/values/date.ts';
import { parseDecimal, rescale } from '../language/values/decimal.ts';
import { parseTimestamp } from '../language/values/timestamp.ts';
import type { Type } from '../language/values/type.ts';
import { stringLiteral } from './literal.ts';

/** A literal of the catalog (payload form) as source of the value that TypeScript holds: `'x'`, `7`, `1230n`, `true`, `null`. */
export function valueLiteral(value: LiteralShape['value'], type: Type): string {
  if (value === null) return 'null';
  if (typeof value === 'boolean') return String(value);
  switch (type.kind) {
    case 'DECIMAL': {
      const written = parseDecimal(String(value));
      return bigintText(written && rescale(written.unscaled, written.scale, type.scale));
    }
    case 'BIGINT': {
      const written = parseDecimal(String(value));
      return bigintText(written && rescale(written.unscaled, written.scale, 0));
    }
    case 'TIMESTAMP':
    case 'WALL':
      return bigintText(parseTimestamp(String(value)));
    case 'DATE':
      return numberText(parseDate(String(value)));
    case 'INT':
    case 'DOUBLE':
      return numberText(Number(value));
    default:
      return stringLiteral(String(value));
  }
}

function bigintText(value: bigint | undefined): string {
  if (value === undefined) throw new Error('a literal does not spell a value of its type');
  return value < 0n ? `(${value}n)` : `${value}n`;
}

function numberText(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) throw new Error('a literal does not spell a value of its type');
  return value < 0 ? `(${value})` : String(value);
}
