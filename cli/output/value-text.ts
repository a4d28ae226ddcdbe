import { visibleText } from '../../language/diagnostics/render/visible.ts';
import { printValue } from '../../language/values/cast.ts';
import type { Type, Value } from '../../language/values/type.ts';

/** A value as shown in a cell, line by line; it cannot move a terminal's cursor. */
export function cellLines(value: Value, type: Type): readonly string[] {
  if (value === null) return ['NULL'];
  return printValue(value, type).split(/\r?\n/).map(visibleText);
}

/** A value on one line. */
export function valueText(value: Value, type: Type): string {
  return value === null ? 'NULL' : visibleText(printValue(value, type));
}

/** A value as written in a statement: `'it''s'`, `7.50`, `TRUE`, `NULL`. */
export function literalText(value: Value, type: Type): string {
  if (value === null) return 'NULL';
  switch (type.kind) {
    case 'INT':
    case 'BIGINT':
    case 'DECIMAL':
    case 'DOUBLE':
      return valueText(value, type);
    case 'BOOLEAN':
      return value === true ? 'TRUE' : 'FALSE';
    default:
      return `'${valueText(value, type).replaceAll("'", "''")}'`;
  }
}

/** Whether values of the type are right-aligned. */
export function isNumeric(type: Type): boolean {
  return type.kind === 'INT' || type.kind === 'BIGINT' || type.kind === 'DECIMAL' || type.kind === 'DOUBLE';
}
