import type { Column } from '../../../language/contract/query.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { writeJson } from '../../../language/values/json-write.ts';
import { refuseRepeatedNames } from './column-names.ts';

/** Writes rows as JSON objects, values in the forms of docs/language.md#types. */
export function jsonObjects(columns: readonly Column[]): (row: Row) => string {
  refuseRepeatedNames(columns);
  const members = columns.map((column, at) => ({
    key: `${at === 0 ? '' : ','}${JSON.stringify(column.name)}:`,
    type: column.type,
  }));
  return (row) => `{${members.map(({ key, type }, at) => key + writeJson(row[at] ?? null, type)).join('')}}`;
}
