import { fail } from '../../language/failure/failure.ts';
import { rowBytes } from '../../language/values/value-bytes.ts';
import type { Row } from '../../runtime/store/store.ts';
import type { StatementContext } from './context.ts';

/** Bytes of recorded commands that a query of a session may copy: the copy is in the read model, beside the data of a server that was joined. */
export const mostRecordedBytes = 256 * 1024 * 1024;

/** The pages as they come. Fails with R0301 past the limit, and with R0303 when the statement is to stop. */
export async function* boundedPages(
  { progress }: Pick<StatementContext, 'progress'>,
  pages: AsyncIterable<readonly Row[]>,
  most = mostRecordedBytes,
): AsyncGenerator<readonly Row[], void, undefined> {
  let [rows, bytes] = [0, 0];
  for await (const page of pages) {
    rows += page.length;
    for (const row of page) bytes += rowBytes(row);
    if (bytes > most) throw fail('R0301', { what: 'bytes', limit: String(most) });
    await progress(`${rows.toLocaleString('en')} recorded commands read`);
    yield page;
  }
}
