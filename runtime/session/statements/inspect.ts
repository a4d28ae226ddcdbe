import {
  bindInspectDecision,
  bindInspectProjection,
  findBlock,
  type AggregateBlock,
  type BoundInspectDecision,
  type Catalog,
  type InspectDecision,
  type InspectProjection,
} from '../../../compiler/index.ts';
import type { Inspection } from '../../engine/inspect.ts';
import type { Column } from '../../contract/query.ts';
import { toJsonValue } from '../../values/json-value.ts';
import type { JsonObject } from '../../values/json.ts';
import type { StatementContext } from '../context.ts';
import { branchColumns, branchRows, targetColumns, targetRows, type TargetShape } from '../inspection-tables.ts';
import type { StatementResult } from '../outcome.ts';
import { bindScope } from '../scope.ts';
import { evaluateQuery, withBound } from './queries.ts';

/** INSPECT DECISION: each source row decided against the real state, with no effect (language.md section 8). */
export async function runInspectDecision(context: StatementContext, statement: InspectDecision): Promise<StatementResult> {
  await context.live.settle();
  const bound = bindInspectDecision(context.live.registry(), statement, bindScope(context));
  return withBound(context, bound, async (inspect) => {
    const inputs = await readInputs(context, inspect);
    const inspection = await simulate(context, inspect, inputs);
    const shape = targetShape(context.live.registry().catalog, inspect.decision);
    const columns = targetColumns(shape);
    const rows = targetRows(shape, inspection, { now: context.clock(), uuid: context.uuid });
    await context.tables.put(inspect.target, columns.seen, rows, columns.stored);
    const branches = branchRows(shape.decision, inspection);
    await context.tables.put(`${inspect.target}__branches`, branchColumns, branches);
    await record(context, inspect.target, 'Decision', inspect.decision, statement.source.name.text);
    return { kind: 'inspect', into: inspect.target, rows: inputs.length, rejected: inspection.rejected };
  });
}

async function readInputs(context: StatementContext, inspect: BoundInspectDecision): Promise<readonly JsonObject[]> {
  const source = await evaluateQuery(context, inspect.source, true);
  return source.rows.map((row) => new Map(inspect.fields.map((field, index) => [field, toJsonValue(row[index] ?? null, columnAt(source.columns, index).type)])));
}

function columnAt(columns: readonly Column[], index: number): Column {
  const column = columns[index];
  if (column === undefined) throw new Error(`an inspection's source has no column ${index}`);
  return column;
}

function simulate(context: StatementContext, inspect: BoundInspectDecision, inputs: readonly JsonObject[]): Promise<Inspection> {
  const decision = context.engine.domain().decisions.find((candidate) => candidate.name === inspect.decision);
  if (decision === undefined) throw new Error(`decision ${inspect.decision} is bound and not loaded`);
  return context.engine.inspect(decision.command, inputs, { now: context.clock(), random: context.random, uuid: context.uuid });
}

function targetShape(catalog: Catalog, name: string): TargetShape {
  const decision = findBlock(catalog, 'decision', name);
  if (decision === undefined) throw new Error(`decision ${name} is bound and not in the catalog`);
  const landing = new Set([decision.aggregate, ...decision.branches.flatMap((branch) => branch.emits.map((emit) => emit.aggregate))]);
  const aggregates = [...landing].map((aggregate) => findBlock(catalog, 'aggregate', aggregate)).filter((found): found is AggregateBlock => found !== undefined);
  const events = catalog.blocks.event.filter((event) => aggregates.some((aggregate) => aggregate.events.includes(event.name)));
  return { decision, aggregates, events };
}

/** INSPECT PROJECTION: the source stands in for the projection's event relation. */
export async function runInspectProjection(context: StatementContext, statement: InspectProjection): Promise<StatementResult> {
  await context.live.settle();
  const bound = bindInspectProjection(context.live.registry(), statement, bindScope(context));
  return withBound(context, bound, async (inspect) => {
    const table = await evaluateQuery(context, inspect.query, true);
    if (!inspect.rebuild) await context.tables.put(inspect.target, table.columns, table.rows);
    await record(context, inspect.target, 'Projection', inspect.projection, sourceText(statement));
    return { kind: 'inspect', into: inspect.target, rows: table.rows.length, rejected: 0 };
  });
}

function sourceText({ source }: InspectProjection): string {
  return source.schema === undefined ? source.name.text : `${source.schema.text}."${source.name.text}"`;
}

/** The record in the log; the rows themselves are derived and can be made again. */
async function record(context: StatementContext, name: string, inspected: 'Decision' | 'Projection', block: string, input: string): Promise<void> {
  const { store } = context.engine;
  const last = store.position().at;
  const now = context.clock();
  const entry = { kind: 'inspection', name, inspected, block, input, fullSql: context.text } as const;
  await store.exclusively((turn) => turn.append(entry, now > last ? now : last));
}

