import { Field, Schema } from 'apache-arrow';
import type { Column } from '../../language/contract/query.ts';
import { arrowType } from './arrow-type.ts';

/**
 * The Arrow schema of a result. A sensitive column is always nullable, because the mask of a type that cannot hold
 * `****` is NULL.
 */
export function arrowSchema(columns: readonly Column[]): Schema {
  return new Schema(
    columns.map((column) => new Field(column.name, arrowType(column.type), column.nullable || column.sensitive)),
  );
}
