import {
  bindInspectDecision,
  bindInspectProjection,
  findBlock,
  type AggregateBlock,
  type BoundInspectDecision,
  type Catalog,
  type InspectDecision,
  type InspectProjection,
  type RelationName,
} from '../../../compiler/index.ts';
import { fail } from '../../failure/failure.ts';
import type { Inspection } from '../../engine/inspect.ts';
import type { Column } from '../../contract/query.ts';
import type { Row } from '../../store/store.ts';
import { keptName, type AboutInspection } from '../../registry/inspections.ts';
import { toJsonValue } from '../../values/json-value.ts';
import type { JsonObject } from '../../values/json.ts';
import type { StatementContext } from '../context.ts';
import { branchColumns, branchRows, targetColumns, targetRows, type TargetShape } from '../inspection-tables.ts';
import type { StatementResult } from '../outcome.ts';
import { bindScope } from '../scope.ts';
import { evaluateQuery, withBound } from './queries.ts';

/** INSPECT DECISION: each source row decided against the real state, with no effect (language.md section 8). */
export async function runInspectDecision(
  context: StatementContext,
  statement: InspectDecision,
): Promise<StatementResult> {
  checkRecordable(context);
  await context.live.settle();
  const bound = bindInspectDecision(context.reg.registry, statement, bindScope(context));
  return withBound(context, bound, async (inspect) => {
    const inputs = await readInputs(context, inspect);
    const inspection = await simulate(context, inspect, inputs);
    const shape = targetShape(context.reg.registry.catalog, inspect.decision);
    const columns = targetColumns(shape);
    const rows = targetRows(shape, inspection, { now: context.clock(), uuid: context.uuid });
    const aggregates = [shape.decision.aggregate];
    await keep(context, inspect.target, aggregates, columns.seen, rows, columns.stored);
    await keep(
      context,
      `${inspect.target}__branches`,
      aggregates,
      branchColumns,
      branchRows(shape.decision, inspection),
    );
    await keepInput(context, statement.source, aggregates);
    await record(context, inspect.target, 'Decision', inspect.decision, statement.source.name.text);
    return { kind: 'inspect', into: inspect.target, rows: inputs.length, rejected: inspection.rejected };
  });
}

async function readInputs(context: StatementContext, inspect: BoundInspectDecision): Promise<readonly JsonObject[]> {
  const source = await evaluateQuery(context, inspect.source, true);
  return source.rows.map(
    (row) =>
      new Map(
        inspect.fields.map((field, index) => [
          field,
          toJsonValue(row[index] ?? null, columnAt(source.columns, index).type),
        ]),
      ),
  );
}

function columnAt(columns: readonly Column[], index: number): Column {
  const column = columns[index];
  if (column === undefined) throw new Error(`an inspection's source has no column ${index}`);
  return column;
}

function simulate(
  context: StatementContext,
  inspect: BoundInspectDecision,
  inputs: readonly JsonObject[],
): Promise<Inspection> {
  const { engine } = context.reg;
  const decision = engine.domain().decisions.find((candidate) => candidate.name === inspect.decision);
  if (decision === undefined) throw new Error(`decision ${inspect.decision} is bound and not loaded`);
  return engine.inspect(decision.command, inputs, {
    now: context.clock(),
    random: context.random,
    uuid: context.uuid,
  });
}

function targetShape(catalog: Catalog, name: string): TargetShape {
  const decision = findBlock(catalog, 'decision', name);
  if (decision === undefined) throw new Error(`decision ${name} is bound and not in the catalog`);
  const landing = new Set([
    decision.aggregate,
    ...decision.branches.flatMap((branch) => branch.emits.map((emit) => emit.aggregate)),
  ]);
  const aggregates = [...landing]
    .map((aggregate) => findBlock(catalog, 'aggregate', aggregate))
    .filter((found): found is AggregateBlock => found !== undefined);
  const events = catalog.blocks.event.filter((event) =>
    aggregates.some((aggregate) => aggregate.events.includes(event.name)),
  );
  return { decision, aggregates, events };
}

/** INSPECT PROJECTION: the source stands in for the projection's event relation. */
export async function runInspectProjection(
  context: StatementContext,
  statement: InspectProjection,
): Promise<StatementResult> {
  checkRecordable(context);
  await context.live.settle();
  const bound = bindInspectProjection(context.reg.registry, statement, bindScope(context));
  return withBound(context, bound, async (inspect) => {
    const table = await evaluateQuery(context, inspect.query, true);
    const aggregates = findBlock(context.reg.registry.catalog, 'projection', inspect.projection)?.aggregates ?? [];
    if (!inspect.rebuild) await keep(context, inspect.target, aggregates, table.columns, table.rows);
    await keepInput(context, statement.source, aggregates);
    await record(context, inspect.target, 'Projection', inspect.projection, sourceText(statement));
    return { kind: 'inspect', into: inspect.target, rows: table.rows.length, rejected: 0 };
  });
}

function sourceText({ source }: InspectProjection): string {
  return source.schema === undefined ? source.name.text : `${source.schema.text}."${source.name.text}"`;
}

/** Puts a table into the session, and beside the log for those who read it over HTTP. */
async function keep(
  context: StatementContext,
  name: string,
  aggregates: readonly string[],
  seen: readonly Column[],
  rows: readonly Row[],
  stored: readonly Column[] = seen,
): Promise<void> {
  await context.tables.put(name, seen, rows, stored);
  const about: AboutInspection = { aggregates, seen };
  await context.engine.store.inspectionTables.save(keptName(name, 'output'), {
    columns: stored,
    rows,
    about: JSON.stringify(about),
  });
}

/** The session's own table that was inspected; an earlier inspection's target is kept already, and streams are not copied. */
async function keepInput(
  context: StatementContext,
  source: RelationName,
  aggregates: readonly string[],
): Promise<void> {
  const table = source.schema === undefined ? context.tables.find(source.name.text) : undefined;
  if (table === undefined) return;
  const { columns, rows } = context.tables.rows(table);
  const about: AboutInspection = { aggregates, seen: table.columns };
  await context.engine.store.inspectionTables.save(keptName(table.name, 'input'), {
    columns,
    rows,
    about: JSON.stringify(about),
  });
}

/** The record in the log; the rows themselves are derived and can be made again. */
async function record(
  context: StatementContext,
  name: string,
  inspected: 'Decision' | 'Projection',
  block: string,
  input: string,
): Promise<void> {
  const { store } = context.engine;
  const last = store.position().at;
  const now = context.clock();
  const entry = { kind: 'inspection', name, inspected, block, input, fullSql: context.text } as const;
  await store.exclusively((turn) => turn.append(entry, now > last ? now : last));
}

/** The record goes into the session's own log, which must take it; the inspected store may be for reading only. */
function checkRecordable({ engine }: StatementContext): void {
  if (engine.readOnly) throw fail('R0109', { what: 'recording an inspection' });
}
