import type { InspectionTables, Row, TableHead } from '../../runtime/store/store.ts';

/** Keeps a table whose rows come in pages; if one of them fails, the previous table stays. */
export async function saveTable(
  tables: InspectionTables,
  name: string,
  head: TableHead,
  pages: AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>,
): Promise<void> {
  const writer = await tables.write(name, head);
  try {
    for await (const rows of pages) await writer.add(rows);
  } catch (error) {
    await writer.discard();
    throw error;
  }
  await writer.keep();
}
