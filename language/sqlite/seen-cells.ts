/** Cells of the row that SQLite computes, for the search for one that fails: one statement at a time, in one thread. */
let row: (string | null)[] | undefined;

export const seenCells = {
  begin: (): null => {
    row = [];
    return null;
  },
  add: (cell: string | null): null => {
    row?.push(cell);
    return null;
  },
  clear: (): void => {
    row = undefined;
  },
  /** The cells of the last row that began, as text; undefined if none did. */
  ofRow: (): readonly (string | null)[] | undefined => row,
};
