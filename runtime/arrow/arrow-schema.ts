import { Field, Schema } from 'apache-arrow';
import type { Column } from '../../language/contract/query.ts';
import { arrowType } from './arrow-type.ts';

/**
 * The Arrow schema of a result. A sensitive column is nullable whatever it says: its mask is NULL where the type has no room
 * for `****`.
 */
export function arrowSchema(columns: readonly Column[]): Schema {
  return new Schema(
    columns.map((column) => new Field(column.name, arrowType(column.type), column.nullable || column.sensitive)),
  );
}
