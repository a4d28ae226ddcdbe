import type { Selection } from '../../../language/contract/selection.ts';
import type { Row } from '../../../runtime/store/store.ts';

/** Streams of one question. */
const mostStreams = 500;

/** Chooses the streams of an aggregate that a caller may see; `read` gives the rows of a selection that the caller sees. */
export async function chooseStreams(
  aggregate: string,
  ids: readonly string[],
  read: (selection: Selection) => Promise<readonly Row[]>,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let from = 0; from < ids.length; from += mostStreams) {
    const values = ids.slice(from, from + mostStreams);
    const filters = [{ column: 'aggregate_id', test: 'in', values }] as const;
    const rows = await read({ relation: `${aggregate}$Agg`, columns: ['aggregate_id'], filters, order: [] });
    for (const [id] of rows) if (typeof id === 'string') found.add(id);
  }
  return found;
}
