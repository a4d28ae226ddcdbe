/** The rows of every `$Agg` and projection of a domain over a store, as far as a comparison needs them. */
import { createHash } from 'node:crypto';
import type { Domain } from '../../language/contract/domain.ts';
import type { CompiledQuery } from '../../language/contract/query.ts';
import { Failure } from '../../language/failure/failure.ts';
import { writeJson } from '../../language/values/json-write.ts';
import type { ReadModelDefinition } from '../../language/contract/read-model.ts';
import type { Row, Store } from '../../runtime/store/store.ts';

/** A relation with more rows, or one that takes longer, is not compared. */
const limits = { rows: 200_000, milliseconds: 120_000 } as const;

/** Digests of rows with their number, by the digest of the first column; or why there are none. */
export type RelationRows =
  | { readonly rows: ReadonlyMap<string, { readonly key: string; readonly count: number }>; readonly total: number }
  | { readonly problem: string };

/** By the name in queries: `Tank$Agg`, `Fleet`. */
export async function rowsOfRelations(
  store: Store,
  { aggregates, projections }: Domain,
  definition: ReadModelDefinition,
): Promise<ReadonlyMap<string, RelationRows>> {
  await store.adopt(definition);
  const found = new Map<string, RelationRows>();
  for (const { name, all } of aggregates) found.set(`${name}$Agg`, await rowsOf(store, all));
  for (const { name, query } of projections) found.set(name, await rowsOf(store, query));
  return found;
}

async function rowsOf(store: Store, query: CompiledQuery): Promise<RelationRows> {
  let answer: readonly Row[];
  try {
    answer = await store.query(query, [], limits);
  } catch (error) {
    if (error instanceof Failure) return { problem: `${error.message} (${error.code})` };
    throw error;
  }
  const rows = new Map<string, { key: string; count: number }>();
  for (const row of answer) {
    // The JSON form: a number is the same number in a wider type.
    const cells = query.columns.map(({ type }, index) => writeJson(row[index] ?? null, type));
    const digest = digestOf(cells);
    const known = rows.get(digest);
    if (known === undefined) rows.set(digest, { key: digestOf(cells[0]), count: 1 });
    else known.count += 1;
  }
  return { rows, total: answer.length };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64').slice(0, 22);
}

export interface RowChanges {
  readonly before: number;
  readonly after: number;
  /** Rows whose first column no row had before, or has any longer, or whose other columns differ. */
  readonly added: number;
  readonly gone: number;
  readonly changed: number;
}

/** Undefined if both have the same rows, however ordered. */
export function compareRows(
  before: RelationRows,
  after: RelationRows,
): RowChanges | { readonly problem: string } | undefined {
  if ('problem' in before) return 'problem' in after ? undefined : { problem: `before: ${before.problem}` };
  if ('problem' in after) return { problem: after.problem };
  const lost = onlyIn(before, after);
  const made = onlyIn(after, before);
  if (lost.length === 0 && made.length === 0) return undefined;
  const waiting = new Map<string, number>();
  for (const key of lost) waiting.set(key, (waiting.get(key) ?? 0) + 1);
  let changed = 0;
  for (const key of made) {
    const left = waiting.get(key) ?? 0;
    if (left === 0) continue;
    waiting.set(key, left - 1);
    changed += 1;
  }
  return {
    before: before.total,
    after: after.total,
    added: made.length - changed,
    gone: lost.length - changed,
    changed,
  };
}

/** The keys of the rows that the other lacks. */
function onlyIn(
  one: Exclude<RelationRows, { readonly problem: string }>,
  other: Exclude<RelationRows, { readonly problem: string }>,
): readonly string[] {
  return [...one.rows].flatMap(([digest, { key, count }]) =>
    Array.from({ length: Math.max(0, count - (other.rows.get(digest)?.count ?? 0)) }, () => key),
  );
}
