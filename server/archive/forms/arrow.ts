/** Arrow IPC streams, as HTTP answers with them. */
import { followedArrow } from '../../../runtime/arrow/followed-stream.ts';
import { batchRows } from '../../../runtime/arrow/table-encoder.ts';
import type { ArchiveForm } from './form.ts';

export const arrowForm: ArchiveForm = {
  name: 'arrow',
  extension: '.arrows',
  rows: batchRows,
  begin: (columns) => ({
    head: () => followedArrow.schema(columns),
    rows: (rows) => followedArrow.rows(columns, rows),
    end: () => followedArrow.end,
  }),
};
