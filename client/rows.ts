import type { Columns } from './column-types.ts';
import type { Connection } from './connection.ts';
import type { PageOptions, Rows } from './options.ts';
import { retried } from './retried.ts';
import { countRows, gather, readTable, rowsOf, withParameters, type Restriction } from './table.ts';

/**
 * A table in one answer. An answer that breaks off is requested again while none of its rows was returned; an iteration
 * that has started fails.
 */
export function rows<Row>(
  connection: Connection,
  path: string,
  columns: Columns,
  given: PageOptions & Restriction,
): Rows<Row> {
  const { limit, offset, asOf: as_of } = given;
  const full = withParameters(path, { limit, offset, as_of }, given);
  // The generated module pairs the columns with the type `Row`.
  const read = (): AsyncGenerator<readonly Row[]> =>
    readTable(connection, full, columns, given) as AsyncGenerator<readonly Row[]>;
  return rowsOf(
    () => retried(connection, given, () => gather(read())),
    async function* () {
      const { batches, first } = await retried(connection, given, async () => {
        const begun = read();
        return { batches: begun, first: await begun.next() };
      });
      try {
        if (first.done !== true) yield first.value;
        yield* batches;
      } finally {
        await batches.return(undefined);
      }
    },
    () => countRows(connection, withParameters(path, { limit: 0, as_of }, { where: given.where }), given),
  );
}
