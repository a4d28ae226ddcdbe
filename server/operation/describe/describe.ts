/**
 * DESCRIBE, EXPLAIN and VALIDATE (docs/language.md#looking-at-the-registry), for every door. Takes definitions, gives tables; progress of blocks and
 * recorded inspections, which are no definitions, come from where the door finds them.
 */
import {
  describeBlock,
  describeKind,
  explainBlock,
  findBlock,
  nearestNames,
  waitsFor,
  withWaiting,
  type Block,
  type BlockKind,
  type Catalog,
  type Describe,
  type DescribeAll,
  type DescribedTable,
  type Explain,
  type PlacedFinding,
  type Registry,
} from '../../../compiler/index.ts';
import { blockKinds } from '../../../language/contract/block-kind.ts';
import { findMetaRelation } from '../../../language/contract/meta-relations.ts';
import type { Column } from '../../../language/contract/query.ts';
import { isStandingRelation, standingColumns, type StandingRelation } from '../../../language/contract/standing.ts';
import { fail } from '../../../language/failure/failure.ts';
import { castValue } from '../../../language/values/cast.ts';
import { scalarText } from '../../../language/values/scalar-text.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';

export interface DescribedFrom {
  /** The rows of `meta_inspections`. */
  readonly inspections: () => Promise<readonly Row[]>;
  /** Progress of a subscription or a reaction: the values of `standingColumns`; undefined where it is not known. */
  readonly standing: (relation: StandingRelation, name: string) => Promise<Row | undefined>;
}

/** DESCRIBE of one block, or of a recorded inspection. */
export async function describe(
  { catalog, waiting }: Registry,
  { what: named, name: { text: name } }: Pick<Describe, 'what' | 'name'>,
  { inspections, standing }: DescribedFrom,
): Promise<Table> {
  const created = withWaiting(catalog, waiting);
  const what = named ?? (await kindNamed(created, name, inspections));
  if (what === 'inspection') {
    const records = await inspections();
    const record = records.find((each) => each[0] === name);
    if (record === undefined) throw missing('inspection', name, records.map(nameOf));
    const rows = inspectionColumns.map((property, at) => [property, scalarText(record[at] ?? null)]);
    return textTable({ columns: ['property', 'value'], rows });
  }
  const block = knownBlock(created, what, name);
  const described = describeBlock(created, block, waitsFor(waiting, block));
  const relation = `meta_${what}s`;
  const row = isStandingRelation(relation) ? await standing(relation, block.name) : undefined;
  if (!isStandingRelation(relation) || row === undefined) return textTable(described);
  return textTable({ ...described, rows: [...described.rows, ...standingTexts(relation, row)] });
}

/** DESCRIBE AGGREGATES, COMMANDS, …. */
export async function describeAll(
  { catalog, waiting }: Registry,
  { what }: Pick<DescribeAll, 'what'>,
  { inspections }: DescribedFrom,
): Promise<Table> {
  if (what !== 'inspection') return textTable(describeKind(catalog, what, waiting));
  const shown = ['name', 'kind', 'full_sql'];
  const rows = (await inspections()).map((row) =>
    inspectionColumns.flatMap((name, at) => (shown.includes(name) ? [scalarText(row[at] ?? null)] : [])),
  );
  return textTable({ columns: shown, rows });
}

/** EXPLAIN of a block. */
export function explain(
  catalog: Catalog,
  { type, name }: Extract<Explain['target'], { readonly name: unknown }>,
): Table {
  const block = knownBlock(catalog, type, name.text);
  if (block.kind === 'decision' || block.kind === 'projection' || block.kind === 'reaction')
    return textTable(explainBlock(block, catalog));
  throw new Error(`a ${block.kind} cannot be explained`);
}

/** A table of texts as one of an answer. */
export function textTable({ columns, rows }: DescribedTable): Table {
  return { columns: columns.map((name) => column(name, 'STRING')), rows };
}

/** The findings of VALIDATE REGISTRY; without a place, its columns are NULL. */
export function findingsTable(findings: readonly PlacedFinding[]): Table {
  const texts = ['severity', 'code', 'block', 'message', 'file'] as const;
  const numbers = ['line', 'column'] as const;
  return {
    columns: [...texts.map((name) => column(name, 'STRING')), ...numbers.map((name) => column(name, 'INT'))],
    rows: findings.map((finding) => [...texts, ...numbers].map((name) => finding[name] ?? null)),
  };
}

function column(name: string, kind: 'STRING' | 'INT'): Column {
  return { name, type: { kind }, nullable: true, sensitive: false };
}

const inspectionColumns = (findMetaRelation('meta_inspections')?.columns ?? []).map(({ name }) => name);

/** The progress of a block, as properties of it. */
function standingTexts(relation: StandingRelation, standing: Row): DescribedTable['rows'] {
  return standingColumns[relation].flatMap(({ name: property, type }, at) => {
    const value = standing[at] ?? null;
    const text = value === null ? '' : scalarText(castValue(value, type, { kind: 'STRING' }));
    return value === null ? [] : [[property.replaceAll('_', ' '), text]];
  });
}

/** The one kind that has a block of a name, exactly or in another case; else an inspection may have the name. */
async function kindNamed(
  catalog: Catalog,
  name: string,
  inspections: DescribedFrom['inspections'],
): Promise<NonNullable<Describe['what']>> {
  const all = blockKinds.flatMap((kind) => catalog.blocks[kind].map((block) => ({ kind, name: block.name })));
  const exact = all.filter((block) => block.name === name);
  const found = exact.length > 0 ? exact : all.filter((block) => isNamed(block, name));
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only.kind;
  if (only !== undefined) throw fail('R0114', { name: only.name, kinds: found.map(({ kind }) => kind) });
  const records = (await inspections()).map(nameOf);
  if (records.includes(name)) return 'inspection';
  throw missing('block', name, [...new Set([...all.map((block) => block.name), ...records])]);
}

function knownBlock(catalog: Catalog, kind: BlockKind, name: string): Block {
  const all: readonly Block[] = catalog.blocks[kind];
  const folded = all.filter((block) => isNamed(block, name));
  const block = findBlock(catalog, kind, name) ?? (folded.length === 1 ? folded[0] : undefined);
  if (block !== undefined) return block;
  throw missing(
    kind,
    name,
    all.map((known) => known.name),
  );
}

function isNamed(block: { readonly name: string }, name: string): boolean {
  return block.name.toLowerCase() === name.toLowerCase();
}

function nameOf([name = null]: Row): string {
  return scalarText(name);
}

function missing(kind: string, name: string, names: readonly string[]): Error {
  return fail('R0106', { kind, name, known: nearestNames(name, names) });
}
