import {
  bindInspectDecision,
  bindInspectProjection,
  bindInspectReaction,
  findBlock,
  type BoundInspectDecision,
  type BoundInspectProjection,
  type BoundInspectReaction,
  type BoundQuery,
  type Catalog,
  type InspectDecision,
  type InspectProjection,
  type InspectReaction,
  type RelationName,
} from '../../../compiler/index.ts';
import { fail } from '../../../language/failure/failure.ts';
import { inspectDecision } from '../../operation/inspect/decision.ts';
import { inspectReaction, reactionAggregates, reactionColumns } from '../../operation/inspect/reaction.ts';
import { branchColumns, targetColumns, targetShapeOf } from '../../operation/inspect/target-rows.ts';
import { branchesOf, keepOutput, type AboutInspection, type AddPages } from '../../operation/kept.ts';
import { endOf, openPlace } from '../../place/open-place.ts';
import { sessionCaller, type StatementContext } from '../context.ts';
import { evaluateInside } from '../evaluate.ts';
import { inputPages, sourcePages } from '../input-pages.ts';
import { inspectWith, instantOf } from '../inspected.ts';
import { keepSource, recordInspection, recordOutputs } from '../keep-inspection.ts';
import type { StatementResult } from '../outcome.ts';
import type { SessionTable } from '../tables.ts';
import { countRows, putRows, queryOf } from './queries.ts';

/** INSPECT DECISION: each source row is decided against the real state, without effect (docs/language.md#inspections). */
export function runInspectDecision(context: StatementContext, statement: InspectDecision): Promise<StatementResult> {
  const { schema, source } = statement;
  return inspectWith(
    context,
    schema,
    (registry, scope) => bindInspectDecision(registry, statement, scope),
    async (at, inspect) => {
      const { decision: block, each, target } = inspect;
      const { catalog } = at.reg.registry();
      const shape = targetShapeOf(catalog, block);
      const outputs = [
        { name: target, columns: targetColumns(shape) },
        { name: branchesOf(target), columns: branchColumns(shape.decision) },
      ];
      const { aggregate, command } = shape.decision;
      const aggregates = [aggregate];
      const counts = await keepOutput(at.engine, { aggregates }, outputs, (add) => decide(at, inspect, source, add));
      // A table of recorded commands would outlive the rights on them.
      if (each === undefined)
        await keepSource(at, source, target, aggregates, sensitiveColumns(catalog, command, inspect));
      await recordOutputs(at, source, { name: target, inspected: 'Decision', block }, outputs);
      return { kind: 'inspect', into: target, ...counts };
    },
  );
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

/** Decides all rows of the source, or recorded commands. */
async function decide(
  context: StatementContext,
  inspect: BoundInspectDecision,
  source: RelationName,
  add: AddPages,
): Promise<{ readonly rows: number; readonly rejected: number }> {
  const { alone, own, reg, signal, uuid } = context;
  const now = instantOf(context);
  const { each, decision } = inspect;
  const counts = { rows: 0, rejected: 0 };
  const deciding = async (place: typeof reg, asked: Parameters<typeof inspectDecision>[2], total?: number) => {
    const options = { caller: sessionCaller(context), now, uuid };
    await inspectDecision(place, decision, asked, options, async ({ rows, branches, commands, rejected }) => {
      await add([rows, branches]);
      counts.rows += commands;
      counts.rejected += rejected;
      if (each === undefined || counts.rows % longRun === 0)
        await context.progress(
          `${progressText(counts.rows, total)} ${each === undefined ? 'rows' : 'commands'} inspected`,
        );
    });
    return counts;
  };
  if (each !== undefined)
    return deciding(reg, { recorded: each === 'chosen' ? { chosen: await numbersOf(context, inspect.source) } : {} });
  const inputs = inputPages(context, inspect);
  const first = await inputs.next();
  const given = (async function* (): typeof inputs {
    if (first.done !== true) yield first.value;
    yield* inputs;
  })();
  if (first.done === true || first.value.length < longRun) return deciding(reg, { given });
  const total = await countRows(context, nameParts(source));
  if (alone === true || reg !== own) return deciding(reg, { given }, total);
  // Others wait for the store: a run of more than one page is decided apart, on its present state.
  const place = await openPlace(reg, { moment: await endOf(reg, now), ...(signal && { signal }) });
  try {
    return await deciding(place, { given }, total);
  } finally {
    await place.close();
  }
}

/** The numbers of entries, or positions, that WHERE and LIMIT choose. */
async function numbersOf(context: StatementContext, query: BoundQuery): Promise<ReadonlySet<number>> {
  const { rows } = await evaluateInside(context, query);
  return new Set(rows.map(([number]) => Number(number)));
}

/** Rows that take some milliseconds. */
const longRun = 500;

/** INSPECT REACTION: the commands that a reaction would execute for each event of the source (docs/language.md#inspections). */
export function runInspectReaction(context: StatementContext, statement: InspectReaction): Promise<StatementResult> {
  const { schema, source } = statement;
  return inspectWith(
    context,
    schema,
    (registry, scope) => bindInspectReaction(registry, statement, scope),
    async (at, inspect) => {
      const { reaction: block, each, target } = inspect;
      const aggregates = await reactionAggregates(at.reg, block);
      const outputs = [{ name: target, columns: reactionColumns }];
      const counts = await keepOutput(at.engine, { aggregates }, outputs, (add) => answer(at, inspect, add));
      if (each === undefined) await keepSource(at, source, target, aggregates);
      await recordOutputs(at, source, { name: target, inspected: 'Reaction', block }, outputs);
      return { kind: 'inspect', into: target, rejected: 0, ...counts };
    },
  );
}

async function answer(
  context: StatementContext,
  { reaction, source, cancels, each }: BoundInspectReaction,
  add: AddPages,
): Promise<{ readonly rows: number; readonly overdue: number }> {
  const { random, reg, uuid } = context;
  const asked =
    each === undefined
      ? { source: sourcePages(context, source), cancels: cancels && sourcePages(context, cancels) }
      : { aggregate: each.aggregate, chosen: each.events === 'chosen' ? await numbersOf(context, source) : undefined };
  const counts = { rows: 0, overdue: 0 };
  for await (const page of inspectReaction(reg, reaction, asked, { now: instantOf(context), random, uuid })) {
    await add([page.rows]);
    counts.rows += page.rows.length;
    counts.overdue += page.overdue;
    if (counts.rows % longRun === 0)
      await context.progress(`${progressText(counts.rows, undefined)} commands inspected`);
  }
  return counts;
}

/** INSPECT PROJECTION: the source replaces the projection's event relation. */
export function runInspectProjection(
  context: StatementContext,
  statement: InspectProjection,
): Promise<StatementResult> {
  const { schema, source } = statement;
  return inspectWith(
    context,
    schema,
    (registry, scope) => bindInspectProjection(registry, statement, scope),
    async (at, inspect) => {
      const { target, projection: block, rebuild: rebuilds } = inspect;
      const aggregates = findBlock(at.reg.registry().catalog, 'projection', block)?.aggregates ?? [];
      if (rebuilds) checkRebuilt(at, block);
      // Before the target exists, which may be the same table.
      await keepSource(at, source, target, aggregates);
      const rows = await (rebuilds ? rebuild(at, block, aggregates) : project(at, inspect, aggregates));
      await recordInspection(at, source, { name: target, inspected: 'Projection', block });
      return { kind: 'inspect', into: target, rows, rejected: 0 };
    },
  );
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
  return keepOutput(context.engine, about, [{ name: target, columns: table.stored }], async (add) => {
    let rows = 0;
    for await (const page of context.tables.pages(table)) {
      rows += page.length;
      await context.progress(`${progressText(rows, total)} rows kept`);
      await add([page]);
    }
    return rows;
  });
}

/**
 * Rebuilds the kept rows of the projection from all its events, even if the source was narrowed, and stores the resulting rows under its
 * name (docs/http.md#inspections); returns their count.
 */
async function rebuild(context: StatementContext, projection: string, aggregates: readonly string[]): Promise<number> {
  const { tables } = context;
  await context.engine.store.tables.rebuild(projection, (done, total) =>
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
