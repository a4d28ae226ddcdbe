/** DuckDB over files, as an analyst uses it. */
import { DuckDBInstance } from '@duckdb/node-api';

export interface Duck {
  /** Rows as JSON values: numbers of more than 32 bits, decimals and times are texts. */
  readonly rows: (query: string) => Promise<readonly (readonly unknown[])[]>;
  /** The types of the columns, by name. */
  readonly types: (query: string) => Promise<Readonly<Record<string, string>>>;
  readonly close: () => void;
}

export async function openDuck(): Promise<Duck> {
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
  const connection = await instance.connect();
  await connection.run("SET TimeZone = 'UTC'");
  return {
    rows: async (query) => (await connection.runAndReadAll(query)).getRowsJson(),
    types: async (query) => {
      const read = await connection.runAndReadAll(query);
      const types = read.columnTypes().map(String);
      return Object.fromEntries(read.columnNames().map((name, at) => [name, types[at] ?? '']));
    },
    close: () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
