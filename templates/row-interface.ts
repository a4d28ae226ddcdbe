import type { Column } from '../language/contract/query.ts';
import type { Docs } from '../language/contract/docs.ts';
import { blockDocumentation, memberDocumentation } from './documented.ts';
import type { Imports } from './imports.ts';
import { memberKey } from './literal.ts';
import { exported, interfacePart, type InterfacePart } from './module.ts';
import { namesValue, valueType } from './value-type.ts';

/** A row as an interface: a property for each column's name, the first of two with the same name. */
export function rowInterface(
  name: string,
  columns: readonly Column[],
  documentation: string,
  runtime: Imports,
  nullable: (column: Column) => boolean = (column) => column.nullable,
  docs?: Docs,
): InterfacePart {
  const distinct = [...new Map([...columns].reverse().map((column) => [column.name, column])).values()].reverse();
  if (distinct.some((column) => namesValue(column.type))) runtime.type('Value');
  return exported(
    interfacePart(
      name,
      blockDocumentation(documentation, docs),
      distinct.map((column) => ({
        key: memberKey(column.name),
        type: valueType(column.type, nullable(column)),
        ...memberDocumentation(docs, column.name),
      })),
    ),
  );
}
