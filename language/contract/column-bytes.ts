/**
 * Rows by column, as bytes rather than as values: they cross threads without a copy and become an answer without being decoded. The layout
 * is Arrow's own (docs of the columnar format). A batch is read into one buffer in the order of the columns, presence first, each part at a
 * multiple of 8 with zeros before it and to the buffer's end, so that an Arrow writer only has to prepend a header. A column that is masked
 * later has its own buffer.
 */
export interface ColumnBatch {
  readonly rows: number;
  readonly columns: readonly ColumnBytes[];
}

export interface ColumnBytes {
  /** Number of values that are NULL. */
  readonly nulls: number;
  /** A bit per row from the lowest on, set where the value is not NULL; empty if none is NULL. */
  readonly present: Uint8Array;
  /**
   * Texts: the offset of each and the end of the last one (32 bits each, one more than rows), then their UTF-8. Others: the values,
   * little-endian: INT and DATE in 32 bits, BIGINT, TIMESTAMP and DOUBLE in 64, DECIMAL in 128, BOOLEAN in one.
   */
  readonly buffers: readonly Uint8Array[];
}
