import type { Column } from '../../../language/contract/query.ts';
import { tableColumnName } from '../../../language/sqlite/read-model.ts';
import type { StructField, Type } from '../../../language/values/type.ts';
import { literalSqlite, printCastSqlite } from '../../functions/cast.ts';
import { columnIndex, quoteIdentifier } from './physical-names.ts';
import { printMask } from './print-mask.ts';
import type { PrintedRelation } from './printer.ts';

const text: Type = { kind: 'STRING' };

/**
 * A session table: its columns have their own names, and the fields of a STRUCT column are read from its JSON. Its rows
 * are in order, so if it has no `global_position`, their row numbers are used as positions.
 */
export function sessionRelation(alias: string, columns: readonly Column[]): PrintedRelation {
  const own = (name: string): string => `${alias}.${quoteIdentifier(tableColumnName(name))}`;
  const column = (name: string): string => {
    const found = columns[columnIndex(columns, name)];
    if (found !== undefined) return own(found.name);
    if (name === 'global_position') return `${alias}.rowid`;
    const [struct, field] = leafOf(columns, name);
    return fromPayload(`(${own(struct.name)} ->> ${pathOf(field)})`, field.type);
  };
  return {
    witness: `${alias}.rowid`,
    column,
    position: `${alias}.rowid`,
    maskedStruct: (name) => maskStruct(own(name), columns[columnIndex(columns, name)]?.type),
  };
}

/** `data.f`: column `data` and its field `f`. */
function leafOf(columns: readonly Column[], name: string): readonly [Column, StructField] {
  for (const column of columns) {
    if (column.type.kind !== 'STRUCT' || !name.toLowerCase().startsWith(`${column.name.toLowerCase()}.`)) continue;
    const field = column.type.fields[columnIndex(column.type.fields, name.slice(column.name.length + 1))];
    if (field !== undefined) return [column, field];
  }
  throw new Error(`column ${name} is not among the columns of its table`);
}

function pathOf({ name }: StructField): string {
  return literalSqlite(`$."${name}"`, text);
}

/** The value of the type for the result of `->>` on a payload form (`language/values/type.ts`). */
function fromPayload(given: string, type: Type): string {
  switch (type.kind) {
    case 'BIGINT':
      return `CAST(${given} AS INTEGER)`;
    case 'DOUBLE':
      return `CAST(${given} AS REAL)`;
    case 'DECIMAL':
    case 'TIMESTAMP':
    case 'WALL':
    case 'DATE':
      return printCastSqlite({ text: given, type: text, nullable: true, simple: false }, type, 'implicit');
    default:
      return given;
  }
}

/** The struct with its SENSITIVE leaves masked, where it has them. */
function maskStruct(struct: string, type: Type | undefined): string {
  const fields = type?.kind === 'STRUCT' ? type.fields.filter((field) => field.sensitive === true) : [];
  if (fields.length === 0) return struct;
  const leaves = fields.map(
    (field) => `${pathOf(field)}, ${printMask([`(${struct} ->> ${pathOf(field)})`], field.type)}`,
  );
  return `json_replace(${struct}, ${leaves.join(', ')})`;
}
