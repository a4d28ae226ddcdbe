import type { Catalog } from '../compiler/index.ts';
import { isShadowed, takes } from '../server/http/parameters/parameter-table.ts';

/** A note for each relation with columns that have the name of a query parameter over HTTP (docs/http.md#filters-order-columns). */
export function shadowedColumns({ blocks }: Catalog): readonly string[] {
  const relations = [
    ...blocks.aggregate.flatMap(({ name, state, eventColumns }) => [
      { name: `${name}$Agg`, columns: state.columns, parts: takes.rows },
      { name: `${name}$Events`, columns: eventColumns, parts: takes.events },
    ]),
    ...blocks.projection.map(({ name, query }) => ({ name, columns: query.columns, parts: takes.rows })),
  ];
  return relations.flatMap(({ name, columns, parts }) => {
    const shadowed = columns
      .filter((column) => !column.sensitive && isShadowed(column.name, parts))
      .map((column) => column.name);
    if (shadowed.length === 0) return [];
    const named = shadowed.map((column) => `?.${column}=`).join(', ');
    return [`${name}: over HTTP, filter by ${named}; without the point it is a parameter of the read\n`];
  });
}
