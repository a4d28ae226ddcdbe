import type { Column } from '../../../language/contract/query.ts';
import type { Type, Value } from '../../../language/values/type.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { writeJson } from '../../../language/values/json-write.ts';
import { refuseRepeatedNames } from './column-names.ts';

/** Writes rows as JSON objects, values in the forms of docs/language.md#types. */
export function jsonObjects(columns: readonly Column[]): (row: Row) => string {
  refuseRepeatedNames(columns);
  const members = columns.map(({ name, type }, at) => ({
    key: `${at === 0 ? '' : ','}${JSON.stringify(name)}:`,
    write: columnWriter(type),
  }));
  return (row) => {
    let text = '{';
    for (let at = 0; at < members.length; at++) {
      const { key, write } = members[at] as (typeof members)[number]; // within its length
      text += key + write(row[at] ?? null);
    }
    return `${text}}`;
  };
}

/** Many columns repeat a text from row to row, which is then printed already. */
function columnWriter(type: Type): (value: Value) => string {
  if (type.kind !== 'STRING') return (value) => writeJson(value, type);
  let last: Value = null;
  let printed = writeJson(last, type);
  return (value) => {
    if (value !== last) {
      printed = writeJson(value, type);
      last = value;
    }
    return printed;
  };
}
