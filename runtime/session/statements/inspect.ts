import {
  bindInspectDecision,
  bindInspectProjection,
  findBlock,
  type AggregateBlock,
  type BoundInspectDecision,
  type BoundInspectProjection,
  type Catalog,
  type InspectDecision,
  type InspectProjection,
  type RelationName,
} from '../../../compiler/index.ts';
import type { Engine } from '../../engine/engine.ts';
import { fail } from '../../failure/failure.ts';
import { keptName, type AboutInspection } from '../../registry/inspections.ts';
import { saveTable } from '../../store/save-table.ts';
import type { Row, TableColumn } from '../../store/store.ts';
import type { JsonObject } from '../../values/json.ts';
import type { StatementContext } from '../context.ts';
import { inputPages } from '../input-pages.ts';
import { branchColumns, branchRows, createTargetRows, targetColumns, type TargetShape } from '../inspection-tables.ts';
import type { StatementResult } from '../outcome.ts';
import { bindScope } from '../scope.ts';
import type { SessionTable } from '../tables.ts';
import { countRows, putRows, withBound } from './queries.ts';

/** INSPECT DECISION: each source row decided against the real state, with no effect (language.md section 8). */
export async function runInspectDecision(
  context: StatementContext,
  statement: InspectDecision,
): Promise<StatementResult> {
  checkRecordable(context);
  await context.live.settle();
  const bound = bindInspectDecision(context.reg.registry, statement, bindScope(context));
  return withBound(context, bound, async (inspect) => {
    const shape = targetShape(context.reg.registry.catalog, inspect.decision);
    const aggregates = [shape.decision.aggregate];
    const counts = await simulate(context, inspect, statement.source, shape, aggregates);
    await show(context, inspect.target);
    await show(context, branchesOf(inspect.target));
    await keepInput(context, statement.source, aggregates);
    await record(context, inspect.target, 'Decision', inspect.decision, statement.source.name.text);
    return { kind: 'inspect', into: inspect.target, ...counts };
  });
}

/** Decides all rows of the source and keeps what comes of them, page by page, beside the log. */
async function simulate(
  context: StatementContext,
  inspect: BoundInspectDecision,
  source: RelationName,
  shape: TargetShape,
  aggregates: readonly string[],
): Promise<{ readonly rows: number; readonly rejected: number }> {
  const decision = context.reg.engine.domain().decisions.find((candidate) => candidate.name === inspect.decision);
  if (decision === undefined) throw new Error(`decision ${inspect.decision} is bound and not loaded`);
  const { inspectionTables } = context.engine.store;
  const about = aboutText(aggregates);
  const now = context.clock();
  const targets = await inspectionTables.write(keptName(inspect.target, 'output'), {
    columns: targetColumns(shape),
    about,
  });
  const branches = await inspectionTables.write(keptName(branchesOf(inspect.target), 'output'), {
    columns: branchColumns(shape.decision),
    about,
  });
  const rowsOf = createTargetRows(shape, { now, uuid: context.uuid });
  const { random, uuid } = context;
  try {
    const counts = await decideAll(context, inspect, source, (engine, inputs, total) =>
      engine.inspect(decision.command, inputs, { now, random, uuid }, async (pages) => {
        let rows = 0;
        let rejected = 0;
        for await (const page of pages) {
          await targets.add(rowsOf(page.events));
          await branches.add(branchRows(page.branches));
          rows += page.rows;
          rejected += page.rejected;
          await context.progress(`${progressText(rows, total)} rows inspected`);
        }
        return { rows, rejected };
      }),
    );
    await targets.keep();
    await branches.keep();
    return counts;
  } catch (error) {
    await targets.discard();
    await branches.discard();
    throw error;
  }
}

/** A run of more than one page does not hold up those who wait for the store: it runs on the store as it stands now. */
async function decideAll<T>(
  context: StatementContext,
  inspect: BoundInspectDecision,
  source: RelationName,
  work: (engine: Engine, inputs: AsyncIterable<readonly JsonObject[]>, total?: number) => Promise<T>,
): Promise<T> {
  const { aside, own, reg } = context;
  const inputs = inputPages(context, inspect);
  const first = await inputs.next();
  const all = async function* (): AsyncGenerator<readonly JsonObject[], void, undefined> {
    if (first.done !== true) yield first.value;
    yield* inputs;
  };
  if (first.done === true || first.value.length < longRun) return work(reg.engine, all());
  const total = await countRows(context, nameParts(source));
  if (aside === undefined || reg !== own) return work(reg.engine, all(), total);
  const { engine } = await aside();
  try {
    return await work(engine, all(), total);
  } finally {
    await engine.close();
  }
}

/** Rows that take some milliseconds. */
const longRun = 500;

function branchesOf(target: string): string {
  return `${target}__branches`;
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
    const aggregates = findBlock(context.reg.registry.catalog, 'projection', inspect.projection)?.aggregates ?? [];
    const rows = inspect.rebuild
      ? await rebuild(context, statement.target, inspect.projection)
      : await project(context, inspect, aggregates);
    await keepInput(context, statement.source, aggregates);
    await record(context, inspect.target, 'Projection', inspect.projection, sourceText(statement));
    return { kind: 'inspect', into: inspect.target, rows, rejected: 0 };
  });
}

/** Runs the projection over its source and keeps what comes of it; gives the count of rows. */
async function project(
  context: StatementContext,
  { target, query }: BoundInspectProjection,
  aggregates: readonly string[],
): Promise<number> {
  const table = await putRows(context, target, query);
  const total = await countRows(context, [target]);
  let rows = 0;
  const counted = async function* (): AsyncGenerator<readonly Row[]> {
    for await (const page of context.tables.pages(table)) {
      rows += page.length;
      await context.progress(`${progressText(rows, total)} rows kept`);
      yield page;
    }
  };
  await keep(context, keptName(target, 'output'), table.stored, aggregates, counted());
  return rows;
}

/** Builds what is kept of the projection anew, from all its events, whatever the source was narrowed to. */
async function rebuild(context: StatementContext, target: RelationName, projection: string): Promise<number> {
  const { own, reg } = context;
  if (own !== reg)
    throw fail('R0501', {
      store: reg.store ?? '',
      problem: `what is kept of ${projection} is built from the session's own events; INTO a table reads another store`,
    });
  await context.engine.store.rebuild(projection, (done, total) =>
    context.progress(`${progressText(done, total)} events of ${projection}`),
  );
  return countRows(context, nameParts(target));
}

function nameParts({ schema, name }: RelationName): readonly string[] {
  return schema === undefined ? [name.text] : [schema.text, name.text];
}

/** `1,500 of 20,000`. */
function progressText(done: number, total: number | undefined): string {
  const shown = done.toLocaleString('en');
  return total === undefined ? shown : `${shown} of ${total.toLocaleString('en')}`;
}

function sourceText({ source }: InspectProjection): string {
  return source.schema === undefined ? source.name.text : `${source.schema.text}."${source.name.text}"`;
}

function aboutText(aggregates: readonly string[]): string {
  return JSON.stringify({ aggregates } satisfies AboutInspection);
}

/** Keeps a table beside the log, for later sessions and for those who read it over HTTP. */
async function keep(
  context: StatementContext,
  name: string,
  columns: readonly TableColumn[],
  aggregates: readonly string[],
  pages: AsyncIterable<readonly Row[]>,
): Promise<void> {
  const { inspectionTables } = context.engine.store;
  await saveTable(inspectionTables, name, { columns, about: aboutText(aggregates) }, pages);
}

/** What was just kept is a table of the session. */
async function show(context: StatementContext, name: string): Promise<void> {
  const kept = await context.engine.store.inspectionTables.open(keptName(name, 'output'));
  if (kept === 'missing' || kept === 'damaged') throw new Error(`table ${name} was just kept and is ${kept}`);
  await context.tables.put(name, kept.columns, () => kept.pages());
}

/** The session's own table that was inspected; an earlier inspection's target is kept already, and streams are not copied. */
async function keepInput(
  context: StatementContext,
  source: RelationName,
  aggregates: readonly string[],
): Promise<void> {
  const table: SessionTable | undefined =
    source.schema === undefined ? context.tables.find(source.name.text) : undefined;
  if (table === undefined) return;
  await keep(context, keptName(table.name, 'input'), table.stored, aggregates, context.tables.pages(table));
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
