import {
  describeBlock,
  describeKind,
  explainAsOf,
  explainBlock,
  explainQuery,
  exportRegistry,
  findBlock,
  nearestNames,
  placeFindings,
  waitsFor,
  withWaiting,
  type Block,
  type BlockKind,
  type Catalog,
  type Describe,
  type DescribeAll,
  type DescribedTable,
  type Explain,
} from '../../../compiler/index.ts';
import type { Table } from '../../../runtime/engine/outcome.ts';
import type { Row } from '../../../runtime/store/store.ts';
import { blockKinds } from '../../../language/contract/block-kind.ts';
import { standingColumns, type StandingRelation } from '../../../language/contract/standing.ts';
import { fail } from '../../../language/failure/failure.ts';
import { castValue } from '../../../language/values/cast.ts';
import { scalarText } from '../../../language/values/scalar-text.ts';
import { bind } from '../../operation/bind/bind.ts';
import type { StatementContext } from '../context.ts';
import { registryAt } from '../../place/registry-at.ts';
import { atMoment, onePlace } from '../as-of.ts';
import { findingsTable } from './findings-table.ts';
import type { StatementResult } from '../outcome.ts';
import { bindScope } from '../scope.ts';
import { withBound } from '../evaluate.ts';

/** A table of texts as one of an answer. */
export function describedTable(described: DescribedTable): Table {
  const columns = described.columns.map((name) => ({
    name,
    type: { kind: 'STRING' } as const,
    nullable: true,
    sensitive: false,
  }));
  return { columns, rows: described.rows };
}

/** DESCRIBE of one block, or of a recorded inspection. */
export async function runDescribe(context: StatementContext, statement: Describe): Promise<StatementResult> {
  const { catalog, waiting } = context.reg.registry();
  const created = withWaiting(catalog, waiting);
  const what = statement.what ?? (await kindNamed(created, statement.name.text, context.inspections));
  if (what !== 'inspection') {
    const block = knownBlock(created, what, statement.name.text);
    const described = describeBlock(created, block, waitsFor(waiting, block));
    const rows = [...described.rows, ...(await standingRows(context, block))];
    return { kind: 'describe', table: describedTable({ ...described, rows }) };
  }
  const records = await context.inspections();
  const record = records.find(({ name }) => name === statement.name.text);
  if (record === undefined)
    throw missing(
      'inspection',
      statement.name.text,
      records.map(({ name }) => name),
    );
  const rows = [
    ['name', record.name],
    ['kind', record.kind],
    ['input_table', record.inputTable],
    ['output_table', record.outputTable],
    ['full_sql', record.fullSql],
  ];
  return { kind: 'describe', table: describedTable({ columns: ['property', 'value'], rows }) };
}

/** Progress of a subscription or a reaction of this store, as far as this process knows it. */
async function standingRows(context: StatementContext, { kind, name }: Block): Promise<DescribedTable['rows']> {
  if ((kind !== 'subscription' && kind !== 'reaction') || context.own !== context.reg) return [];
  await context.live.adopt();
  const relation = `meta_${kind}s` as const;
  const standing = (await context.standings(relation, (each) => each === name)).get(name) ?? [];
  return standingTexts(relation, standing);
}

/** The progress as properties of the block. */
export function standingTexts(relation: StandingRelation, standing: Row): DescribedTable['rows'] {
  return standingColumns[relation].flatMap(({ name: property, type }, at) => {
    const value = standing[at] ?? null;
    return value === null ? [] : [[property.replaceAll('_', ' '), scalarText(castValue(value, type, text))]];
  });
}

const text = { kind: 'STRING' } as const;

/** The one kind that has a block of a name, exactly or in another case; else an inspection may have the name. */
export async function kindNamed(
  catalog: Catalog,
  name: string,
  inspections: () => Promise<readonly { readonly name: string }[]>,
): Promise<NonNullable<Describe['what']>> {
  const folded = name.toLowerCase();
  const all = blockKinds.flatMap((kind) => catalog.blocks[kind].map((block) => ({ kind, name: block.name })));
  const exact = all.filter((block) => block.name === name);
  const found = exact.length > 0 ? exact : all.filter((block) => block.name.toLowerCase() === folded);
  const [only, ...others] = found;
  if (only !== undefined && others.length === 0) return only.kind;
  if (only !== undefined) throw fail('R0114', { name: only.name, kinds: found.map(({ kind }) => kind) });
  const records = await inspections();
  if (records.some((record) => record.name === name)) return 'inspection';
  throw missing('block', name, Array.from(new Set([...all, ...records].map((known) => known.name))));
}

/** DESCRIBE AGGREGATES, COMMANDS, …. */
export async function runDescribeAll(context: StatementContext, statement: DescribeAll): Promise<StatementResult> {
  if (statement.what !== 'inspection') {
    const { catalog, waiting } = context.reg.registry();
    return { kind: 'describe', table: describedTable(describeKind(catalog, statement.what, waiting)) };
  }
  const rows = (await context.inspections()).map(({ name, kind, fullSql }) => [name, kind, fullSql]);
  return { kind: 'describe', table: describedTable({ columns: ['name', 'kind', 'full_sql'], rows }) };
}

export function runValidate(context: StatementContext): Promise<StatementResult> {
  return Promise.resolve({ kind: 'validate', table: findingsTable(placeFindings(context.reg.registry())) });
}

export async function runExport(context: StatementContext): Promise<StatementResult> {
  const { asOf, reg } = context;
  if (asOf === undefined) return { kind: 'export', text: exportRegistry(reg.registry().catalog) };
  return atMoment(context, asOf, reg, async (moment) => {
    const { catalog } = await registryAt(reg.engine.store, moment);
    return { kind: 'export', text: exportRegistry(catalog) };
  });
}

export async function runExplain(context: StatementContext, { target }: Explain): Promise<StatementResult> {
  const { catalog } = context.reg.registry();
  if (target.type === 'query') {
    const bound = bind(context.reg.registry(), target.query, bindScope(context));
    const { asOf } = context;
    return withBound(context, bound, (query) => {
      if (asOf === undefined)
        return Promise.resolve({ kind: 'explain', table: describedTable(explainQuery(query, catalog)) });
      return atMoment(context, asOf, onePlace(context, query), (moment) =>
        Promise.resolve({ kind: 'explain', table: describedTable(explainAsOf(query, catalog, moment.position)) }),
      );
    });
  }
  const block = knownBlock(catalog, target.type, target.name.text);
  if (block.kind === 'decision' || block.kind === 'projection' || block.kind === 'reaction')
    return { kind: 'explain', table: describedTable(explainBlock(block, catalog)) };
  throw new Error(`a ${block.kind} cannot be explained`);
}

export function knownBlock(catalog: Catalog, kind: BlockKind, name: string): Block {
  const all: readonly Block[] = catalog.blocks[kind];
  const folded = all.filter((block) => block.name.toLowerCase() === name.toLowerCase());
  const block = findBlock(catalog, kind, name) ?? (folded.length === 1 ? folded[0] : undefined);
  if (block === undefined)
    throw missing(
      kind,
      name,
      all.map((known) => known.name),
    );
  return block;
}

function missing(kind: string, name: string, names: readonly string[]): Error {
  return fail('R0106', { kind, name, known: nearestNames(name, names) });
}
