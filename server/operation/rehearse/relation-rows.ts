/** The rows of every `$Agg` and projection of a domain over a store, as far as a comparison needs them. */
import { createHash } from 'node:crypto';
import type { Domain } from '../../../language/contract/domain.ts';
import type { CompiledQuery } from '../../../language/contract/query.ts';
import { Failure } from '../../../language/failure/failure.ts';
import { writeJson } from '../../../language/values/json-write.ts';
import type { QueryOptions, Row, Store } from '../../../runtime/store/store.ts';
import { anyone } from '../caller.ts';
import { shownValue } from '../shown.ts';

/** A relation with more rows, or one that takes longer, is not compared. */
const relationLimits = { rows: 200_000, milliseconds: 120_000 } as const;

interface KnownRow {
  /** The digest of its first column. */
  readonly key: string;
  readonly count: number;
  /** The row as it may be shown: a JSON object, with masks. */
  readonly text: string;
}

/** Rows by their digests; or why there are none. */
export type RelationRows =
  | { readonly rows: ReadonlyMap<string, KnownRow>; readonly total: number }
  | { readonly problem: string };

/** By the name in queries: `Tank$Agg`, `Fleet`; of a store that shows the domain. */
export async function rowsOfRelations(
  store: Pick<Store, 'tables'>,
  { aggregates, projections }: Pick<Domain, 'aggregates' | 'projections'>,
  limits: () => QueryOptions = () => relationLimits,
): Promise<ReadonlyMap<string, RelationRows>> {
  const found = new Map<string, RelationRows>();
  for (const { name, all } of aggregates) found.set(`${name}$Agg`, await rowsOf(store, all, limits()));
  for (const { name, query } of projections) found.set(name, await rowsOf(store, query, limits()));
  return found;
}

async function rowsOf(store: Pick<Store, 'tables'>, query: CompiledQuery, limits: QueryOptions): Promise<RelationRows> {
  let answer: readonly Row[];
  try {
    answer = await store.tables.query(query, [], limits);
  } catch (error) {
    if (error instanceof Failure) return { problem: `${error.message} (${error.code})` };
    throw error;
  }
  const rows = new Map<string, KnownRow & { count: number }>();
  for (const row of answer) {
    // The JSON form: a number is the same number in a wider type.
    const cells = query.columns.map(({ type }, index) => writeJson(row[index] ?? null, type));
    const digest = digestOf(cells);
    const known = rows.get(digest);
    if (known === undefined) rows.set(digest, { key: digestOf(cells[0]), count: 1, text: rowText(query, row) });
    else known.count += 1;
  }
  return { rows, total: answer.length };
}

function rowText({ columns }: CompiledQuery, row: Row): string {
  const members = columns.map(({ name, type, sensitive }, index) => {
    const value = row[index] ?? null;
    return `${JSON.stringify(name)}:${writeJson(shownValue({ name, type, sensitive, value }, anyone), type)}`;
  });
  return `{${members.join(',')}}`;
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
  /** The first of each, as JSON objects. */
  readonly examples: RowExamples;
}
export interface RowExamples {
  readonly added: readonly string[];
  readonly gone: readonly string[];
  readonly changed: readonly { readonly was: string; readonly is: string }[];
}

/** Examples of each kind. */
const mostExamples = 3;

/** Differences in each relation that is in both, by name. */
export function changedRelations(
  before: ReadonlyMap<string, RelationRows>,
  after: ReadonlyMap<string, RelationRows>,
): readonly ({ readonly name: string } & (RowChanges | { readonly problem: string }))[] {
  return [...after].flatMap(([name, rows]) => {
    const known = before.get(name);
    const changes = known === undefined ? undefined : compareRows(known, rows);
    return changes === undefined ? [] : [{ name, ...changes }];
  });
}

/** Undefined if both have the same rows, however ordered. */
function compareRows(before: RelationRows, after: RelationRows): RowChanges | { readonly problem: string } | undefined {
  if ('problem' in before) return 'problem' in after ? undefined : { problem: `before: ${before.problem}` };
  if ('problem' in after) return { problem: after.problem };
  const lost = onlyIn(before, after);
  const made = onlyIn(after, before);
  if (lost.length === 0 && made.length === 0) return undefined;
  const waiting = new Map<string, KnownRow[]>();
  for (const row of lost) {
    const known = waiting.get(row.key);
    if (known === undefined) waiting.set(row.key, [row]);
    else known.push(row);
  }
  const changed: { was: string; is: string }[] = [];
  const added = made.filter((row) => {
    const was = waiting.get(row.key)?.shift();
    if (was !== undefined) changed.push({ was: was.text, is: row.text });
    return was === undefined;
  });
  const gone = [...waiting.values()].flat();
  const texts = (rows: readonly KnownRow[]): readonly string[] => rows.slice(0, mostExamples).map(({ text }) => text);
  return {
    before: before.total,
    after: after.total,
    added: added.length,
    gone: gone.length,
    changed: changed.length,
    examples: { added: texts(added), gone: texts(gone), changed: changed.slice(0, mostExamples) },
  };
}

/** The rows that the other lacks. */
function onlyIn(
  one: Exclude<RelationRows, { readonly problem: string }>,
  other: Exclude<RelationRows, { readonly problem: string }>,
): readonly KnownRow[] {
  return [...one.rows].flatMap(([digest, row]) =>
    Array.from({ length: Math.max(0, row.count - (other.rows.get(digest)?.count ?? 0)) }, () => row),
  );
}
