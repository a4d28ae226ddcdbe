import {
  bindInspectDecision,
  bindInspectProjection,
  findBlock,
  type BoundInspectDecision,
  type BoundInspectProjection,
  type Catalog,
  type InspectDecision,
  type InspectProjection,
  type RelationName,
} from '../../../compiler/index.ts';
import type { Engine } from '../../../runtime/engine/engine.ts';
import { inspectEach } from '../../../runtime/engine/replay.ts';
import { fail } from '../../../language/failure/failure.ts';
import { explainOf } from '../../registry/load/guard-terms.ts';
import { branchesOf, keptName, type AboutInspection } from '../../registry/inspections.ts';
import type { Row } from '../../../runtime/store/store.ts';
import type { JsonObject } from '../../../language/values/json.ts';
import type { StatementContext } from '../context.ts';
import { inputPages } from '../input-pages.ts';
import { aboutText } from '../../inspect/keep-input.ts';
import {
  branchColumns,
  createTargetRows,
  targetColumns,
  targetShapeOf,
  type ShownCommand,
  type TargetShape,
} from '../../inspect/inspection-tables.ts';
import { checkRecordable, keepInput, keepOutput, recordInspection, showOutput } from '../keep-inspection.ts';
import { inspectWith, instantOf } from '../inspected.ts';
import type { StatementResult } from '../outcome.ts';
import type { SessionTable } from '../tables.ts';
import { evaluateInside } from '../evaluate.ts';
import { countRows, putRows, queryOf } from './queries.ts';

/** INSPECT DECISION: each source row is decided against the real state, without effect (docs/language.md#inspections). */
export async function runInspectDecision(
  context: StatementContext,
  statement: InspectDecision,
): Promise<StatementResult> {
  checkRecordable(context);
  return inspectWith(
    context,
    statement.schema,
    (registry, scope) => bindInspectDecision(registry, statement, scope),
    (at, inspect) => decide(at, statement, inspect),
  );
}

async function decide(
  context: StatementContext,
  statement: InspectDecision,
  inspect: BoundInspectDecision,
): Promise<StatementResult> {
  const { catalog } = context.reg.registry();
  const shape = targetShapeOf(catalog, inspect.decision);
  const aggregates = [shape.decision.aggregate];
  const counts = await simulate(context, inspect, statement.source, shape, aggregates);
  const { target } = inspect;
  const inspection = { target, inspected: 'Decision', block: inspect.decision, aggregates } as const;
  // A table of recorded commands would outlive the rights on them.
  if (inspect.each === undefined)
    await keepInput(context, statement.source, inspection, sensitiveColumns(catalog, shape.decision.command, inspect));
  await showOutput(context, target);
  await showOutput(context, branchesOf(target));
  await recordInspection(context, inspection, statement.source);
  return { kind: 'inspect', into: inspect.target, ...counts };
}

/** The columns of the source that map to a SENSITIVE field of the command (docs/language.md#sensitive-values). */
function sensitiveColumns(catalog: Catalog, command: string, inspect: BoundInspectDecision): readonly string[] {
  const fields = findBlock(catalog, 'command', command)?.fields ?? [];
  const sensitive = new Set(fields.filter((field) => field.sensitive).map(({ name }) => name));
  const { body } = inspect.source;
  const items = body.kind === 'select' ? body.items : [];
  return items.flatMap((item, index) =>
    item.kind === 'column' && sensitive.has(inspect.fields[index] ?? '') ? [item.column] : [],
  );
}

/** Decides all rows of the source and stores the results, page by page, beside the log. */
async function simulate(
  context: StatementContext,
  inspect: BoundInspectDecision,
  source: RelationName,
  shape: TargetShape,
  aggregates: readonly string[],
): Promise<{ readonly rows: number; readonly rejected: number }> {
  const decision = context.reg.domain.decisions.find((candidate) => candidate.name === inspect.decision);
  if (decision === undefined) throw new Error(`decision ${inspect.decision} is bound and not loaded`);
  const { inspectionTables } = context.engine.store;
  const about = aboutText({ aggregates });
  const targets = await inspectionTables.write(keptName(inspect.target, 'output'), {
    columns: targetColumns(shape),
    about,
  });
  const branches = await inspectionTables.write(keptName(branchesOf(inspect.target), 'output'), {
    columns: branchColumns(shape.decision),
    about,
  });
  const explain = explainOf(context.reg.registry().catalog, inspect.decision);
  const rowsOf = createTargetRows(shape, { uuid: context.uuid, explain });
  const counts = { rows: 0, rejected: 0 };
  const add = async (commands: readonly ShownCommand[]): Promise<void> => {
    const made = rowsOf(commands);
    await targets.add(made.rows);
    await branches.add(made.branches);
    counts.rows += commands.length;
    counts.rejected += made.rejected;
  };
  try {
    if (inspect.each !== undefined) await decideEach(context, inspect, decision.command, add, counts);
    else
      await decideAll(context, inspect, source, (engine, inputs, total) =>
        engine.inspect(decision.command, inputs, instantOf(context), async (pages) => {
          for await (const page of pages) {
            await add(page);
            await context.progress(`${progressText(counts.rows, total)} rows inspected`);
          }
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

/** Decides every recorded command against the state just before it; long, and beside all other work of the store. */
async function decideEach(
  context: StatementContext,
  inspect: BoundInspectDecision,
  command: string,
  add: (commands: readonly ShownCommand[]) => Promise<void>,
  counts: { readonly rows: number },
): Promise<void> {
  const { domain, engine } = context.reg;
  const { store, rules } = engine;
  const chosen = inspect.each === 'chosen' ? await entriesOf(context, inspect) : undefined;
  for await (const again of inspectEach(store, domain, { command, rules, ...(chosen && { chosen }) })) {
    await add([again]);
    if (counts.rows % longRun === 0)
      await context.progress(`${progressText(counts.rows, undefined)} commands inspected`);
  }
}

/** The numbers of the entries that WHERE and LIMIT choose. */
async function entriesOf(context: StatementContext, { source }: BoundInspectDecision): Promise<ReadonlySet<number>> {
  const { rows } = await evaluateInside(context, source);
  return new Set(rows.map(([entry]) => Number(entry)));
}

/** A run of more than one page does not block those who wait for the store: it runs on the store in its current state. */
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
  const place = await aside();
  try {
    return await work(place.engine, all(), total);
  } finally {
    await place.close();
  }
}

/** Rows that take some milliseconds. */
export const longRun = 500;

/** INSPECT PROJECTION: the source replaces the projection's event relation. */
export async function runInspectProjection(
  context: StatementContext,
  statement: InspectProjection,
): Promise<StatementResult> {
  checkRecordable(context);
  return inspectWith(
    context,
    statement.schema,
    (registry, scope) => bindInspectProjection(registry, statement, scope),
    (at, inspect) => show(at, statement, inspect),
  );
}

async function show(
  context: StatementContext,
  statement: InspectProjection,
  inspect: BoundInspectProjection,
): Promise<StatementResult> {
  const aggregates = findBlock(context.reg.registry().catalog, 'projection', inspect.projection)?.aggregates ?? [];
  const { target, projection: block } = inspect;
  const inspection = { target, inspected: 'Projection', block, aggregates } as const;
  if (inspect.rebuild) checkRebuilt(context, block);
  // Before the target exists, which may be the same table.
  await keepInput(context, statement.source, inspection);
  const rows = inspect.rebuild
    ? await rebuild(context, block, aggregates)
    : await project(context, inspect, aggregates);
  await recordInspection(context, inspection, statement.source);
  return { kind: 'inspect', into: inspect.target, rows, rejected: 0 };
}

/** Runs the projection over its source and stores the result; returns the count of rows. */
async function project(
  context: StatementContext,
  { target, query }: BoundInspectProjection,
  aggregates: readonly string[],
): Promise<number> {
  const table = await putRows(context, target, query);
  const rows = await keepTable(context, table, target, { aggregates });
  context.tables.setRecorded(target);
  return rows;
}

/** Stores a table of the session as the output of an inspection; returns the count of rows. */
async function keepTable(
  context: StatementContext,
  table: SessionTable,
  target: string,
  about: AboutInspection,
): Promise<number> {
  const total = await countRows(context, [table.name]);
  let rows = 0;
  const counted = async function* (): AsyncGenerator<readonly Row[]> {
    for await (const page of context.tables.pages(table)) {
      rows += page.length;
      await context.progress(`${progressText(rows, total)} rows kept`);
      yield page;
    }
  };
  await keepOutput(context, target, about, table.stored, counted());
  return rows;
}

/**
 * Rebuilds the kept rows of the projection from all its events, even if the source was narrowed, and stores the resulting rows under its
 * name (docs/http.md#inspections); returns their count.
 */
async function rebuild(context: StatementContext, projection: string, aggregates: readonly string[]): Promise<number> {
  const { tables } = context;
  await context.engine.store.rebuild(projection, (done, total) =>
    context.progress(`${progressText(done, total)} events of ${projection}`),
  );
  const rows = await putRows(context, `${projection} rebuilt`, queryOf(context, '*', ['Reg', projection]));
  try {
    const count = await keepTable(context, rows, projection, { aggregates, rebuilt: true });
    // Its rows in the store are removed, as with any target that is overwritten.
    if (tables.find(projection)?.recorded === true) await tables.drop(projection);
    return count;
  } finally {
    await tables.drop(rows.name);
  }
}

function checkRebuilt({ asOf, own, reg }: StatementContext, projection: string): void {
  if (asOf !== undefined)
    throw fail('R0506', {
      what: `Reg."${projection}"`,
      problem: 'is rebuilt as it is now; INTO a table shows it as of a moment',
    });
  if (own === reg) return;
  const problem = `${projection} is rebuilt from the session's own events; INTO a table reads another store`;
  throw fail('R0501', { store: reg.store ?? '', problem });
}

function nameParts({ schema, name }: RelationName): readonly string[] {
  return schema === undefined ? [name.text] : [schema.text, name.text];
}

/** `1,500 of 20,000`. */
export function progressText(done: number, total: number | undefined): string {
  const shown = done.toLocaleString('en');
  return total === undefined ? shown : `${shown} of ${total.toLocaleString('en')}`;
}
