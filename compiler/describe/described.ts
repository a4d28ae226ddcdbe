/** The result of DESCRIBE, EXPLAIN and VALIDATE: a small table of texts (docs/language.md#looking-at-the-registry). */
export interface DescribedTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** A line of a description; without a value it is left out. */
export type Property = readonly [name: string, value: string | undefined];

/** Rows of `property | value`, for one block. */
export function properties(entries: readonly Property[]): DescribedTable {
  const rows = entries.flatMap(([property, value]) => (value === undefined || value === '' ? [] : [[property, value]]));
  return { columns: ['property', 'value'], rows };
}
