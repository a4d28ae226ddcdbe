/**
 * Rows by column, as bytes rather than as values: they cross threads without a copy and become an answer without being decoded. The
 * layout is Arrow's own (docs of the columnar format). As they are read, all of a batch stand in one buffer in the order of the columns,
 * presence first, each at a multiple of 8 with zeros before it and to the buffer's end, so that whoever writes Arrow has only a head to
 * put before them; a column that was masked since stands elsewhere.
 */
export interface ColumnBatch {
  readonly rows: number;
  readonly columns: readonly ColumnBytes[];
}

export interface ColumnBytes {
  /** How many values are NULL. */
  readonly nulls: number;
  /** A bit a row from the lowest on, set where the value is not NULL; empty where none is NULL. */
  readonly present: Uint8Array;
  /**
   * Texts: where each begins and the last one ends (32 bits each, one more than rows), then their UTF-8. Others: the values, little-endian:
   * INT and DATE in 32 bits, BIGINT, TIMESTAMP and DOUBLE in 64, DECIMAL in 128, BOOLEAN in one.
   */
  readonly buffers: readonly Uint8Array[];
}
